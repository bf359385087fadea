"""Batches on a Ray cluster of two nodes of this machine; run by `make test-ray`."""

import json
import os
import signal

import pytest

from errata.core.errors import AccessError, RemoteError
from example import DRAFT, PAGE, RESPONSE
from openai_server import OpenAIServer

ray = pytest.importorskip("ray", reason="needs the extra ray: make test-ray")
psutil = pytest.importorskip("psutil", reason="comes with ray")

from errata.batch import RowCorrector  # noqa: E402
from errata.batch.ray_data import RESTARTS, RayEngine  # noqa: E402
from errata.batch.run import LocalEngine  # noqa: E402

# A node of Ray is called by this machine's own address.
HOSTS = ["127.0.0.1", "::1", "localhost", ray.util.get_node_ip_address()]
# Ray leaves files and sockets of its own to the garbage collector.
pytestmark = [
    pytest.mark.usefixtures("cluster"),
    pytest.mark.slow,
    pytest.mark.allow_hosts(HOSTS),
    pytest.mark.filterwarnings("default"),
]
ROWS = [{"id": n, "draft": DRAFT, "documents": [PAGE]} for n in range(40)]
MODEL = {"method": "plain", "model": "openai:m", "retries": 0}
POISON = "Who wrote the poison?"


class EndingServer(OpenAIServer):
    """Ends the worker process that asks about POISON, and refuses those who may not ask."""

    def __init__(self):
        super().__init__()
        self.ended, self.refusing = 0, False

    async def respond(self, request, step):
        if self.refusing:
            return await super().respond(request, 401)
        if POISON in json.dumps(await request.json()):
            self.ended += 1
            end_client(request.client.port, request.url.port)
        return await super().respond(request, step)


def end_client(port, server):
    """End the process of this machine that is connected from a port to a server's.

    Other connections, open or closed a moment ago, may leave from the same port for elsewhere.
    """
    links = [link for link in psutil.net_connections("tcp4") if link.raddr]
    [pid] = {link.pid for link in links if (link.laddr.port, link.raddr.port) == (port, server)}
    os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def server(serving_all):
    """The server of the workers' models: they have the environment that their node starts in."""
    made = EndingServer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", f"{serving_all(made.app)}/v1")
        patch.setenv("OPENAI_API_KEY", made.KEY)
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        yield made


@pytest.fixture(scope="module")
def cluster(server):
    """A cluster whose first node has one CPU; a test adds and kills the second."""
    from ray.cluster_utils import Cluster

    assert server
    node = {"num_cpus": 1, "object_store_memory": 80_000_000}
    made = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_ADDRESS", made.address)
        yield made
    made.shutdown()


@pytest.fixture
def second(cluster):
    """A second node, as long as the test runs."""
    node = cluster.add_node(num_cpus=1, object_store_memory=80_000_000)
    yield node
    if node in cluster.worker_nodes:
        cluster.remove_node(node)


def untimed(bench):
    """The output rows by id, without what each run measures anew."""
    kept = {row["id"]: {k: v for k, v in row.items() if k != "usage"} for row in bench.rows}
    assert len(kept) == len(bench.rows)
    return kept


@pytest.mark.usefixtures("second")
def test_two_nodes_give_the_rows_that_one_process_gives_and_go_on_by_id(bench):
    engine = RayEngine()
    assert bench.run(ROWS[:20], engine=engine).done == 20
    totals = bench.run([*ROWS, ROWS[39], {"id": 41}], engine=engine)
    assert (totals.before, totals.done, totals.problems) == (20, 20, 2)
    ours = untimed(bench)
    bench.out = bench.out.with_name("other.jsonl")
    bench.run(ROWS, engine=LocalEngine())
    assert ours == untimed(bench)


def works_on(node):
    """Whether a worker of a batch runs on a node of this machine."""
    [raylet] = [info.process.pid for info in node.all_processes["raylet"]]
    names = [" ".join(child.cmdline()) for child in psutil.Process(raylet).children()]
    return any("RowCorrector" in name for name in names)


def test_a_node_that_is_killed_loses_no_row(cluster, second, server, bench):
    killed = []

    def kill(_):
        if not killed and works_on(second):
            cluster.remove_node(second, allow_graceful=False)
            killed.append(second)

    rows = [{"id": n, "question": f"Who is number {n}?"} for n in range(400)]
    engine = RayEngine(at_once=2)
    server.delay = 0.5
    totals = bench.run(rows, engine=engine, on_row=kill, **MODEL)
    server.delay = 0.0
    assert killed
    assert (totals.done, totals.failed) == (400, 0)
    assert sorted(map(int, bench.ids)) == [*range(400)]


def test_a_dataset_of_the_callers_own_is_corrected(cluster):
    ray.init(cluster.address)
    corrected = ray.data.from_items(ROWS[:5]).map_batches(RowCorrector, concurrency=1)
    rows = corrected.take_all()
    ray.shutdown()
    assert sorted(row["id"] for row in rows) == [*"01234"]
    assert {row["response"] for row in rows} == {RESPONSE}


def test_a_row_that_ends_its_worker_ends_the_batch_and_what_is_done_is_kept(server, bench):
    rows = [{"id": str(n), "question": f"Who is number {n}?"} for n in range(3)]
    engine = RayEngine(at_once=1)
    with pytest.raises(RemoteError, match="what is done is kept"):
        bench.run([*rows, {"id": "p", "question": POISON}], engine=engine, **MODEL)
    assert server.ended == RESTARTS + 1
    assert bench.run(rows, engine=engine, **MODEL).rows == 3
    assert sorted(bench.ids) == [*"012"]


def test_a_refused_key_ends_the_batch(server, bench):
    server.refusing = True
    with pytest.raises(AccessError):
        bench.run([{"id": 1, "question": "Who?"}], engine=RayEngine(), **MODEL)
    server.refusing = False

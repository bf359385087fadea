"""The batch engine on a Ray cluster of two nodes of this machine; run by `make test-ray`."""

import asyncio
import itertools
import json
import os
import signal

import pytest

from openai_server import OpenAIServer

ray = pytest.importorskip("ray", reason="needs the extra ray: make test-ray")
psutil = pytest.importorskip("psutil", reason="comes with ray")

from errata.batch.ray_engine import LOCAL_ROWS, RayEngine  # noqa: E402
from errata.batch.rows import BatchRow  # noqa: E402
from errata.batch.work import Work, run_row  # noqa: E402
from errata.core.errors import AccessError, SettingError  # noqa: E402
from errata.core.records import Document  # noqa: E402

# A node of Ray is called by this machine's own address.
HOSTS = ["127.0.0.1", "::1", "localhost", ray.util.get_node_ip_address()]
# Ray leaves files and sockets of its own to the garbage collector.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.allow_hosts(HOSTS),
    pytest.mark.filterwarnings("default"),
]
WORK = Work(method="rac")
BY_MODEL = Work(method="plain", settings={"model": "openai:m", "retries": 0})
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
    """A cluster whose first node has one CPU; tests add and remove the second."""
    from ray.cluster_utils import Cluster

    assert server
    node = {"num_cpus": 1, "object_store_memory": 80_000_000}
    made = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    yield made
    made.shutdown()


@pytest.fixture
def second(cluster):
    """A second node, as long as the test runs."""
    node = cluster.add_node(num_cpus=1, object_store_memory=80_000_000)
    yield node
    if node in cluster.worker_nodes:
        cluster.remove_node(node)


def rows_of(root, count):
    """Rows of the demo's drafts in turn, each with a page that judges it."""
    drafts = sorted((root / "demo" / "drafts").glob("*.txt"))
    pages = (root / "demo" / "corpus" / "pages.jsonl").read_text().splitlines()
    documents = tuple(Document(**json.loads(page)) for page in pages)
    for number, path in zip(range(count), itertools.cycle(drafts), strict=False):
        yield BatchRow(id=f"r{number}", draft=path.read_text(), documents=documents)


def untimed(outputs):
    """The output rows by id, without what each run measures anew."""
    kept = {out["id"]: {k: v for k, v in out.items() if k != "usage"} for out in outputs}
    return dict(sorted(kept.items()))


def questions(*texts):
    return [BatchRow(id=f"q{n}", question=text) for n, text in enumerate(texts)]


async def one_by_one(rows, work):
    async with work.open_session() as session:
        return [await run_row(session, row, work) for row in rows]


@pytest.mark.usefixtures("second")
def test_two_nodes_give_the_rows_that_one_process_gives(cluster, root):
    rows = list(rows_of(root, 40))
    outputs = list(RayEngine(cluster.address, workers=2)(WORK, iter(rows)))
    assert sorted(out["id"] for out in outputs) == sorted(row.id for row in rows)
    assert untimed(outputs) == untimed(asyncio.run(one_by_one(rows, WORK)))


def works_on(node):
    """Whether a worker of a batch runs on a node of this machine."""
    [raylet] = [info.process.pid for info in node.all_processes["raylet"]]
    names = [" ".join(child.cmdline()) for child in psutil.Process(raylet).children()]
    return any(name.startswith("ray::RowWorker") for name in names)


def test_a_node_that_is_killed_loses_no_row(cluster, second, root):
    taken, killed = [], []

    def source():
        for row in rows_of(root, 100_000):
            if killed and len(taken) >= killed[0] + 24:
                return
            taken.append(row.id)
            yield row

    got = []
    for out in RayEngine(cluster.address, workers=2)(WORK, source()):
        got.append(out["id"])
        if not killed and works_on(second):
            cluster.remove_node(second, allow_graceful=False)
            killed.append(len(taken))
    assert killed
    assert sorted(got) == sorted(taken)


def test_a_row_that_ends_its_worker_fails_alone(cluster, server):
    rows = questions("Who is he?", POISON, "Who is she?", "Who are they?")
    outputs = {out["id"]: out for out in RayEngine(cluster.address)(BY_MODEL, iter(rows))}
    assert sorted(outputs) == ["q0", "q1", "q2", "q3"]
    assert [name for name, out in outputs.items() if "error" in out] == ["q1"]
    assert "ended twice" in outputs["q1"]["error"]
    assert server.ended == 2


def test_a_row_that_runs_again_pays_for_no_reply_twice(cluster, server, redis_url):
    rows = questions(*(f"Who is number {number}?" for number in range(6)))
    work = Work(method="plain", settings={**BY_MODEL.settings, "call_cache": redis_url})
    first = list(RayEngine(cluster.address)(work, iter(rows)))
    asked = len(server.requests)
    again = list(RayEngine(cluster.address)(work, iter(rows)))
    assert len(server.requests) == asked
    assert [sum(out["usage"]["model_calls"] for out in outputs) for outputs in (first, again)] == [
        6,
        0,
    ]
    assert {out["id"]: out["response"] for out in again} == {
        out["id"]: out["response"] for out in first
    }


def test_a_refused_key_ends_the_batch(cluster, server):
    server.refusing = True
    with pytest.raises(AccessError):
        list(RayEngine(cluster.address)(BY_MODEL, iter(questions("Who is he?"))))
    server.refusing = False


def test_no_more_rows_are_taken_than_workers_need(cluster, root):
    taken = []

    def source():
        for row in rows_of(root, 100_000):
            taken.append(row.id)
            yield row

    outputs = RayEngine(cluster.address, workers=1)(WORK, source())
    first = next(outputs)
    outputs.close()
    assert first["id"] in taken
    assert len(taken) <= 6 * LOCAL_ROWS
    assert not ray.is_initialized()


def test_settings_that_cannot_be_are_refused_before_the_cluster_is_asked():
    with pytest.raises(SettingError, match="no method"):
        list(RayEngine("127.0.0.1:1")(Work(method="none"), iter(())))


def test_a_cluster_that_is_not_there_is_named():
    with pytest.raises(SettingError, match=r"127\.0\.0\.1:1"):
        list(RayEngine("127.0.0.1:1")(WORK, iter(())))

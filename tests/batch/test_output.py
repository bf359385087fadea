"""The output of a batch: every id once, whatever happened before, and only rows of one work."""

import resource
from pathlib import Path

import pytest
from filelock import FileLock

from errata.batch.run import LocalEngine
from errata.core.errors import InputError, SettingError
from example import DRAFT, PAGE, RESPONSE

ALL = [{"id": n, "draft": f"draft {n}"} for n in range(1, 7)]
LIMITS = [({"calls": 4}, 2), ({"tokens": 13}, 3), ({"money": 0.5}, 1), ({"searches": 1}, 6)]
LIMITS += [({"calls": 0}, 0), ({"seconds": 0}, 0)]
"""How many of these rows are done within limits."""


def test_a_run_goes_on_where_one_ended(bench):
    bench.run(ALL[:2])
    totals = bench.run(ALL)
    assert bench.ids == [*"123456"]
    assert (totals.rows, totals.before, totals.done) == (6, 2, 4)
    whole = bench.out.read_bytes()
    for cut, done in ((0, 0), (1, 1), (30, 1)):  # half a line is cut off
        bench.out.write_bytes(whole[: len(whole) - cut])
        assert bench.run().done == done
        assert bench.out.read_bytes() == whole


def test_a_whole_line_that_is_no_row_is_named(bench):
    bench.run(ALL[:1])
    bench.out.write_text(f"{bench.out.read_text()}{{nope\n")
    with pytest.raises(InputError, match=r"out\.jsonl, line 2: not a row of a batch"):
        bench.run(ALL)
    bench.run(ALL, anew=True)
    assert bench.ids == [*"123456"]


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"method": "reex"}, "method was 'rac', is 'reex'"),
        ({"check": True}, "check was False, is True"),
        ({"top_k": 3}, "settings.top_k was None, is 3"),
        ({"fields": ["response"]}, r"fields was \[\], is \['response'\]"),
    ],
)
def test_rows_of_other_work_are_not_mixed(bench, other, words):
    bench.run(ALL[:2])
    with pytest.raises(InputError, match=f"holds rows of other work: .*{words}.*--anew"):
        bench.run(ALL, **other)
    assert bench.ids == ["1", "2"]
    bench.run(ALL, anew=True, **other)
    assert len(bench.ids) == 6


def test_a_file_that_no_batch_wrote_is_left_alone(bench):
    bench.out.write_text("precious\n")
    with pytest.raises(InputError, match=r"not from a batch that left out\.jsonl\.run\.json"):
        bench.run(ALL)
    assert bench.out.read_text() == "precious\n"


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("-", "no file to go on from"),
        ("no/out", "there is no folder 'no'"),
        ("held", "another batch writes to held; wait for it"),
        ("/dev/null", "no file to go on from"),
    ],
)
def test_places_that_cannot_be_written_are_refused(bench, out, words, monkeypatch):
    monkeypatch.chdir(bench.source.parent)
    bench.out = Path(out)
    with FileLock("held.lock"), pytest.raises(InputError, match=words):
        bench.run(ALL, anew=True)
    assert out != "/dev/null" or bench.out.is_char_device()


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.problems.jsonl", "out.jsonl.run.json"])
def test_the_input_is_not_written_over(bench, name):
    bench.source = bench.out.with_name(name)
    with pytest.raises(InputError, match=r"is the input, and the output .* written over it"):
        bench.run(ALL, anew=True)
    assert len(bench.source.read_text().splitlines()) == len(ALL)
    bench.source = bench.source.rename(bench.source.with_name("in.jsonl"))
    bench.out.hardlink_to(bench.source)  # the same file under another name
    with pytest.raises(InputError, match="would be written over it"):
        bench.run(anew=True)


@pytest.mark.parametrize("option", ["anew", "retry_failed"])
def test_an_input_that_cannot_be_read_costs_no_row(bench, option):
    bench.run([*ALL, {"id": "f", "draft": "fail"}])
    before, folder = bench.out.read_bytes(), bench.source.parent
    for bench.source in (folder / "none.jsonl", folder):
        with pytest.raises(InputError, match="cannot read"):
            bench.run(**{option: True})
        assert bench.out.read_bytes() == before


def test_a_link_stays_a_link(bench, tmp_path):
    bench.out.symlink_to(tmp_path / "elsewhere.jsonl")
    rows = [*ALL, {"id": "f", "draft": "fail"}]
    for _ in range(2):
        bench.run(rows, retry_failed=True)
    assert bench.out.is_symlink()
    assert len(bench.ids) == 7


def test_failed_rows_stay_until_they_are_retried(bench):
    rows = [*ALL[:2], {"id": "f", "draft": "fail"}, {"id": "g", "draft": "fail too"}]
    first = bench.run(rows)
    assert (first.done, first.failed) == (2, 2)
    assert bench.run(rows).failed_before == 2
    assert [row.get("error") for row in bench.rows] == [None, None, "it failed", "it failed"]
    mended = [*ALL[:2], {"id": "f", "draft": "fine"}, rows[3]]
    again = bench.run(mended, retry_failed=True)
    assert (again.before, again.done, again.failed, again.failed_before) == (2, 1, 1, 0)
    assert sorted(bench.ids) == [*"12fg"]


def test_rows_to_be_retried_that_a_stop_left_out_run_the_next_time(bench):
    bench.run([*({"id": name, "draft": f"fail {name}"} for name in "fgh"), *ALL])
    assert bench.run(retry_failed=True, limits={"calls": 2}).failed == 1
    assert (bench.run().failed, bench.run().failed_before) == (2, 3)
    assert sorted(bench.ids) == [*"123456fgh"]


def test_many_failures_in_a_row_end_the_batch(bench):
    rows = [{"id": f"f{n}", "draft": "fail"} for n in range(9)]
    totals = bench.run([*ALL[:1], *rows], stop_after=3)
    assert totals.stopped == "3 rows failed one after another: it failed"
    assert bench.ids == ["1", "f0", "f1", "f2"]


@pytest.mark.parametrize(("limits", "done"), LIMITS)
def test_a_limit_leaves_rows_for_the_next_time(bench, limits, done):
    totals = bench.run(ALL, limits=limits)
    assert len(bench.ids) == done
    assert (bool(totals.stopped), totals.rows) == (done < 6, done)
    bench.run(ALL)
    assert sorted(bench.ids) == [*"123456"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "none"}, "no method is called 'none'"),
        ({"method": "crag", "check": True}, "crag can answer"),
        ({"top_q": 1}, "top_q"),
        ({"fields": ["response", "respnse"]}, "a result of rac has no 'respnse'; it has "),
        ({"method": "crag", "fields": ["label"]}, "a result of crag has no 'label'; it has "),
        ({"limits": {"money": 1}, "model": "openai:m"}, "a price for the model 'openai:m'"),
    ],
)
def test_unusable_settings_are_refused_before_any_row(bench, options, words, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with pytest.raises(SettingError, match=words):
        bench.run(ALL, **options)
    assert not bench.out.exists()


def test_no_secret_is_kept_beside_the_rows(bench, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "very-secret-key")
    bench.run(ALL[:1], model="openai:very-secret-key")
    assert bench.run(ALL, model="openai:very-secret-key").before == 1
    assert "openai:[secret]" in bench.out.with_name("out.jsonl.run.json").read_text()


def test_a_full_disk_is_said_and_what_was_written_is_gone_on_from(bench):
    rows = [{"id": n, "draft": "x" * 30_000} for n in range(6)]
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    bench.write(rows)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, most[1]))
    try:
        with pytest.raises(InputError, match=r"cannot go on: .*File too large.*the same command"):
            bench.run()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    bench.run()
    assert bench.ids == [*"012345"]


@pytest.mark.anyio
async def test_a_batch_runs_inside_an_event_loop(bench):
    bench.write([{"id": 1, "draft": DRAFT, "documents": [PAGE]}])
    assert bench.run(engine=LocalEngine()).done == 1
    assert bench.rows[0]["response"] == RESPONSE

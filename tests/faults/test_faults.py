"""The model, the programs and the comparison, without faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from pystream.testing import local_environment
from tests.faults.disturbances import CONNECTOR_STEPS, STEPS, resolve
from tests.faults.feeder import Feeder
from tests.faults.losses import DirectoryLoss, Loss, LossError
from tests.faults.programs import build, source_of
from tests.faults.records import expected
from tests.faults.request import Request
from tests.faults.results import difference
from tests.faults.scenarios import KINDS, draw_scenario
from tests.faults.seen import SeenRecords
from tests.faults.truncation import Truncation, TruncationError


@pytest.fixture(params=["windows", "stages"])
def request_of_program(request: pytest.FixtureRequest, tmp_path: Path) -> Request:
    for name in ("input", "output", "control"):
        (tmp_path / name).mkdir()
    return Request(
        program=request.param,
        input=str(tmp_path / "input"),
        output=str(tmp_path / "output"),
        control=str(tmp_path / "control"),
        savepoints=str(tmp_path / "savepoints"),
    )


def test_bounded_programs_give_the_results_of_the_model(request_of_program: Request, tmp_path: Path) -> None:
    scenario = draw_scenario(0)
    feeder = Feeder(scenario, tmp_path / "input", tmp_path)
    while not feeder.is_done:
        feeder.drop_next()
    env = local_environment()
    build(env, source_of(request_of_program).build(), request_of_program)
    env.execute()
    results = expected(request_of_program.program, scenario.files)
    assert all(results.values())
    assert difference(tmp_path / "output", results) == ""


def test_lost_and_doubled_results_are_told_apart(tmp_path: Path) -> None:
    lines = expected("windows", draw_scenario(0).files)
    first, second, *others = lines["windows"].elements()
    (tmp_path / "windows").mkdir()
    (tmp_path / "windows" / "part").write_text("\n".join([first, first, *others]))
    (tmp_path / "windows" / ".inprogress").write_text(second)
    found = difference(tmp_path, lines)
    assert f"1 of {len(others) + 2} lost, such as [{second!r}]" in found
    assert f"1 doubled or wrong, such as [{first!r}]" in found


def test_records_to_read_again_are_not_seen_until_the_job_keeps_them(tmp_path: Path) -> None:
    (tmp_path / "seen-1").write_text("1\n2\n")
    (tmp_path / "seen-2").write_text("2\n3\n4")  # the last line is incomplete
    seen = SeenRecords(tmp_path)
    assert seen.count() == 3
    seen.forget({2, 3})
    assert seen.count() == 1
    seen.remember()
    assert seen.count() == 3


def test_a_refused_file_must_be_named_and_is_restored(tmp_path: Path) -> None:
    path = tmp_path / "job" / "local" / "7.state"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"content")
    truncation = Truncation("local/*.state", tmp_path)
    assert truncation.truncate() == "job/local/7.state"
    assert path.read_bytes() == b"con"
    with pytest.raises(TruncationError, match=r"no message contains 'local/7\.state'"):
        truncation.follow("a file is damaged", has_failed=True)
    assert truncation.follow("", has_failed=False) == "the job did not need local/7.state"
    assert not truncation.is_read
    assert (
        truncation.follow("cannot read /job/local/7.state", has_failed=True)
        == "the job refused local/7.state"
    )
    assert truncation.is_read
    assert path.read_bytes() == b"content"


@pytest.mark.parametrize("seed", range(len(KINDS)))
def test_a_seed_gives_the_same_scenario_again(seed: int) -> None:
    scenario = draw_scenario(seed)
    assert scenario == draw_scenario(seed)
    request = Request("windows", "", "", "", "", scenario.disturbances)
    assert Request.parse(request.text()) == request


@pytest.mark.parametrize("way", ["removed", "emptied", "moved", "replaced"])
@pytest.mark.parametrize("part", ["", "epochs", "job.json"])
def test_what_a_job_has_lost_is_put_back(tmp_path: Path, part: str, way: str) -> None:
    job = tmp_path / "jobs" / "job"
    (job / "epochs").mkdir(parents=True)
    for name in ("job.json", "epochs/0.epoch"):
        (job / name).write_text(name)
    loss = DirectoryLoss(Loss(part, way, 1, 2, "nothing"), tmp_path / "jobs", tmp_path / "aside")
    assert loss.serve(1) == ""
    (job / "epochs" / "1.epoch").write_text("1")
    before = {path.name: path.read_text() for path in job.rglob("*.*")}
    assert loss.serve(2)
    assert {path.name: path.read_text() for path in job.rglob("*.*")} != before or part == "job.json"
    assert loss.follow(f"{job} is gone", was_killed=False) == ["refused"]
    with pytest.raises(LossError, match="no message contains"):
        loss.follow("something is gone", was_killed=False)
    assert loss.is_pending
    assert loss.follow("", was_killed=True) == ["killed", "put back"]
    assert not loss.is_pending
    assert {path.name: path.read_text() for path in job.rglob("*.*")} == before


@pytest.mark.parametrize("step", [*STEPS, *CONNECTOR_STEPS])
def test_the_function_of_a_step_is_found(step: str) -> None:
    assert callable(resolve(step)[2])

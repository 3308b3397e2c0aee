"""Job ids, job states and job results."""

from __future__ import annotations

import pytest

from pystream.common.job_execution_result import JobExecutionResult
from pystream.common.job_id import JobID
from pystream.common.job_status import JobStatus
from pystream.errors import ConfigurationError

DIGITS = "d02f5d4c5ba37506cd128adac7c88301"


def test_a_job_id_is_its_digits() -> None:
    assert str(JobID(DIGITS)) == DIGITS
    assert JobID(DIGITS) == JobID(DIGITS)
    assert JobID() != JobID()
    assert len(str(JobID())) == 32


@pytest.mark.parametrize("bad", ["", DIGITS[1:], DIGITS.upper(), DIGITS + "0"])
def test_malformed_job_ids_are_refused(bad: str) -> None:
    with pytest.raises(ConfigurationError, match="32 hexadecimal digits"):
        JobID(bad)


def test_job_states_are_those_of_flink() -> None:
    ends = {
        status.name: (status.value, status.is_globally_terminal_state(), status.is_terminal_state())
        for status in JobStatus
    }
    assert ends == {
        "CREATED": (0, False, False),
        "RUNNING": (1, False, False),
        "FAILING": (2, False, False),
        "FAILED": (3, True, True),
        "CANCELLING": (4, False, False),
        "CANCELED": (5, True, True),
        "FINISHED": (6, True, True),
        "RESTARTING": (7, False, False),
        "SUSPENDED": (8, False, True),
        "RECONCILING": (9, False, False),
    }
    assert str(JobStatus.RUNNING) == "JobStatus.RUNNING"


def test_a_result_holds_id_run_time_and_accumulators() -> None:
    accumulators = {"map.seen": 3}
    result = JobExecutionResult(JobID(DIGITS), 4429, accumulators)
    assert result.get_job_id() == JobID(DIGITS)
    assert result.get_net_runtime() == 4429
    assert result.get_accumulator_result("map.seen") == 3
    assert result.get_accumulator_result("x") is None
    assert result.get_all_accumulator_results() == accumulators
    assert result.get_all_accumulator_results() is not accumulators
    assert f"Job {DIGITS}" in str(result)
    assert "Job Runtime: 4429 ms" in str(result)
    assert "map.seen: 3" in str(result)


def test_a_result_without_accumulators() -> None:
    assert JobExecutionResult(JobID(DIGITS), 1).get_all_accumulator_results() == {}

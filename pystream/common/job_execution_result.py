"""JobExecutionResult: run time, id and accumulators of a finished job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pystream.common.job_id import JobID
from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments

__all__ = ["JobExecutionResult"]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class JobExecutionResult:
    """The id, the run time and the accumulators of a finished job.

    Mirrors ``org.apache.flink.api.common.JobExecutionResult``.

    Args:
        job_id: the id of the job.
        net_runtime: the run time, in milliseconds.
        accumulators: final values of the metrics of its functions, added up over the subtasks, by the
            operator's name, the groups and the metric's name, joined with dots: ``Map.seen``. A counter is a
            number; the value of a meter, distribution or gauge depends on its kind.
    """

    job_id: JobID
    net_runtime: int
    accumulators: Mapping[str, Any] = field(default_factory=dict)

    def get_job_id(self) -> JobID:
        """Return the id of the job."""
        return self.job_id

    def get_net_runtime(self) -> int:
        """Return the run time of the job in milliseconds, without the time it waited to be started."""
        return self.net_runtime

    def get_accumulator_result(self, accumulator_name: str) -> Any:
        """Return one accumulator, or ``None`` if none has that name."""
        return self.accumulators.get(accumulator_name)

    def get_all_accumulator_results(self) -> dict[str, Any]:
        """Return all accumulators, keyed by name."""
        return dict(self.accumulators)

    def __str__(self) -> str:
        lines = [f"Job {self.job_id} has finished", f"Job Runtime: {self.net_runtime} ms"]
        lines += [f"{name}: {value}" for name, value in self.accumulators.items()]
        return "\n".join(lines)

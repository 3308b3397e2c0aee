"""Job: runs a job on any host, from submission to its outcome."""

from __future__ import annotations

import atexit
import math
import threading
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pystream.errors import JobCancelledError
from pystream.hosts.job_request import JobRequest
from pystream.hosts.process import at_exit, register_job
from pystream.hosts.unbounded.control import JobControl
from pystream.waiting import ended, joined
from typeinfo.errors import summarize

__all__ = ["Job", "JobOutcome"]

_INTERRUPTION_PAUSE = 0.05
_SECONDS_AT_EXIT = 10.0


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """Run time and metrics of a finished job.

    Attributes:
        runtime_millis: its run time.
        metrics: the values of its functions' metrics at the end, by scope and name.
    """

    runtime_millis: int
    metrics: Mapping[str, Any]


class Job(ABC):
    """A job, bounded or unbounded, which runs in a thread of its own.

    Args:
        request: the plan and settings.

    Attributes:
        job_id: its hexadecimal id.
        future: its outcome; raises JobExecutionError, or JobCancelledError after ``cancel``.
        control: what a client may ask of the job while it runs; ``None`` if it is bounded.
    """

    control: JobControl | None = None

    def __init__(self, request: JobRequest) -> None:
        self.request = request
        self.job_id: str = uuid.uuid4().hex
        self.future: Future[JobOutcome] = Future()
        self._thread = threading.Thread(target=self._run, name=f"pystream-{request.name}", daemon=True)
        self._cancelled = threading.Event()
        self._is_interrupted = False
        self._publishing = threading.Lock()

    @abstractmethod
    def _prepare(self) -> None:
        """Check sources and sinks, before the thread starts.

        Raises:
            PyStreamError: a sink's target or a source's input is unusable.
        """

    @abstractmethod
    def _metrics_at_end(self) -> Mapping[str, Any]:
        """Run the job to its end, and return the values of its metrics, by scope and name."""

    @abstractmethod
    def _interrupt(self) -> None:
        """Stop the current attempt, from any thread; called until the job has ended."""

    @abstractmethod
    def _error_to_report(self, error: BaseException) -> BaseException:
        """Return the error to report, given the error that ended an attempt."""

    @abstractmethod
    def collected(self, sink_id: int) -> Iterator[Any]:
        """Yield the elements of a collecting sink in batches as they arrive, or in a single one if limited.

        A batch is a list, or columns if the sink asks for those. The iterator ends with the job, whether or
        not the job fails.

        Args:
            sink_id: the id of its node.
        """

    @abstractmethod
    def discard(self) -> None:
        """Drop the collected elements, once they have been read or are no longer needed."""

    def _clean_up(self) -> None:  # noqa: B027 - optional
        """Release the resources of the job; called once it has ended."""

    def submit(self) -> Job:
        """Start the job in a new thread, and return it.

        Raises:
            PyStreamError: a sink's target or a source's input is unusable; then nothing is started.
        """
        self._prepare()
        register_job(self.future)
        self._thread.start()
        return self

    def stop(self) -> None:
        """End the job as soon as its output is consistent: a bounded one is cancelled."""
        self.cancel()

    def cancel(self) -> None:
        """Cancel the job without waiting; does nothing once it has ended."""
        if not self.future.done() and not self._cancelled.is_set():
            self._cancelled.set()
            threading.Thread(target=self._stop, name=f"pystream-cancel-{self.job_id}", daemon=True).start()

    def interrupt(self) -> None:
        """Cancel the job because its program is interrupted; unlike ``cancel``, it keeps the job's state."""
        self._is_interrupted = True
        self.cancel()

    def join(self, seconds: float) -> None:
        """Wait until the job has ended and cleaned up, at most for a timeout in seconds."""
        joined(self._thread, seconds)

    def _stop(self, seconds: float = math.inf) -> None:
        deadline = time.monotonic() + seconds
        # Spark cancels only jobs it has started, and this one may be about to start another.
        while not self.future.done() and time.monotonic() < deadline:
            with suppress(Exception):  # if the host is unreachable, the job itself fails
                self._interrupt()
            ended(self.future, _INTERRUPTION_PAUSE)

    def _stop_at_exit(self) -> None:
        """Cancel the job when the program exits, and let it clean up or finish publishing."""
        self._is_interrupted = True
        self._cancelled.set()
        self._stop(_SECONDS_AT_EXIT)  # in this thread, as Python cannot start another one at exit
        with self._publishing:
            pass

    def _run(self) -> None:
        hook = at_exit(self._stop_at_exit)
        started = time.monotonic()
        self._backoff = self.request.new_backoff()
        try:
            metrics = self._metrics_at_end()
        except BaseException as error:  # noqa: BLE001 - whoever waits on the future gets it, whatever it is
            self.future.set_exception(error)
        else:
            self.future.set_result(JobOutcome(int((time.monotonic() - started) * 1000), metrics))
        finally:
            atexit.unregister(hook)
            self._clean_up()

    def _pause(self, failure: BaseException) -> float | None:
        """Return the delay in seconds before the job restarts after a failure; ``None`` if it does not."""
        try:
            return self._backoff(time.monotonic())
        except Exception as error:  # noqa: BLE001 - a restart strategy may be the program's own
            failure.add_note(f"the restart strategy failed too: {summarize(error)}")
            return None

    def _cancellation(self) -> JobCancelledError:
        return JobCancelledError(f"job {self.request.name!r} was cancelled")

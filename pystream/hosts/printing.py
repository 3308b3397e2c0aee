"""Printer: prints the elements of printing sinks while the job runs."""

from __future__ import annotations

import pickle
import threading

from tqdm import tqdm

from pystream.engine.worker import standard_output
from pystream.hosts.results import Results
from pystream.plan.nodes import SinkNode

__all__ = ["Printer"]


class Printer:
    """Print the elements of printing sinks in a thread, one sink after another.

    Args:
        results: the results of the job.
        sinks: edge, node and number of channels of each printing sink.

    Attributes:
        error: the failure of standard output, once joined.
    """

    def __init__(self, results: Results, sinks: list[tuple[int, SinkNode, int]]) -> None:
        self.error: OSError | ValueError | None = None
        self._results = results
        self._sinks = sinks
        self._thread = threading.Thread(target=self._print, name="pystream-printer", daemon=True)

    def start(self) -> None:
        """Start the thread, if there are printing sinks."""
        if self._sinks:
            self._thread.start()

    def join(self) -> None:
        """Wait until everything is printed, if the thread was started; the results must have ended."""
        if self._thread.ident is not None:
            self._thread.join()

    def _print(self) -> None:
        try:
            for number, _, channels in self._sinks:
                for lines in self._results.read(number, channels, pickle.loads):
                    with tqdm.external_write_mode():  # the progress bar is redrawn below them
                        standard_output.write("".join(f"{line}\n" for line in lines))
        except (OSError, ValueError) as error:
            self.error = error

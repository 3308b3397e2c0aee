"""The progress of an unbounded job, as a person sees it on a terminal, in a file, or not at all."""

from __future__ import annotations

import fcntl
import io
import os
import re
import struct
import sys
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from rich.console import Console

from pystream.engine.connectors.interfaces import Backlog
from pystream.engine.events import MAX_WATERMARK
from pystream.engine.time.clock import ManualClock
from pystream.errors import JobCancelledError
from pystream.hosts.unbounded.job_metrics import JobMetrics
from pystream.hosts.unbounded.metrics_table import metrics_table
from pystream.hosts.unbounded.plain_view import PlainView
from pystream.hosts.unbounded.progress_view import progress_view
from pystream.hosts.unbounded.reports import EpochReport, SubtaskReport
from pystream.hosts.unbounded.screen import Screen
from pystream.settings.modes import ProgressMode

START = 1_700_000_000_000
HOUR = 3_600_000
SOURCE = "FileSource: lines -> FlatMap -> TimestampsAndWatermarks"


def word_count(stages: int = 3) -> JobMetrics:
    clock = ManualClock(START)
    metrics = JobMetrics("word count", "ab12", clock)
    now = START + 2 * HOUR
    reports = [
        SubtaskReport(0, SOURCE, 0, 10_000, 20_000, now - 5_000),
        SubtaskReport(1, "KeyBy -> Window", 0, 20_000, 50, now - 6_000, False, None, 9, 4_560_000, 3_100_000),
        SubtaskReport(2, "FileSink [red]", 0, 50, 0, MAX_WATERMARK),
        *(SubtaskReport(chain, f"Map {chain}", 0) for chain in range(3, stages)),
    ]
    metrics.end_epoch(
        EpochReport(
            41,
            now - 1_000,
            1_000,
            tuple(reports[:stages]),
            120,
            {0: Backlog(8_000_000, "bytes")},
            2,
        )
    )
    clock.set(now)
    return metrics


def drawn(metrics: JobMetrics, width: int, height: int = 24, **messages: str) -> list[str]:
    console = Console(width=width, file=io.StringIO(), record=True)
    console.print(metrics_table(metrics.snapshot(), "running", (width, height), **messages))
    return [line.rstrip() for line in console.export_text().splitlines()]


def test_the_table_on_a_wide_terminal() -> None:
    lines = drawn(word_count(), 140, page="http://localhost:4040", notice="stopping")
    assert lines[:5] == [
        "",
        "word count  running 2 h · 2 restarts",
        "epoch 41 took 1.0 s · checkpoint took 0.12 s, 3.1 MB, 0.00 s ago",
        "http://localhost:4040",
        "stopping",
    ]
    cells = [re.split(r"  +", line) for line in lines[5:]]
    assert cells[0] == ["stage", "in", "in/s", "out", "out/s", "backlog", "watermark", "lag", "state"]
    assert cells[1][1:6] == ["10k", "1,000", "20k", "2,000", "8 MB"]
    assert cells[1][7] == "5.0 s"
    assert cells[2][0] == "KeyBy -> Window"
    assert cells[2][6:] == ["6.0 s", "4.56 MB"]
    assert cells[3] == ["FileSink [red]", "50", "5.0", "0", "0", "end", "-"]


@pytest.mark.parametrize("width", [140, 100, 80, 60, 40, 20])
def test_the_table_fits_any_width(width: int) -> None:
    lines = drawn(word_count(), width)
    assert max(map(len, lines)) <= width
    assert len(lines) == 7
    assert " in/s" in lines[3]
    assert re.search(r" 1,000\b", lines[4])


def test_on_narrow_terminals_totals_are_left_out_before_rates_and_lag() -> None:
    titles = drawn(word_count(), 79)[3].split()
    assert titles == ["stage", "in/s", "out/s", "backlog", "lag", "state"]


def test_columns_without_values_are_left_out() -> None:
    metrics = JobMetrics("job", "ab12", ManualClock(START))
    metrics.end_epoch(EpochReport(0, START, 1, (SubtaskReport(0, "Map", 0, 1, 1),)))
    assert drawn(metrics, 140)[3].split() == ["stage", "in", "in/s", "out", "out/s"]


def test_the_table_fits_any_height() -> None:
    lines = drawn(word_count(stages=30), 100, 24, page="http://localhost:4040", notice="stopping")
    assert len(lines) < 24
    assert lines[-1] == "and 14 more stages"


def test_a_long_epoch_is_shown_while_it_runs() -> None:
    clock = ManualClock(START)
    metrics = JobMetrics("job", "ab12", clock)
    metrics.begin_epoch(7)
    clock.set(START + 1_000)
    assert drawn(metrics, 100) == ["", "job  running 1.0 s"]
    clock.set(START + 61_000)
    assert drawn(metrics, 100)[2] == "epoch 7 running for 1 min 1 s"


class Terminal:
    """What is on a terminal of unlimited height, from what was written to it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines = [""]
        self._row = self._column = 0
        self._received = ""
        self._thread = threading.Thread(target=self._receive)
        self._thread.start()

    def lines(self) -> list[str]:
        """Return its lines, once the other end is closed."""
        for control, move, style, character in re.findall(
            r"(\x1b\[[JK])|\x1b\[(\d+)A|(\x1b\[[\d;]*m)|([^\x1b])", self._received
        ):
            line = self._lines[self._row]
            if control:
                self._lines[self._row] = line[: self._column]
                if control.endswith("J"):
                    del self._lines[self._row + 1 :]
            elif move:
                self._row -= int(move)
                assert self._row >= 0
            elif character == "\n":
                self._row += 1
                self._lines += [""] * (self._row - len(self._lines) + 1)
            elif character == "\r":
                self._column = 0
            elif not style:
                self._lines[self._row] = line[: self._column].ljust(self._column) + character
                self._lines[self._row] += line[self._column + 1 :]
                self._column += 1
        return [line.rstrip() for line in self._lines]

    def join(self) -> None:
        """Wait until the other end is closed."""
        self._thread.join()

    def _receive(self) -> None:
        received = b""
        try:
            while more := os.read(self._descriptor, 4096):
                received += more
        except OSError:  # Linux reports the closed other end so
            pass
        self._received = received.decode()


@contextmanager
def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    """Make standard output and standard error a terminal."""
    screen_end, program_end = os.openpty()
    fcntl.ioctl(program_end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    terminal = Terminal(screen_end)
    try:
        with open(program_end, "w", encoding="utf-8") as stream, monkeypatch.context() as patch:
            patch.setenv("TERM", "xterm-256color")
            patch.setattr(sys, "stdout", stream)
            patch.setattr(sys, "stderr", stream)
            yield terminal
    finally:
        terminal.join()
        os.close(screen_end)


@contextmanager
def file_for_stderr(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    stream = io.StringIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        yield stream


def test_output_of_the_program_is_above_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal(monkeypatch) as terminal:
        stream = sys.stdout
        with progress_view(word_count(), ProgressMode.AUTO) as view:
            view.link("http://localhost:4040")
            view.announce("stopping")
            for number in range(30):
                print("line", number)
                print("error", number, file=sys.stderr)
                sys.stdout.writelines(["a", "b\n"])
            print("prompt", end="", flush=True)
        assert sys.stdout is sys.stderr is stream
        print("after")
    lines = terminal.lines()
    expected = [text for n in range(30) for text in (f"line {n}", f"error {n}", "ab")]
    assert lines[:91] == [*expected, "prompt"]
    assert lines[91:95] == [
        "",
        "word count  finished after 2 h · 2 restarts",
        "epoch 41 took 1.0 s · checkpoint took 0.12 s, 3.1 MB, 0.00 s ago",
        "http://localhost:4040",
    ]
    assert lines[95].startswith("stage ")
    assert lines[-2:] == ["after", ""]
    assert len(lines) == 101


def test_bars_of_the_program_do_not_tear_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal(monkeypatch) as terminal, progress_view(word_count(), ProgressMode.AUTO):
        for percent in range(10):
            sys.stderr.write(f"\r{percent}%")
            sys.stderr.flush()
        sys.stderr.write("\n")
    assert terminal.lines()[:3] == ["9%", "", "word count  finished after 2 h · 2 restarts"]


def test_output_that_cannot_be_encoded_does_not_remove_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    view = progress_view(word_count(), ProgressMode.AUTO)
    with on_terminal(monkeypatch) as terminal, view, pytest.raises(UnicodeEncodeError):
        print("\ud800")
    assert terminal.lines()[1].startswith("word count  finished")


@pytest.mark.parametrize(
    ("error", "status"),
    [(ValueError(), "failed after"), (JobCancelledError("cancelled"), "cancelled after")],
    ids=["failed", "cancelled"],
)
def test_the_view_ends_with_the_status_of_the_job(
    monkeypatch: pytest.MonkeyPatch, error: Exception, status: str
) -> None:
    view = progress_view(word_count(), ProgressMode.AUTO)
    with on_terminal(monkeypatch) as terminal, suppress(type(error)), view:
        raise error
    assert terminal.lines()[1].startswith(f"word count  {status} 2 h")


def test_the_job_continues_when_the_terminal_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    screen_end, program_end = os.openpty()
    stream = open(program_end, "w", encoding="utf-8")  # noqa: SIM115 - closing it fails
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        with progress_view(word_count(), ProgressMode.ON):
            os.close(screen_end)
        assert sys.stderr is stream
    with pytest.raises(OSError, match="Input/output error"):
        stream.close()


def test_the_second_job_at_a_time_prints_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal(monkeypatch) as terminal:
        with progress_view(word_count(), ProgressMode.AUTO), progress_view(word_count(), ProgressMode.AUTO):
            pass
        with progress_view(word_count(), ProgressMode.AUTO):
            pass
    lines = terminal.lines()
    assert lines[0].startswith("word count: finished after 2 h, 2 restarts, epoch 41")
    assert [line for line in lines if line.startswith("word count  finished after 2 h")] == 2 * [
        "word count  finished after 2 h · 2 restarts"
    ]


def test_a_terminal_that_cannot_be_drawn_on_has_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal(monkeypatch) as terminal:
        monkeypatch.setenv("TERM", "dumb")
        with progress_view(word_count(), ProgressMode.AUTO):
            pass
    assert terminal.lines()[0].startswith("word count: finished after")


@pytest.mark.parametrize("mode", [ProgressMode.AUTO, ProgressMode.OFF])
def test_nothing_is_shown_without_a_terminal(monkeypatch: pytest.MonkeyPatch, mode: ProgressMode) -> None:
    with file_for_stderr(monkeypatch) as stream, progress_view(word_count(), mode) as view:
        view.link("http://localhost:4040")
        view.announce("stopping")
    assert stream.getvalue() == ""


def test_nothing_is_shown_on_a_terminal_if_it_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal(monkeypatch) as terminal, progress_view(word_count(), ProgressMode.OFF):
        pass
    assert terminal.lines() == [""]


def test_without_a_terminal_there_are_lines_if_it_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with file_for_stderr(monkeypatch) as stream, progress_view(word_count(), ProgressMode.ON) as view:
        view.announce("stopping")
    assert stream.getvalue() == (
        "word count: stopping\n"
        "word count: finished after 2 h, 2 restarts, epoch 41 took 1.0 s, checkpoint took 0.12 s, 3.1 MB, "
        f"0.00 s ago; {SOURCE}: 10k in (1,000/s), 20k out (2,000/s); KeyBy -> Window: 20k in (2,000/s), "
        "50 out (5.0/s); FileSink [red]: 50 in (5.0/s), 0 out (0/s)\n"
    )


def test_lines_are_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    with file_for_stderr(monkeypatch) as stream:
        view = PlainView(word_count(), interval=0.01)
        while stream.getvalue().count("word count: running 2 h") < 3:
            time.sleep(0.01)
        view.close("finished after")


def test_a_forked_process_writes_without_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal(monkeypatch) as terminal:
        screen = Screen(sys.stderr)
        screen.draw([("view", 4)])
        child = os.fork()
        if child == 0:
            print("child", flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        screen.close()
    assert terminal.lines() == ["view", "child", ""]


def test_redrawing_counts_the_rows_of_wrapped_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    with on_terminal(monkeypatch) as terminal:
        screen = Screen(sys.stderr)
        fcntl.ioctl(sys.stderr.fileno(), termios.TIOCSWINSZ, struct.pack("HHHH", 24, 3, 0, 0))
        print("1")
        sys.stdout.write("2\n3\n")
        screen._lines = [("12345", 5), ("", 0)]  # drawn when the terminal was wider, now in three rows
        screen.draw([("new", 3)])
        screen.close()
    assert terminal.lines() == ["new", ""]

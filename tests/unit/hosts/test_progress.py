"""Progress of jobs on a terminal."""

from __future__ import annotations

import os
import re
import sys

import pytest

from pystream.engine.task.progress import Progress, ProgressReporter
from pystream.hosts.progress import job_display
from pystream.settings.modes import ProgressMode


def shown(total: int, *progress: Progress) -> None:
    with job_display("job", total, ProgressMode.ON) as display:
        assert display is not None
        for one in progress:
            reporter = ProgressReporter(display.address)
            reporter.add(one)
            reporter.close()


def last_line(text: str) -> str:
    return text.rstrip().rpartition("\r")[2]


def test_a_counter_is_shown_without_a_total(capsys: pytest.CaptureFixture[str]) -> None:
    shown(0, Progress(read=5), Progress(read=1_995, received=7))
    output = capsys.readouterr()
    assert output.out == ""
    assert re.fullmatch(r"job: \[00:0\d, 2.00k read, 7 received\]", last_line(output.err))


def test_a_bar_is_shown_with_a_total(capsys: pytest.CaptureFixture[str]) -> None:
    shown(40, Progress(measured=10, read=2))
    line = last_line(capsys.readouterr().err)
    assert line.startswith("job:  25%|█████ ")
    assert line.endswith(", 2 read]")


def test_the_bar_never_exceeds_100_percent(capsys: pytest.CaptureFixture[str]) -> None:
    shown(40, Progress(measured=50, read=2))
    assert last_line(capsys.readouterr().err).startswith("job: 100%|")


@pytest.mark.parametrize("mode", [ProgressMode.AUTO, ProgressMode.OFF])
def test_nothing_is_shown_without_a_terminal(capsys: pytest.CaptureFixture[str], mode: ProgressMode) -> None:
    with job_display("job", 40, mode) as display:
        assert display is None
    assert capsys.readouterr() == ("", "")


def test_progress_is_shown_on_a_terminal_of_unknown_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    screen_end, program_end = os.openpty()  # its size is 0 by 0
    with open(program_end, "w") as stderr, open(screen_end, "rb", buffering=0) as screen:
        monkeypatch.setattr(sys, "stderr", stderr)
        with job_display("job", 0, ProgressMode.AUTO):
            pass
        monkeypatch.undo()
        assert b"job: [00:0" in screen.read(4096)

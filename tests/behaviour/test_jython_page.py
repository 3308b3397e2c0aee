"""The programs of ``docs/jython.md``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from runpy import run_path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "jython.md").read_text("utf-8")


def block(fence: str, first: str) -> str:
    """Return the block of the page in a language that starts with a text."""
    (found,) = re.findall(rf"^```{fence}\n({re.escape(first)}.*?)^```", PAGE, re.M | re.S)
    return str(found)


def pystream(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pystream", *arguments],
        capture_output=True,
        text=True,
        cwd=directory,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )


def test_the_word_count(tmp_path: Path) -> None:
    (tmp_path / "word_count.py").write_text(block("py", "# word_count.py\n"))
    command = block("sh", "pystream run --local word_count.py").splitlines()[0].partition("#")[0]
    done = pystream(tmp_path, *command.split()[1:])
    assert done.stderr == ""
    counts: Counter[str] = Counter()
    for line in done.stdout.splitlines():
        count, word = eval(line)
        counts[word] += count
    assert counts == {"hello": 1000, "world": 1000}


def test_the_line_about_python_2(tmp_path: Path) -> None:
    (tmp_path / "word_count.py").write_text("\n" * 11 + "print 'Hello'\n")
    done = pystream(tmp_path, "run", "word_count.py")
    assert done.stderr == block("text", "pystream: ")


def test_the_typed_program_prints_what_the_page_says(
    host: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "typed.py"
    script.write_text(block("python", "from pystream.jython import"))
    run_path(str(script), run_name="__main__")
    said = re.search(r"^It prints (.*)\.$", PAGE, re.M)
    assert said is not None
    assert capsys.readouterr().out.splitlines()[1:] == re.findall(r"`(.*?)`", said.group(1))

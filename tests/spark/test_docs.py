"""The examples of README and docs are run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def examples() -> list[tuple[str, str]]:
    """Each Python block of the pages, with page and line."""
    found = []
    for page in PAGES:
        text = page.read_text("utf-8")
        for match in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S):
            line = text.count("\n", 0, match.start()) + 2
            found.append((f"{page.name}:{line}", match.group(1)))
    return found


@pytest.mark.parametrize(("place", "code"), examples(), ids=lambda value: value if ":" in value[:40] else "")
def test_an_example_runs_and_prints_what_its_comments_say(place: str, code: str, tmp_path: Path) -> None:
    script = tmp_path / "example.py"
    script.write_text(code, "utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{place}:\n{done.stderr}"
    for promised in re.findall(r"print\(.*\)  # (.*)$", code, re.M):
        for part in promised.split("…"):
            assert part.strip() in done.stdout, f"{place} printed {done.stdout!r}"

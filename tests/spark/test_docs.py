"""The examples of README and docs are run, as scripts, but with the session of the tests."""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path

import pytest
from pyspark.sql import SparkSession

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
def test_an_example_runs_and_prints_what_its_comments_say(
    spark: SparkSession, place: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "example.py"
    script.write_text(code, "utf-8")
    run_path(str(script), run_name="__main__")
    printed = capsys.readouterr().out
    lines = iter(printed.splitlines())
    for promised in re.findall(r"print\(.*\)  # (.*)$", code, re.M):
        pattern = ".*".join(re.escape(part.strip()) for part in promised.split("…"))
        # Lines that were looked at are gone: what is promised must come in this order.
        assert any(re.fullmatch(pattern, line.strip()) for line in lines), f"{place} printed {printed!r}"


def test_the_plan_in_the_readme_is_that_of_its_first_program(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "flink-conf.yaml").write_text("parallelism.default: 2")
    monkeypatch.setenv("FLINK_CONF_DIR", str(tmp_path))
    (_, code), *_ = examples()
    script = tmp_path / "words.py"
    script.write_text(code, "utf-8")
    stream = run_path(str(script), run_name="__main__")["long_words"]
    explained = stream.explain()
    shown = re.search(
        r"^```text\n(== physical plan for Spark ==.*?)^```", PAGES[0].read_text("utf-8"), re.M | re.S
    )
    assert shown is not None
    assert explained == shown.group(1).rstrip("\n")

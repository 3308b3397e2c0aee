"""The examples of README and docs run on both hosts and print the documented lines."""

from __future__ import annotations

import re
from contextlib import chdir
from pathlib import Path
from runpy import run_path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


NEEDS_SPARK = re.compile(r"data_frame|pyspark|\bspark\.|\"native\"|why_not_faster|sql_query\(")
"""Matches data frames, settings of Spark, operators that are lifted to its expressions, and queries."""
CREATES_AN_ENVIRONMENT = re.compile(
    r"get_execution_environment|StreamExecutionEnvironment\(|get_environment\("
)


RUN_BY_ITS_PAGE = re.compile(r"# \w+\.py\n")
"""Matches programs with a file name in their first line, which the test of the tour on their page runs."""


def examples(page: Path) -> list[tuple[str, str]]:
    """Return the Python blocks of a page that run by themselves, each with its page and line."""
    text = page.read_text("utf-8")
    return [
        (f"{page.name}:{text.count(chr(10), 0, match.start()) + 2}", match.group(1))
        for match in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S)
        if not RUN_BY_ITS_PAGE.match(match.group(1))
    ]


EXAMPLES = [example for page in PAGES for example in examples(page)]
ON_ANY_HOST = [one for one in EXAMPLES if not NEEDS_SPARK.search(one[1])]


def parametrize(chosen: list[tuple[str, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("place", "code"), [pytest.param(*one, id=one[0]) for one in chosen])


def run(place: str, code: str, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Run an example and check that it prints the lines in its comments, in order."""
    script = directory / "example.py"
    script.write_text(code, "utf-8")
    with chdir(directory):
        run_path(str(script), run_name="__main__")
    printed = capsys.readouterr().out
    lines = iter(printed.splitlines())
    for expected in re.findall(r"(?:print\(.*\)|\.output\(\))  # (.*)$", code, re.M):
        pattern = ".*".join(re.escape(part.strip()) for part in expected.split("…"))
        # ``any`` consumes lines, so expected lines must appear in order.
        assert any(re.fullmatch(pattern, line.strip()) for line in lines), f"{place} printed {printed!r}"


@parametrize([one for one in ON_ANY_HOST if CREATES_AN_ENVIRONMENT.search(one[1])])
def test_an_example_runs(
    host: str, place: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(place, code, tmp_path, capsys)


@parametrize([one for one in ON_ANY_HOST if not CREATES_AN_ENVIRONMENT.search(one[1])])
def test_an_example_without_jobs_runs(
    place: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(place, code, tmp_path, capsys)


@pytest.mark.spark_only("data frames, settings of Spark, lifted functions or queries")
@parametrize([one for one in EXAMPLES if NEEDS_SPARK.search(one[1])])
def test_an_example_for_spark_runs(
    host: str, place: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(place, code, tmp_path, capsys)


@pytest.mark.usefixtures("spark")
def test_the_plan_in_the_readme_is_that_of_its_first_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "flink-conf.yaml").write_text("parallelism.default: 2")
    monkeypatch.setenv("FLINK_CONF_DIR", str(tmp_path))
    (_, code), *_ = EXAMPLES
    script = tmp_path / "words.py"
    script.write_text(code, "utf-8")
    stream = run_path(str(script), run_name="__main__")["long_words"]
    explained = stream.explain()
    shown = re.search(
        r"^```text\n(== physical plan for Spark ==.*?)^```", PAGES[0].read_text("utf-8"), re.M | re.S
    )
    assert shown is not None
    assert explained == shown.group(1).rstrip("\n")

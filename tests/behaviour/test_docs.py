"""The examples of README and docs run on both hosts, on Spark with the session of the tests."""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


NEEDS_SPARK = re.compile(r"data_frame|pyspark|\bspark\.|\"native\"|why_not_faster")
"""Data frames, settings of Spark, and operators that were lifted to its expressions."""
HAS_A_HOST = re.compile(r"get_execution_environment|StreamExecutionEnvironment\(")


def examples(page: Path) -> list[tuple[str, str]]:
    """Return each Python block of a page, with page and line."""
    text = page.read_text("utf-8")
    return [
        (f"{page.name}:{text.count(chr(10), 0, match.start()) + 2}", match.group(1))
        for match in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S)
    ]


EXAMPLES = [example for page in PAGES for example in examples(page)]
ANYWHERE = [one for one in EXAMPLES if not NEEDS_SPARK.search(one[1])]


def parametrize(chosen: list[tuple[str, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("place", "code"), [pytest.param(*one, id=one[0]) for one in chosen])


def run(place: str, code: str, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Run an example and check that it prints what its comments say."""
    script = directory / "example.py"
    script.write_text(code, "utf-8")
    run_path(str(script), run_name="__main__")
    printed = capsys.readouterr().out
    lines = iter(printed.splitlines())
    for promised in re.findall(r"print\(.*\)  # (.*)$", code, re.M):
        pattern = ".*".join(re.escape(part.strip()) for part in promised.split("…"))
        # Lines that were looked at are gone: what is promised must come in this order.
        assert any(re.fullmatch(pattern, line.strip()) for line in lines), f"{place} printed {printed!r}"


@parametrize([one for one in ANYWHERE if HAS_A_HOST.search(one[1])])
def test_an_example_runs(
    host: str, place: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(place, code, tmp_path, capsys)


@parametrize([one for one in ANYWHERE if not HAS_A_HOST.search(one[1])])
def test_an_example_without_a_host_runs(
    place: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(place, code, tmp_path, capsys)


@pytest.mark.spark_only("data frames, settings of Spark or lifted functions")
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

"""The programs of Flink's guide to the DataSet API, run unchanged, with their imports of ``flink``.

``{OUT}`` in a program is replaced by its own directory.
"""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import pystream.compat
from pystream.dataset.import_names import IMPORT_NAMES
from pystream.errors import SinkError

PROGRAMS = Path(__file__).parents[1] / "examples" / "dataset"
ROOT = Path(__file__).parents[2]

PLAN = """\
import sys
from flink.plan.Environment import get_environment
from words import shout

env = get_environment()
env.from_elements("hello").map(lambda word: shout(word)).output()
env.execute()
print(sys.argv[1:])
"""


@pytest.fixture
def flink_names() -> Iterator[None]:
    """Let ``import flink`` import the DataSet API during a test."""
    before = dict(sys.modules), list(sys.meta_path)
    pystream.compat.install(IMPORT_NAMES)
    yield
    sys.meta_path[:] = before[1]
    for name in set(sys.modules) - set(before[0]):
        if name.partition(".")[0] in ("pyflink", "flink"):
            del sys.modules[name]


@pytest.fixture
def run(
    host: str,
    flink_names: None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> Callable[[str], list[str]]:
    """Run a program of the examples directory in this process, and return the lines that it prints."""

    def run(name: str) -> list[str]:
        script = tmp_path / f"{name}.py"
        script.write_text((PROGRAMS / f"{name}.py").read_text().replace("{OUT}", str(tmp_path)))
        runpy.run_path(str(script), run_name="__main__")
        return capsys.readouterr().out.splitlines()

    return run


def lines_in(directory: Path) -> list[str]:
    files = [path for path in sorted(directory.iterdir()) if path.name.startswith("part-")]
    return sorted(line for path in files for line in path.read_text().splitlines())


Run = Callable[[str], list[str]]


@pytest.mark.promise("ex:B01", "beh:dataset.lambda-collector-arg", "beh:dataset.collector-or-iterable")
def test_word_count(run: Run) -> None:
    counts = {"who's": 2, "there?": 2, "i": 2, "think": 1, "hear": 1, "them.": 1, "stand,": 1, "ho!": 1}
    assert sorted(run("word_count")) == sorted(str((count, word)) for word, count in counts.items())


@pytest.mark.promise("flink.plan.Environment.get_environment", "ex:B02", "ex:B03", "beh:dataset.file-uris")
def test_read_text(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("a b\nc\n")
    assert sorted(run("read_text")) == ["a b", "c"]


@pytest.mark.promise("ex:B04", "ex:B06")
def test_map(run: Run) -> None:
    assert sorted(run("map")) == ["2", "4", "6"]


@pytest.mark.promise(
    "ex:B05",
    "ex:B27",
    "beh:dataset.write-text-tuple-format",
    "beh:dataset.no-overwrite-default",
    "beh:dataset.multi-consumer",
)
def test_sinks(run: Run, tmp_path: Path) -> None:
    assert sorted(run("sinks")) == ["(1, 'a')", "(2, 'b')"]
    assert lines_in(tmp_path / "t") == ["(1, 'a')", "(2, 'b')"]
    assert lines_in(tmp_path / "c") == ["1|a", "2|b"]
    with pytest.raises(SinkError, match=r"/t exists: remove it, or pass WriteMode.OVERWRITE"):
        run("sinks")
    assert lines_in(tmp_path / "c") == ["1|a", "2|b"]


@pytest.mark.promise("ex:B07", "beh:dataset.lambda-returns-iterable")
def test_flat_map_of_lists(run: Run) -> None:
    assert sorted(run("flat_map_of_lists")) == ["(1, 'a')", "(1, 'b')", "(1, 'c')"]


@pytest.mark.promise("ex:B08")
def test_map_partition(run: Run) -> None:
    assert sorted(run("map_partition")) == ["2", "4", "6", "8"]


@pytest.mark.promise("ex:B09")
def test_filter(run: Run) -> None:
    assert run("filter") == ["1001"]


@pytest.mark.promise("ex:B10")
def test_reduce(run: Run) -> None:
    assert run("reduce") == ["10"]


@pytest.mark.promise("ex:B11", "ex:B18")
def test_reduce_group(run: Run) -> None:
    lines = run("reduce_group")
    ungrouped = [line for line in lines if line in ("(6, 'a')", "(6, 'b')")]
    assert len(ungrouped) == 1
    lines.remove(*ungrouped)
    assert sorted(lines) == ["(2, 'b')", "(4, 'a')"]


@pytest.mark.promise("ex:B12", "beh:dataset.aggregate-replaces-fields")
def test_aggregate(run: Run) -> None:
    assert run("aggregate") == ["(7, 9)", "(7, 9)"]


@pytest.mark.promise("ex:B13", "beh:dataset.join-default-pairs")
def test_join(run: Run) -> None:
    pairs = ["((1, 'a'), ('x', 1))", "((2, 'b'), ('y', 2))", "((2, 'c'), ('y', 2))"]
    assert sorted(run("join")) == pairs


@pytest.mark.promise("ex:B14")
def test_co_group(run: Run) -> None:
    assert sorted(run("co_group")) == ["(0, 1)", "(1, 0)", "(2, 1)"]


@pytest.mark.promise("ex:B15", "beh:dataset.cross-default-pairs")
def test_cross(run: Run) -> None:
    assert sorted(run("cross")) == ["(1, 'a')", "(1, 'b')", "(2, 'a')", "(2, 'b')"]


@pytest.mark.promise("ex:B16")
def test_union(run: Run) -> None:
    assert sorted(run("union")) == ["1", "2", "2", "3"]


@pytest.mark.promise("ex:B17")
def test_zip_with_index(run: Run) -> None:
    assert run("zip_with_index") == ["(0, 'a')", "(1, 'b')", "(2, 'c')"]


@pytest.mark.promise("ex:B19")
def test_group_by_field(run: Run) -> None:
    assert sorted(run("group_by_field")) == ["('k1', 3)", "('k2', 4)"]


@pytest.mark.promise("ex:B20", "beh:dataset.composite-key")
def test_group_by_two_fields(run: Run) -> None:
    assert sorted(run("group_by_two_fields")) == ["(1, 'x', 15)", "(1, 'y', 1)"]


@pytest.mark.promise("ex:B21", "ex:B22")
def test_filter_functions(run: Run) -> None:
    assert sorted(run("filter_functions")) == ["6", "6", "7", "7"]


@pytest.mark.promise("ex:B23", "beh:dataset.custom-serializer-interface")
def test_custom_type(run: Run) -> None:
    assert sorted(run("custom_type")) == ["10", "8"]


@pytest.mark.promise("ex:B24")
def test_tuples(run: Run) -> None:
    assert sorted(run("tuples")) == ["1", "2"]


@pytest.mark.promise("ex:B25")
def test_grouped_reduce(run: Run) -> None:
    assert sorted(run("grouped_reduce")) == ["('hello', 4)", "('world', 2)"]


@pytest.mark.promise("ex:B26", "beh:dataset.read-csv-types")
def test_sources(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("1,foo,2.5\n")
    lines = run("sources")
    assert lines[0] == "(1, 'foo', 2.5)"
    assert sorted(lines[1:5]) == ["Foo", "bar", "foobar", "fubar"]
    assert sorted(lines[5:], key=int) == [str(n) for n in range(1, 11)]


@pytest.mark.promise("ex:B28", "beh:dataset.broadcast-names-match")
def test_broadcast_variable(run: Run) -> None:
    assert sorted(run("broadcast_variable")) == ["a", "b"]


@pytest.mark.promise("ex:B29")
def test_word_count_in_parallel(run: Run) -> None:
    assert sorted(run("word_count_in_parallel")) == ["(1, 'not')", "(1, 'or')", "(2, 'be')", "(2, 'to')"]


def test_the_page_shows_what_its_program_prints(
    host: str, flink_names: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (PROGRAMS.parents[2] / "docs" / "dataset.md").read_text("utf-8")
    (program,), (shown,) = (
        re.findall(rf"^```{kind}\n(.*?)^```", text, re.M | re.S) for kind in ("py", "text")
    )
    script = tmp_path / "word_count.py"
    script.write_text(program)
    runpy.run_path(str(script), run_name="__main__")
    assert sorted(capsys.readouterr().out.splitlines()) == sorted(shown.splitlines())


def test_every_program_has_a_test() -> None:
    text = Path(__file__).read_text()
    assert [path.stem for path in sorted(PROGRAMS.glob("*.py")) if f'"{path.stem}"' not in text] == []


@pytest.mark.promise(
    "ex:B30", "cli:pyflink.sh", "beh:dataset.packages-distributed", "beh:dataset.script-args"
)
@pytest.mark.parametrize("command", ["pyflink.sh", "pystream"])
def test_programs_run_from_the_command_line(tmp_path: Path, command: str) -> None:
    (tmp_path / "plan.py").write_text(PLAN)
    (tmp_path / "my_pkg").mkdir()
    (tmp_path / "my_pkg" / "words.py").write_text("def shout(word):\n    return word.upper()\n")
    (tmp_path / "flink-conf.yaml").write_text("pystream.runner: local\n")
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    module, function = scripts[command].split(":")
    main = f"import sys; from {module} import {function}; sys.exit({function}())"
    verb = ["run"] if command == "pystream" else []
    done = subprocess.run(
        [sys.executable, "-c", main, *verb, "plan.py", "./my_pkg", "-", "p1"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "FLINK_CONF_DIR": str(tmp_path)},
        timeout=120,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("HELLO\n['p1']\n", "", 0)

"""Programs of the Jython guide, run unchanged, with their imports of ``org.apache.flink``.

``{OUT}`` in a program is replaced by its own directory.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pystream.script import Program, run_program

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "tests" / "examples" / "jython"

Run = Callable[[str], list[str]]


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Restore what a program in the temporary directory changes in its process."""
    monkeypatch.setattr(sys, "argv", [*sys.argv])
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if name.partition(".")[0] == "org" or file.startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def run(host: str, process: None, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a program of the examples directory in this process, and return the lines that it prints."""

    def run(name: str) -> list[str]:
        code = run_program(Program(str(_written(name, tmp_path)), is_module=False), {})
        printed = capfd.readouterr()
        assert code == 0, printed.err
        return printed.out.splitlines()

    return run


def _written(name: str, out: Path) -> Path:
    (out / "in.txt").write_text("a b\nc\n")
    script = out / f"{name}.py"
    script.write_text((PROGRAMS / f"{name}.py").read_text().replace("{OUT}", str(out)))
    return script


def written_to(target: Path) -> list[str]:
    return sorted(line for file in target.iterdir() for line in file.read_text().splitlines())


def sums(lines: list[str]) -> dict[str, int]:
    totals: Counter[str] = Counter()
    for line in lines:
        count, word = eval(line)
        totals[word] += count
    return totals


@pytest.mark.promise("ex:J01", "jython.main", "beh:jython.main-required", "beh:jython.python27")
def test_word_count(run: Run) -> None:
    assert sums(run("word_count")) == {"hello": 1000, "world": 1000}


@pytest.mark.promise("ex:J23")
def test_word_count_in_parallel(run: Run) -> None:
    assert sums(run("word_count_in_parallel")) == {"to": 2, "be": 2, "or": 1, "not": 1}


@pytest.mark.promise("ex:J05")
def test_write_and_print(run: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert sorted(run("write_and_print")) == ["1", "2", "3"]
    assert written_to(tmp_path / "out1") == written_to(tmp_path / "out2") == ["1", "2", "3"]
    again = Program(str(tmp_path / "write_and_print.py"), is_module=False)
    assert run_program(again, {}) == 1
    said = capfd.readouterr().err
    assert said.startswith(f"pystream: output path {tmp_path}/out1 exists: ")
    assert said.count("\n") == 1


@pytest.mark.promise("ex:J22")
def test_write_tuples(run: Run, tmp_path: Path) -> None:
    assert run("write_tuples") == []
    assert written_to(tmp_path / "out3") == ["(1, 2, 3)"]


@pytest.mark.promise(
    "ex:J02",
    "ex:J03",
    "ex:J04",
    "ex:J06",
    "ex:J07",
    "ex:J13",
    "ex:J14",
    "ex:J15",
    "ex:J16",
    "ex:J17",
    "ex:J18",
    "ex:J19",
    "ex:J20",
    "ex:J21",
)
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("environment", []),
        ("read_text_file", ["a b", "c"]),
        ("map_doubler", ["2", "4", "6"]),
        ("flat_map_tokenizer", ["(1, 'a')", "(1, 'b')"]),
        ("filter_numbers", ["1001", "5000"]),
        ("union", ["1", "1", "2", "3"]),
        ("split_and_select", [*("all 1", "all 2", "all 3", "all 4"), "even 2", "even 4", "odd 1", "odd 3"]),
        ("iterate", ["-1", "-6", "0", "0"]),
        ("filter_class", ["6", "7"]),
        ("rich_function", ["('opened', 1)", "('opened', 2)"]),
        ("user_class", ["Ann 30", "Bob 41"]),
        ("from_elements", ["1", "2"]),
        ("sources", sorted(["a b", "c", "Foo", "bar", "foobar", "fubar", *map(str, range(1, 11))])),
    ],
)
def test_printed_lines(run: Run, name: str, lines: list[str]) -> None:
    assert sorted(run(name)) == lines


@pytest.mark.promise("ex:J08", "ex:J09", "ex:J10", "ex:J11", "ex:J12")
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("rolling_reduce", ["(1, 'x')", "(5, 'y')", "(3, 'x')"]),
        ("count_window_apply", ["('k', 15)", "('k', 55)", "('k', 105)", "('k', 155)"]),
        ("count_window_reduce", ["(3, 'k')", "(7, 'k')"]),
    ],
)
def test_lines_in_order(run: Run, name: str, lines: list[str]) -> None:
    assert run(name) == lines


def command(*arguments: str, cwd: Path) -> list[str]:
    """Run a command in a process of its own, and return the lines that it prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", ["word_count", "user_class"])
def test_pystream_run_runs_a_program_in_a_process_of_its_own(tmp_path: Path, name: str) -> None:
    lines = command("-m", "pystream", "run", "--local", str(_written(name, tmp_path)), cwd=tmp_path)
    if name == "word_count":
        assert sums(lines) == {"hello": 1000, "world": 1000}
    else:
        assert sorted(lines) == ["Ann 30", "Bob 41"]


PLAN = """\
import sys
from my_pkg.words import shout
from org.apache.flink.api.common.functions import MapFunction


class Shout(MapFunction):
    def map(self, value):
        return shout(value)


def main(factory):
    print(sys.argv[1:])
    env = factory.get_execution_environment()
    env.from_elements("hello").map(Shout()).output()
    env.execute()
"""


def with_packages(directory: Path) -> Path:
    """Write a program that imports from a package, the package, and an archive with the package."""
    script = directory / "plan.py"
    script.write_text(PLAN)
    files = {"my_pkg/__init__.py": "", "my_pkg/words.py": "def shout(word):\n    return word.upper()\n"}
    (directory / "my_pkg").mkdir()
    with zipfile.ZipFile(directory / "zipped.zip", "w") as archive:
        for name, text in files.items():
            (directory / name).write_text(text)
            archive.writestr(name, text)
    return script


@pytest.mark.promise("ex:J24")
def test_packages_and_arguments(
    host: str, process: None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script = with_packages(tmp_path)
    program = Program(str(script), is_module=False, arguments=("my_pkg", "-", "p1", "p2"))
    assert run_program(program, {}) == 0
    assert capfd.readouterr().out.splitlines() == ["['p1', 'p2']", "HELLO"]


REMOVED = """\
import os

os.remove(__file__)


class Person:
    def __init__(self, name):
        self.name = name


class Shout:
    def map(self, value):
        return Person(value.upper())


def main(factory):
    env = factory.get_execution_environment()
    people = env.from_elements("hello").map(Shout())
    people.key_by(lambda person: person.name).map(lambda person: person.name).output()
    env.execute()
"""


@pytest.mark.promise("beh:jython.udf-serialized")
def test_workers_do_not_need_the_script(
    host: str, process: None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "removed.py"
    script.write_text(REMOVED)
    assert run_program(Program(str(script), is_module=False), {}) == 0
    assert capfd.readouterr().out == "HELLO\n"


@pytest.mark.promise("ex:J24", "cli:pyflink-stream.sh")
@pytest.mark.parametrize("package", ["./my_pkg", "./zipped.zip"])
def test_the_command_of_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    with_packages(tmp_path)
    (tmp_path / "flink-conf.yaml").write_text("pystream.runner: local\n")
    monkeypatch.setenv("FLINK_CONF_DIR", str(tmp_path))
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    module, function = scripts["pyflink-stream.sh"].split(":")
    main = f"import sys; from {module} import {function}; sys.exit({function}())"
    lines = command("-c", main, "plan.py", package, "-", "p1", "p2", cwd=tmp_path)
    assert lines == ["['p1', 'p2']", "HELLO"]


def test_every_program_has_a_test() -> None:
    text = Path(__file__).read_text()
    assert [path.stem for path in sorted(PROGRAMS.glob("*.py")) if f'"{path.stem}"' not in text] == []

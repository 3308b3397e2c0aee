"""Pickling by value leaves the classes of its own process unchanged."""

from __future__ import annotations

import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

SCRIPT = """
import enum, pickle, sys
from typeinfo.pickling import classes_as_pickled, dumps

FACTOR = 10

class Scaled:
    step = 1
    def __init__(self, n): self.n = n
    def value(self): return self.n * FACTOR + self.step

class Color(enum.Enum):
    RED = 1
    CRIMSON = 1

method = Scaled.value
data = dumps((Scaled(2), Color.CRIMSON))
"""


def printed(tmp_path: Path, more: str) -> list[str]:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT + textwrap.dedent(more))
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_loaded_function_knows_the_file_of_its_source(tmp_path: Path) -> None:
    more = """
        inner = pickle.loads(dumps(lambda: [lambda: 1]))
        print(inner.__code__.co_filename == inner()[0].__code__.co_filename == __file__)
    """
    assert printed(tmp_path, more) == ["True"]


def test_a_class_of_the_program_is_not_changed_by_loading(tmp_path: Path) -> None:
    assert printed(
        tmp_path,
        """
        FACTOR, Scaled.step = 100, 5
        scaled, color = pickle.loads(data)
        print(Scaled.value is method, type(scaled) is Scaled, scaled.value(), color is Color.RED)
        """,
    ) == ["True True 205 True"]


def test_the_fields_of_a_loaded_dataclass_are_those_of_its_class(tmp_path: Path) -> None:
    more = """
        import dataclasses, subprocess
        from typeinfo.records import MISSING, RecordKind, field_default

        @dataclasses.dataclass
        class Total:
            amount: int
            count: int = 7

        load = "import pickle, sys; print(*pickle.loads(sys.stdin.buffer.read())())"
        pickled = dumps(lambda: [
            field_default(Total, RecordKind.DATACLASS, "amount") is MISSING,
            field_default(Total, RecordKind.DATACLASS, "count")(),
        ])
        subprocess.run([sys.executable, "-c", load], input=pickled, check=True)
    """
    assert printed(tmp_path, more) == ["True 7"]


def test_functions_can_be_loaded_with_classes_as_they_were(tmp_path: Path) -> None:
    assert printed(
        tmp_path,
        """
        Scaled.step = 5
        Scaled.later = 1
        with classes_as_pickled():
            scaled, _ = pickle.loads(data)
            print(scaled.value())
        print(scaled.value(), Scaled.value is method, Scaled.later)
        """,
    ) == ["21", "25 True 1"]


def test_a_loaded_class_is_reset_when_it_is_loaded_again(tmp_path: Path) -> None:
    assert printed(
        tmp_path,
        """
        import subprocess
        Scaled.step = 5
        again = dumps(Scaled(2))
        code = "import pickle, sys; a = pickle.loads(bytes.fromhex(sys.argv[1]))[0]; print(a.value());" \\
               "b = pickle.loads(bytes.fromhex(sys.argv[2])); print(a.value(), type(a) is type(b))"
        print(subprocess.run([sys.executable, "-c", code, data.hex(), again.hex()],
                             capture_output=True, text=True, timeout=60).stdout, end="")
        """,
    ) == ["21", "25 True"]


@pytest.mark.parametrize("value", [1, [int], {"a": (pickle.loads, len)}])
def test_importable_objects_are_pickled_by_reference(value: object) -> None:
    from typeinfo.pickling import dumps

    assert pickle.loads(dumps(value)) == value
    assert len(dumps(value)) < 200

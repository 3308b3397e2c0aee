"""State outlives a program: its values are objects of the classes of the program that loads them."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

from typeinfo.pickling import dump_state

SCRIPT = """
import pickle, sys
from dataclasses import dataclass
from enum import Enum
from typeinfo.pickling import dump_state

class Colour(Enum):
    RED = 1

@dataclass
class Point:
    x: int
    colour: Colour

    def version(self):
        return {version}
"""

WRITE = """
open(sys.argv[1], "wb").write(dump_state([Point(1, Colour.RED), Point(2, Colour.RED)]))
"""

READ = """
points = pickle.loads(open(sys.argv[1], "rb").read())
assert [type(point) for point in points] == [Point, Point]
assert points[0].version() == 2
assert points[0].colour is Colour.RED
"""

READ_ON_WORKER = """
import pickle, sys
from pathlib import Path
make, written = pickle.loads(Path(sys.argv[2]).read_bytes()), Path(sys.argv[1]).read_bytes()
(first, _) = pickle.loads(written)
assert type(first) is type(make(first.colour))
assert first.version() == 2
"""

SHIP = """
from typeinfo.pickling import dumps
open(sys.argv[2], "wb").write(dumps(lambda colour: Point(3, colour)))
"""

READ_ALONE = """
import pickle, sys
first, _ = pickle.loads(open(sys.argv[1], "rb").read())
assert (first.x, first.colour.name, first.version()) == (1, "RED", 1)
"""


def run(script: str, *arguments: Path) -> None:
    subprocess.run([sys.executable, "-c", script, *map(str, arguments)], check=True)


def test_classes_of_a_script_are_found_by_name(tmp_path: Path) -> None:
    state, function = tmp_path / "state", tmp_path / "function"
    run(SCRIPT.format(version=1) + WRITE, state)
    run(SCRIPT.format(version=2) + READ, state)
    run(SCRIPT.format(version=2) + SHIP, state, function)
    run(READ_ON_WORKER, state, function)
    run(READ_ALONE, state)


def test_a_class_in_this_process_stays_the_same() -> None:
    def made() -> type:
        class Local:
            pass

        return Local

    first, second = made(), made()
    found = pickle.loads(dump_state([first(), second()]))
    assert [type(value) for value in found] == [first, second]


def test_the_bytes_of_equal_values_are_equal() -> None:
    class Local:
        def __init__(self, x: int) -> None:
            self.x = x

    assert dump_state([Local(1)]) == dump_state([Local(1)])

"""Stored data becomes objects of the classes of the program that loads it, and runs no code."""

from __future__ import annotations

import array
import builtins
import copyreg
import datetime
import enum
import functools
import ipaddress
import operator
import os
import pickle
import subprocess
import sys
import uuid
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest

from pystream.engine.stored_data import (
    DataError,
    MissingClassError,
    classes_of,
    dump_data,
    is_data,
    load_data,
)
from pystream.engine.windows.windows import CountWindow, GlobalWindow, TimeWindow
from typeinfo import Row, Types
from typeinfo.custom import CustomTypeInfo
from typeinfo.instant import Instant
from typeinfo.pickling import dump_state


class Colour(enum.Enum):
    RED = 1


class Shape(enum.Enum):
    """An enum as Python 3.11.2 pickles it."""

    ROUND = 1

    def __reduce_ex__(self, protocol: Any) -> Any:
        return getattr, (Shape, self.name)


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Pair(NamedTuple):
    left: int
    right: str


@dataclass
class Point:
    x: int
    colour: Colour


class Plain:
    pass


class Named:
    """Is pickled as a call."""

    def __init__(self, *call: Any) -> None:
        self.call = call

    def __reduce__(self) -> Any:
        return self.call[0], tuple(self.call[1:])


BERLIN = ZoneInfo("Europe/Berlin")
DATA: list[Any] = [
    *(None, True, 2**70, 1.5, 2j, "text", b"bytes", bytearray(b"x"), range(3), slice(1, 2), [(1, {2: {3}})]),
    *(frozenset({1}), array.array("i", [1, 2]), Counter("aab"), OrderedDict(a=1), deque([1], 3)),
    *(defaultdict(list, {1: [2]}), datetime.datetime(2024, 1, 2, 3, tzinfo=datetime.UTC), datetime.date.min),
    *(datetime.datetime(2024, 1, 2, tzinfo=BERLIN), datetime.timedelta(1), datetime.time(1)),
    *(Decimal("1.10"), Fraction(1, 3), uuid.UUID(int=7), ipaddress.ip_network("10.0.0.0/8"), Path("a/b")),
    *(Colour.RED, Access.READ | Access.WRITE, Pair(1, "x"), Point(1, Colour.RED), Row(a=1, b=None), Row(1)),
    *(Instant(1, 2), TimeWindow(1, 2), CountWindow(1), GlobalWindow.get()),
    *(np.float64(1.5), np.datetime64("2024-01-01"), pd.Timestamp("2024-01-01", tz="UTC"), pd.Timedelta(1)),
]


@pytest.mark.parametrize("dump", [dump_data, dump_state])
@pytest.mark.parametrize("value", DATA, ids=lambda value: type(value).__name__)
def test_data_is_loaded_as_it_was_stored(value: Any, dump: Any) -> None:
    found = load_data(dump(value))
    assert found == value
    assert type(found) is type(value)


GETATTR = getattr
CALLS: list[tuple[Any, ...]] = [
    (os.system, "true"),
    (eval, "1"),
    (exec, "1"),
    (GETATTR, "x", "upper"),
    (GETATTR, Colour, "__class__"),
    (__import__, "os"),
    (subprocess.Popen, ["true"]),
    (operator.attrgetter, "x"),
    (operator.methodcaller, "upper"),
    (functools.partial, print),
    (functools.reduce, operator.add, [1]),
    (pickle.loads, b"N."),
    (copyreg._reconstructor, Plain, object, None),  # type: ignore[attr-defined]
    (copyreg.add_extension, "os", "system", 1),
    (open, "/dev/null"),
    (type, "X", (), {}),
    (Plain,),
    (builtins.__build_class__, print, "X"),
    (Row.as_dict, Row(a=1)),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0].__name__)
def test_calls_are_neither_stored_nor_loaded(call: tuple[Any, ...]) -> None:
    with pytest.raises(DataError, match="data"):
        dump_data([Named(*call)])
    with pytest.raises(DataError, match="not data"):
        load_data(pickle.dumps([Named(*call)]))


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("pystream.cli", "main"),
        ("typeinfo.pickling", "dumps"),
        ("typeinfo.pickling", "pickle.loads"),
        (__name__, "os.system"),
        (__name__, "os"),
        (__name__, "Plain"),
        (__name__, "Point.__init__"),
        (__name__, "Point.__class__"),
        ("cloudpickle.cloudpickle", "_make_function"),
        ("pystream.engine.windows.windows", "GlobalWindow.get.__globals__"),
        ("antigravity", "webbrowser"),
        ("tests.unit.engine.not_imported", "X"),
    ],
)
def test_only_classes_of_data_are_found(module: str, name: str) -> None:
    data = b"\x80\x04\x8c%c%b\x8c%c%b\x93." % (len(module), module.encode(), len(name), name.encode())
    with pytest.raises(DataError, match=name.partition(".")[0]):
        load_data(data)
    assert "antigravity" not in sys.modules


def test_a_class_inside_of_the_data_is_not_loaded(tmp_path: Path) -> None:
    from typeinfo.pickling import _class_of_program

    payload = pickle.dumps(Named(os.mkdir, str(tmp_path / "mark")))
    for module, name in (
        ("__main__", "Gone"),
        ("os", "system"),
        ("subprocess", "Popen"),
        (__name__, "Plain"),
    ):
        with pytest.raises(DataError):
            load_data(pickle.dumps(Named(_class_of_program, module, name, "tracker", payload)))
    assert not any(tmp_path.iterdir())
    with pytest.raises(MissingClassError, match=r"the program has no class __main__\.Gone"):
        load_data(pickle.dumps(Named(_class_of_program, "__main__", "Gone", "", payload)))


def test_damaged_data_is_an_error_of_the_project() -> None:
    for stored in (
        b"",
        b"\x80\x05",
        b"garbage",
        pickle.dumps([1])[:-1],
        b"\x80\x05]Q.",
        b"\x80\x05\x82\x01.",
    ):
        with pytest.raises(DataError):
            load_data(stored)


def test_functions_are_refused_when_they_are_stored() -> None:
    for value in (lambda: 1, len, os.system, Point(1, Colour.RED).__eq__):
        with pytest.raises(DataError, match=r"not (data|one of data)"):
            dump_data({"key": value})


def test_classes_of_installed_packages_are_data_if_a_type_names_them() -> None:
    from packaging._structures import InfinityType

    stored = dump_state(InfinityType())
    with pytest.raises(DataError, match="InfinityType, which is not data"):
        load_data(stored)
    assert type(load_data(stored, frozenset({InfinityType}))) is InfinityType


def test_types_say_whether_their_values_are_data() -> None:
    point = Types.of(Point)
    assert is_data(Types.LIST(point))
    assert is_data(Types.of(list[dict[str, Point]]))
    assert classes_of([Types.MAP(Types.STRING(), Types.LIST(point))]) == {Point, Colour}
    custom: Any = CustomTypeInfo(Plain, Types.TUPLE([Types.LONG()]), lambda _: (1,), lambda _: Plain())
    for of in (Types.PICKLED_BYTE_ARRAY(), custom):
        assert not is_data(Types.MAP(Types.STRING(), of))
        assert not is_data(Types.ROW([Types.LONG(), of]))


def test_an_enum_is_stored_by_its_value_whatever_the_version_of_python() -> None:
    assert load_data(dump_data([Shape.ROUND, Colour.RED])) == [Shape.ROUND, Colour.RED]
    assert b"getattr" not in dump_data(Shape.ROUND)

"""Random functions of a row as source text; most do not raise."""

from __future__ import annotations

import datetime
import math
import random
from collections.abc import Callable
from typing import Any

from tests.unit.lifting.model import compiled
from typeinfo import Row, TypeInformation, Types

__all__ = ["FIELDS", "ROW", "function_of", "random_row"]

FIELDS: dict[str, TypeInformation[Any]] = {
    "i": Types.LONG(),
    "j": Types.LONG(),
    "k": Types.INT(),
    "n": Types.LONG(),
    "x": Types.DOUBLE(),
    "y": Types.DOUBLE(),
    "f": Types.FLOAT(),
    "b": Types.BOOLEAN(),
    "s": Types.STRING(),
    "t": Types.STRING(),
    "d": Types.SQL_DATE(),
    "w": Types.SQL_TIMESTAMP(),
    "l": Types.LIST(Types.LONG()),
    "m": Types.LIST(Types.STRING()),
}
"""The fields of the rows that functions take. All types admit ``None``; only ``n`` and ``t`` may be."""

ROW = Types.ROW_NAMED(list(FIELDS), list(FIELDS.values()))

INTEGERS = [
    0,
    1,
    -1,
    2,
    3,
    -3,
    7,
    10,
    1000,
    2**31 - 1,
    -(2**31),
    2**53,
    2**53 + 1,
    -(2**53) - 1,
    2**63 - 1,
    -(2**63),
]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 0.1, 3.7, -3.7, 1e300, -1e300, 5e-324, 2.0**53, 2.0**63]
BLANKS = ["", "'a '", "'é'", "None"]
SEPARATORS = ["", "','", "'a'", "'.'", "',', 1"]
SPECIAL = [float("nan"), float("inf"), float("-inf")]
TEXTS = [
    "",
    "a",
    "ab",
    "abc",
    " a b ",
    "a,b,,c",
    "Hello World",
    "12",
    " 7\n",
    "-3",
    "1.5",
    "1e3",
    "é",
    "aéa",
    "ß",
    "\u2003x\x1c",
    "a😀b",
    "日本語",
    "aaaa",
    "+9",
    "1_000",
    "nan",
    "\t",
    "x\x00y",
    "A.B",
    "q\\E",
]


def random_row(r: random.Random) -> dict[str, Any]:
    """Return the fields of a row, extremes among them."""

    def integer() -> int:
        return r.choice(INTEGERS) if r.random() < 0.6 else r.randint(-20, 20)

    def number() -> float:
        choice = r.random()
        return r.choice(SPECIAL) if choice < 0.1 else r.choice(FLOATS) if choice < 0.6 else r.uniform(-9, 9)

    return {
        "i": integer(),
        "j": integer(),
        "k": r.choice([n for n in INTEGERS if -(2**31) <= n < 2**31]),
        "n": None if r.random() < 0.4 else integer(),
        "x": number(),
        "y": number(),
        "f": r.choice([0.0, -0.0, 0.5, 1.5, -2.25, float("inf"), float("nan"), 16777216.0]),
        "b": r.random() < 0.5,
        "s": r.choice(TEXTS),
        "t": None if r.random() < 0.4 else r.choice(TEXTS),
        "d": datetime.date(r.choice([1, 1582, 1969, 1970, 2024, 9999]), r.randint(1, 12), r.randint(1, 28)),
        "w": datetime.datetime(
            r.choice([1, 1969, 1970, 2024, 9999]),
            r.randint(1, 12),
            r.randint(1, 28),
            r.randint(0, 23),
            r.randint(0, 59),
            r.randint(0, 59),
            r.choice([0, 1, 999_999, 123_456]),
        ),
        "l": [integer() for _ in range(r.choice([0, 1, 3]))],
        "m": [r.choice(TEXTS) for _ in range(r.choice([0, 1, 3]))],
    }


class Writer:
    """Writes random expressions of a class, of limited depth."""

    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.locals: dict[str, list[str]] = {"int": [], "float": [], "bool": [], "str": []}

    def pick(self, depth: int, leaves: list[str], nodes: list[Callable[[], str]]) -> str:
        if depth <= 0 or self.r.random() < 0.2:
            return self.r.choice(leaves)
        return self.r.choice(nodes)()

    def number(self, depth: int) -> str:
        return self.float(depth) if self.r.random() < 0.4 else self.int(depth)

    def index(self) -> str:
        return self.r.choice(["0", "1", "-1", "2", "-2", "r.k", "-9", "9", str(2**40)])

    def bound(self) -> str:
        return self.r.choice(["", "0", "1", "-1", "2", "-2", "5", "-5", "r.k", "r.i", "None", str(-(2**40))])

    def int(self, depth: int) -> str:
        d = depth - 1

        def binary():
            return f"({self.int(d)} {self.r.choice(['+', '-', '*', '//', '%', *'&|^'])} {self.int(d)})"

        return self.pick(
            depth,
            [
                "r.i",
                "r.j",
                "r.k",
                "r['i']",
                "r[1]",
                "r[-13]",
                "r.n",
                "3",
                "-2",
                "0",
                str(2**53 + 1),
                str(2**63 - 1),
                *self.locals["int"],
            ],
            [
                binary,
                binary,
                binary,
                lambda: f"(-{self.int(d)})",
                lambda: f"(~{self.int(d)})",
                lambda: f"abs({self.int(d)})",
                lambda: f"len({self.str(d)})",
                lambda: f"len({self.list(d)})",
                lambda: f"int({self.float(d)})",
                lambda: f"int({self.bool(d)})",
                lambda: f"int({self.str(d)})",
                lambda: f"round({self.float(d)})",
                lambda: f"{self.r.choice(['min', 'max'])}({self.int(d)}, {self.int(d)})",
                lambda: f"({self.int(d)} if {self.bool(d)} else {self.int(d)})",
                lambda: f"({self.int(d)} {self.r.choice(['and', 'or'])} {self.int(d)})",
                lambda: f"r.l[{self.index()}]",
                lambda: f"{self.str(d)}.find({self.str(d)})",
                lambda: f"{self.str(d)}.count({self.r.choice(TEXTS[1:4])!r})",
                lambda: f"r.d.{self.r.choice(['year', 'month', 'day', 'weekday()', 'isoweekday()'])}",
                lambda: f"r.w.{self.r.choice(['year', 'hour', 'minute', 'second', 'microsecond', 'day'])}",
                lambda: f"({self.int(d)} ** {self.r.choice([1, 2, 3])})",
                lambda: f"({self.bool(d)} + {self.int(d)})",
                lambda: f"math.{self.r.choice(['floor', 'ceil', 'trunc'])}({self.float(d)})",
                lambda: f"({self.int(d)}, {self.int(d)})[{self.r.choice([0, 1, -1])}]",
            ],
        )

    def float(self, depth: int) -> str:
        d = depth - 1

        def binary():
            return f"({self.float(d)} {self.r.choice(['+', '-', '*', '/', '//', '%'])} {self.number(d)})"

        return self.pick(
            depth,
            [
                "r.x",
                "r.y",
                "r.f",
                "1.5",
                "0.0",
                "2.0",
                "-3.0",
                "float('nan')",
                "1e300",
                *self.locals["float"],
            ],
            [
                binary,
                binary,
                lambda: f"({self.int(d)} / {self.int(d)})",
                lambda: f"({self.int(d)} * {self.float(d)})",
                lambda: f"(-{self.float(d)})",
                lambda: f"abs({self.float(d)})",
                lambda: f"float({self.int(d)})",
                lambda: f"float({self.str(d)})",
                lambda: f"{self.r.choice(['min', 'max'])}({self.float(d)}, {self.float(d)})",
                lambda: f"({self.float(d)} if {self.bool(d)} else {self.float(d)})",
                lambda: f"({self.float(d)} {self.r.choice(['and', 'or'])} {self.float(d)})",
                lambda: f"math.sqrt({self.float(d)})",
            ],
        )

    def bool(self, depth: int) -> str:
        d = depth - 1
        sign = lambda: self.r.choice(["==", "!=", "<", "<=", ">", ">="])  # noqa: E731
        compare = lambda: f"({self.number(d)} {sign()} {self.number(d)})"  # noqa: E731
        return self.pick(
            depth,
            [
                "r.b",
                "(r.t is None)",
                "(r.n is not None)",
                "True",
                "(r.t == 'a')",
                "(r.n == 3)",
                *self.locals["bool"],
            ],
            [
                compare,
                compare,
                lambda: f"({self.str(d)} {sign()} {self.str(d)})",
                lambda: f"({self.number(d)} {sign()} {self.number(d)} {sign()} {self.number(d)})",
                lambda: f"({self.bool(d)} {self.r.choice(['and', 'or'])} {self.bool(d)})",
                lambda: f"(not {self.any(d)})",
                lambda: f"bool({self.any(d)})",
                lambda: f"({self.int(d)} in (1, 2.0, {self.int(d)}))",
                lambda: f"({self.str(d)} in ('a', 'ab', r.s))",
                lambda: f"({self.str(d)} in {self.str(d)})",
                lambda: f"({self.int(d)} in r.l)",
                lambda: f"({self.str(d)} not in r.m)",
                lambda: f"{self.str(d)}.{self.r.choice(['startswith', 'endswith'])}({self.str(d)})",
                lambda: f"{self.str(d)}.{self.r.choice(['isdigit', 'isalpha', 'isalnum'])}()",
                lambda: f"({self.int(d)} == {self.str(d)})",
                lambda: f"(({self.int(d)}, {self.str(d)}) == ({self.int(d)}, {self.str(d)}))",
                lambda: f"(r.n == {self.number(d)})",
                lambda: f"(r.t != {self.str(d)})",
                lambda: "(r.n == r.n)",
                lambda: f"({self.bool(d)} {self.r.choice(['&', '|', '^'])} {self.bool(d)})",
                lambda: "(r.d < r.d)",
                lambda: f"math.isnan({self.float(d)})",
                lambda: f"({self.bool(d)} if {self.bool(d)} else {self.bool(d)})",
            ],
        )

    def str(self, depth: int) -> str:
        d = depth - 1
        return self.pick(
            depth,
            ["r.s", "r.t", "r['s']", "'a'", "''", "'é'", *self.locals["str"]],
            [
                lambda: f"({self.str(d)} + {self.str(d)})",
                lambda: f"{self.str(d)}[{self.bound()}:{self.bound()}]",
                lambda: f"{self.str(d)}[{self.bound()}:{self.bound()}]",
                lambda: f"{self.str(d)}[{self.index()}]",
                lambda: f"{self.str(d)}.{self.r.choice(['upper', 'lower', 'capitalize'])}()",
                lambda: (
                    f"{self.str(d)}.{self.r.choice(['strip', 'lstrip', 'rstrip'])}({self.r.choice(BLANKS)})"
                ),
                lambda: f"{self.str(d)}.replace({self.r.choice(TEXTS[1:4])!r}, {self.str(d)})",
                lambda: f"str({self.int(d)})",
                lambda: f"str({self.bool(d)})",
                lambda: "str(r.n)",
                lambda: f"f'{{{self.int(d).replace(chr(39), chr(34))}}}-{{r.t}}'",
                lambda: f"('%s/%d' % ({self.str(d)}, {self.int(d)}))",
                lambda: f"'{{}}:{{}}'.format({self.str(d)}, {self.int(d)})",
                lambda: f"({self.str(d)} * {self.r.choice(['0', '2', '-1', '(r.k % 3)'])})",
                lambda: f"{self.r.choice(TEXTS[:4])!r}.join({self.texts(d)})",
                lambda: f"({self.str(d)} if {self.bool(d)} else {self.str(d)})",
                lambda: f"({self.str(d)} {self.r.choice(['and', 'or'])} {self.str(d)})",
                lambda: f"{self.r.choice(['min', 'max'])}({self.str(d)}, {self.str(d)})",
                lambda: f"{self.texts(d)}[{self.index()}]",
            ],
        )

    def texts(self, depth: int) -> str:
        d = depth - 1
        return self.pick(
            depth,
            ["r.m", "r.s.split()", "r.s.split(',')"],
            [
                lambda: f"{self.str(d)}.split({self.r.choice(SEPARATORS)})",
                lambda: f"[w + {self.str(d)} for w in {self.texts(d)}]",
                lambda: f"[w for w in {self.texts(d)} if w and w != {self.str(d)}]",
                lambda: f"{self.texts(d)}[{self.bound()}:{self.bound()}]",
            ],
        )

    def list(self, depth: int) -> str:
        d = depth - 1
        return self.pick(
            depth,
            ["r.l", "r.m"],
            [
                lambda: f"[{self.int(d)}, {self.int(d)}]",
                lambda: "[v * 2 for v in r.l]",
                lambda: f"[v + {self.int(d)} for v in r.l if v > {self.int(d)}]",
                lambda: "[(v, w) for v in r.l for w in r.m if v]",
                lambda: f"r.l[{self.bound()}:{self.bound()}]",
                lambda: f"(r.l + [{self.int(d)}])",
                lambda: "list(range(r.k % 5))",
                lambda: self.texts(depth),
            ],
        )

    def any(self, depth: int) -> str:
        return self.r.choice([self.int, self.float, self.bool, self.str, self.list])(depth)

    def result(self, depth: int) -> str:
        choice = self.r.random()
        if choice < 0.7:
            return self.any(depth)
        if choice < 0.85:
            return f"({self.any(depth - 1)}, {self.any(depth - 1)})"
        return f"Row(a={self.any(depth - 1)}, b={self.any(depth - 1)})"

    def statements(self, kind: str) -> list[str]:
        """Write statements before a result: some set local variables, some return early."""
        write = {"int": self.int, "str": self.str, "float": self.float, "bool": self.bool}
        lines = []
        for number in range(self.r.randint(1, 3)):
            name, of = f"v{number}", self.r.choice(list(write))
            form = self.r.random()
            if form < 0.4:
                lines.append(f"{name} = {write[of](2)}")
            elif form < 0.7:
                lines += [
                    f"if {self.bool(2)}:",
                    f"    {name} = {write[of](2)}",
                    "else:",
                    f"    {name} = {write[of](1)}",
                ]
            else:
                lines += [f"if {self.bool(2)}:", f"    return {write[kind](2)}"]
                continue
            self.locals[of].append(name)
        return lines


def function_text(seed: int) -> str:
    writer = Writer(random.Random(seed))
    if writer.r.random() < 0.6:
        return f"f = lambda r: {writer.result(3)}\n"
    kind = writer.r.choice(["int", "str", "float", "bool"])
    lines = writer.statements(kind)
    body = [*lines, f"return {getattr(writer, kind)(2)}"]
    return "def f(r):\n" + "".join(f"    {line}\n" for line in body)


def function_of(seed: int) -> tuple[str, Callable[[Any], Any]]:
    """Return the source of a function, and the function."""
    text = function_text(seed)
    return text, compiled(text, math=math, Row=Row)

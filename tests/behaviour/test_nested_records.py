"""Fields of records inside elements, in all clauses of queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypedDict

import attrs
import pydantic
import pytest

from pystream.common import Row, Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.table import StreamTableEnvironment
from pystream.table.udf import udf


@dataclass
class Plain:
    x: int
    y: str


class Named(NamedTuple):
    x: int
    y: str


class Typed(TypedDict):
    x: int
    y: str


@attrs.define
class Attrs:
    x: int
    y: str


class Model(pydantic.BaseModel):
    x: int
    y: str


@dataclass
class Outer:
    id: int
    plain: Plain
    named: Named
    typed: Typed
    attrs: Attrs
    model: Model
    many: list[Plain]
    by_name: dict[str, Typed]
    maybe: Plain | None


def outer(n: int) -> Outer:
    maybe = Plain(n, "p") if n % 2 else None
    return Outer(
        n,
        Plain(n, "p"),
        Named(n, "n"),
        Typed(x=n, y="t"),
        Attrs(n, "a"),
        Model(x=n, y="m"),
        [Plain(n, "p")],
        {"k": Typed(x=n, y="t")},
        maybe,
    )


PAIR = Types.ROW_NAMED(["x", "y"], [Types.LONG(), Types.STRING()])


def shown(value: object) -> str:
    return repr(value)


@pytest.fixture
def t_env(env: StreamExecutionEnvironment) -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(env)
    outers = env.from_collection([outer(1), outer(2), outer(2)], Types.of(Outer))
    t_env.create_temporary_view("v", outers)
    pairs = env.from_collection([(Row(x=2, y="p"),)], Types.ROW_NAMED(["pair"], [PAIR]))
    t_env.create_temporary_view("w", pairs)
    t_env.create_temporary_function("shown", udf(shown, result_type="STRING"))
    return t_env


ONLY_LOCAL = pytest.mark.local_only("Spark reads the fields of all clauses alike")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            "SELECT v.plain.x, named.x, v.typed.x, attrs.x, model.x, many[1].x, by_name['k'].x, maybe.x "
            "FROM v",
            [(1,) * 8, (*(2,) * 7, None), (*(2,) * 7, None)],
        ),
        pytest.param(
            """SELECT typed.x + 1, COUNT(*) FROM v
               WHERE plain.y = 'p' AND model.x < 9 AND many[1].x = by_name['k'].x
               GROUP BY typed.x HAVING MAX(attrs.x) > 1""",
            [(3, 2)],
            marks=ONLY_LOCAL,
        ),
        pytest.param(
            """SELECT v.id, w.pair.x FROM v JOIN w ON v.plain.x = w.pair.x AND v.typed.x < w.pair.x + 1
               WHERE v.plain = w.pair""",
            [(2, 2), (2, 2)],
            marks=ONLY_LOCAL,
        ),
        (
            """SELECT shown(plain), shown(named), shown(typed), shown(many), shown(by_name), shown(maybe)
               FROM v WHERE id = 1""",
            [
                (
                    *("Row(x=1, y='p')", "Row(x=1, y='n')", "Row(x=1, y='t')"),
                    *("[Row(x=1, y='p')]", "{'k': Row(x=1, y='t')}", "Row(x=1, y='p')"),
                )
            ],
        ),
        (
            """SELECT FIRST_VALUE(plain), LAST_VALUE(many), MAX(id)
               FROM (SELECT plain, many, id FROM v WHERE id = 2)""",
            [(Row(2, "p"), [Row(2, "p")], 2)],
        ),
        pytest.param(
            "SELECT inner_one.y, plain FROM (SELECT model AS inner_one, plain FROM v WHERE id = 1)",
            [("m", Plain(1, "p"))],
            marks=ONLY_LOCAL,
        ),
    ],
)
def test_fields_of_records(t_env: StreamTableEnvironment, query: str, expected: list[object]) -> None:
    with t_env.sql_query(query).execute().collect() as rows:
        assert sorted(map(tuple, rows), key=repr) == expected

"""Elements that are columns are sent where and in the order in which others are."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.engine.events import Elements
from pystream.engine.exchange import batch_encoder
from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.exchange import Exchange
from pystream.engine.exchange.rows import OutputRow
from pystream.engine.exchange.send_buffer import read_frame
from pystream.engine.failure import TaskFailure
from pystream.engine.keys import CodedKeys, KeyReader
from pystream.engine.spec import ExchangeOutput, KeySpec
from pystream.engine.task_info import SubtaskInfo
from pystream.engine.vectorised.columns import ColumnValues
from pystream.expressions.key_columns import KeyColumns
from pystream.kinds import PartitionKind
from pystream.plan.function import UserFunction
from pystream.plan.nodes import KeyFunction
from pystream.rules.run_over_columns.forms import key_over_columns
from tests.unit.engine.columns.orders import ORDER, Order, columns
from tests.unit.engine.tasks import JOB, label
from typeinfo import Types
from typeinfo.pickling import dumps
from typeinfo.testing.strategies import values

GROUPS = 8
ORDERS = st.lists(values(ORDER), min_size=1, max_size=40)
UNKNOWN = Types.PICKLED_BYTE_ARRAY
SELECTORS: list[tuple[Any, Any]] = [
    (lambda o: o.id, UNKNOWN),
    (lambda o: o.id % 3, Types.LONG()),
    (lambda o: o.name, Types.STRING()),
    (lambda o: (o.name, o.id % 2), UNKNOWN),
    (lambda o: (o.id > 0, o.name, o.id), Types.TUPLE([Types.BOOLEAN(), Types.STRING(), Types.LONG()])),
]


def key_of(select: Any, type_info: Any) -> KeySpec:
    key = key_over_columns(KeyFunction(UserFunction.of(select, "key_by"), type_info), ORDER)
    assert isinstance(key.columns, KeyColumns)
    return KeySpec(dumps(select), type_info, columns=key.columns)


@pytest.mark.parametrize("selector", SELECTORS)
@settings(max_examples=20, deadline=None)
@given(orders=ORDERS)
def test_keys_of_columns_are_those_of_elements(selector: tuple[Any, Any], orders: list[Order]) -> None:
    reader = KeyReader(key_of(*selector), label("Key"))
    found, expected = reader.read(columns(orders)), reader.read(orders)
    assert isinstance(found, CodedKeys)
    assert repr(found.keys) == repr(expected.keys)
    assert repr(found.slots) == repr(expected.slots)
    assert list(found.distinct) == list(dict.fromkeys(expected.slots))


@pytest.mark.parametrize("select", [lambda o: o.amount, lambda o: o, lambda o: [o.id], lambda o: hash(o)])
def test_other_keys_are_computed_from_each_element(select: Any) -> None:
    assert key_over_columns(KeyFunction(UserFunction.of(select, "key_by"), UNKNOWN), ORDER).columns is None


def test_a_key_that_cannot_be_computed_fails_as_from_each_element() -> None:
    reader = KeyReader(key_of(lambda o: 6 // o.id, UNKNOWN), label("Key"))
    orders = [Order(2, None, "a"), Order(0, None, "b")]
    reports = []
    for given_orders in (orders, columns(orders)):
        with pytest.raises(TaskFailure) as failure:
            reader.read(given_orders)
        reports.append(failure.value.report)
    assert reports[0] == reports[1]
    assert "ZeroDivisionError" in str(reports[0])


EACH = [PartitionKind.HASH, PartitionKind.REBALANCE, PartitionKind.SHUFFLE, PartitionKind.BROADCAST]


def sender(kind: PartitionKind, targets: int, by_group: bool) -> Exchange:
    spec = ExchangeOutput(
        7,
        label("Partition"),
        kind,
        targets,
        b"",
        ORDER,
        key_of(*SELECTORS[3]),
        key_groups=GROUPS,
        by_group=by_group,
    )
    return Exchange(spec, label("Source"), SubtaskInfo(JOB, 0, 2, GROUPS, 0))


def received(rows: list[OutputRow]) -> Any:
    """Return the elements and their times at each address, and the number in each row."""
    load = ElementsFormat(ORDER).load
    found: defaultdict[Any, list[Any]] = defaultdict(list)
    for row in rows:
        for event in read_frame(row.payload, load):
            assert isinstance(event, Elements)
            times = event.timestamps or [None] * len(event.values)
            found[row.target, row.group].append(list(zip(event.values, times, strict=True)))
    return found


@pytest.mark.parametrize("kind", EACH)
@settings(max_examples=20, deadline=None)
@given(
    batches=st.lists(st.tuples(ORDERS, st.booleans(), st.booleans()), min_size=1, max_size=4),
    targets=st.integers(1, 3),
    by_group=st.booleans(),
)
def test_columns_arrive_where_and_as_elements_do(
    kind: PartitionKind, batches: list[tuple[list[Order], bool, bool]], targets: int, by_group: bool
) -> None:
    def sent(as_columns: bool) -> Any:
        with patch.multiple(batch_encoder, ROW_BYTES=2_000):
            exchange, rows = sender(kind, targets, by_group and kind is PartitionKind.HASH), []
            for orders, is_columns, timed in batches:
                given = columns(orders) if as_columns and is_columns else orders
                times = list(range(len(orders))) if timed else None
                rows += exchange.write(Elements(given, times))
            return received([*rows, *exchange.finish()])

    assert repr(sorted(sent(True).items())) == repr(sorted(sent(False).items()))


def test_columns_are_sent_as_columns() -> None:
    exchange = sender(PartitionKind.HASH, 2, False)
    orders = [Order(n, None, "a") for n in range(9)]
    parts = [Elements(columns(orders[:4])), Elements(columns(orders[4:]))]
    rows = [row for part in parts for row in exchange.write(part)]
    rows += exchange.finish()
    events: list[Any] = list(
        chain.from_iterable(read_frame(row.payload, ElementsFormat(ORDER).load) for row in rows)
    )
    assert all(isinstance(event.values, ColumnValues) for event in events)
    assert sorted(order.id for event in events for order in event.values) == list(range(9))

"""Functions of example programs: all that Spark can express are lifted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from pystream.lifting import NotLifted, lift, lift_condition, lift_flat_map, lift_reduce
from typeinfo import Row, TypeInformation, Types

INT, LONG, STRING = Types.INT(), Types.LONG(), Types.STRING()
BYTES = Types.PRIMITIVE_ARRAY(Types.BYTE())
COUNTED = Types.TUPLE([INT, STRING])
KEYED = Types.TUPLE([STRING, INT])
INFO = Types.ROW_NAMED(["id", "info"], [INT, STRING])
LINES = Types.LIST(STRING)
WORDS = ["apache", "flink", "spark"]


class Example(NamedTuple):
    """One function of an example.

    Attributes:
        origin: where it is found.
        how: what is lifted.
        function: the function, or an equal one.
        type: the type of its argument.
        expressible: whether Spark's expressions could compute the same: false for functions that keep state,
            read files, or need a Python library or objects of a class without fields.
    """

    origin: str
    how: Callable[[Any, Any], Any]
    function: Any
    type: TypeInformation[Any]
    expressible: bool = True


def mapped(function: Any, t: TypeInformation[Any]) -> Any:
    return lift(function, [t])


def collected(function: Any, t: TypeInformation[Any]) -> Any:
    return lift_flat_map(function, t, collects=True)


class Seed:
    """Methods of the function objects of the seed examples."""

    def __init__(self, tag: str) -> None:
        self.tag = tag

    def tokenize(self, value: Any, collector: Any) -> None:
        for word in value.lower().split():
            collector.collect((1, word))

    def key(self, input: Any) -> Any:
        return input[1]

    def sum(self, input1: Any, input2: Any) -> Any:
        return (input1[0] + input2[0], input1[1])

    def unpacked_sum(self, input1: Any, input2: Any) -> Any:
        count1, val1 = input1
        count2, _ = input2
        return (count1 + count2, val1)

    def double(self, value: Any) -> Any:
        return value * 2

    def select(self, value: Any) -> Any:
        return ["even"] if value % 2 == 0 else ["odd"]

    def tagged(self, value: Any) -> Any:
        return "%s %d" % (self.tag, value)  # noqa: UP031 - as the example has it

    def marked(self, value: Any) -> Any:
        return (self.mark, value)  # type: ignore[attr-defined]

    def person(self, value: Any) -> Any:
        return (1, Person(*value))

    def span(self, value: Any) -> Any:
        for i in range(value):  # noqa: UP028 - as the example has it
            yield i

    def shout(self, value: Any) -> Any:
        return value + "!"

    def last_kept(self, value1: Any, value2: Any) -> Any:
        return value1[0] + value2[0], value2[1]

    def stateful(self, value: Any) -> Any:
        count = self.state.value()  # type: ignore[attr-defined]
        return value[0], value[1] + 1 if count is None else value[1]


class Person:
    def __init__(self, name: str, age: int) -> None:
        self.name = name
        self.age = age


def split_bars(s: Any) -> Any:
    splits = s[1].split("|")
    for sp in splits:
        yield Row(s[0], sp)


def split_pairs(s: Any) -> Any:
    for sp in s[1].split("|"):
        yield s[0], sp


def read(_: Any) -> Any:
    with open("myenv/data.txt") as f:
        return f.read()


def line_words(line: Any) -> Any:
    yield from line.split()


def id_to_word(r: Any) -> Any:
    return WORDS[r[0]]


def update_tel(data: Any) -> Any:
    json_data = json.loads(data.info)
    json_data["tel"] += 1
    return data.id, json.dumps(json_data)


def extract_timestamp(value: Any) -> int:
    return int(value[1])


def print_event(row: Any) -> Any:
    print(f"Sending: User={row[0].decode('utf-8')}")
    return row


seed = Seed("even")
PAIR = Types.TUPLE([INT, STRING])
EXAMPLES = [
    Example("J01 J23 Tokenizer", collected, seed.tokenize, STRING),
    Example("J01 J08 J10 J12 J23 Selector", mapped, seed.key, PAIR),
    Example("J01 J12 J23 Sum", lift_reduce, seed.sum, PAIR),
    Example("J04 Doubler", mapped, seed.double, LONG),
    Example("J09 Sum", lift_reduce, seed.unpacked_sum, PAIR),
    Example("J14 StreamSelector", mapped, seed.select, LONG),
    Example("J15 Tag", mapped, seed.tagged, LONG),
    Example("J17 Filter", lift_condition, lambda value: value > 5, LONG),
    Example("J18 Tokenizer, of what open() sets", mapped, seed.marked, LONG, expressible=False),
    Example("J19 Tokenizer, of a plain class", mapped, seed.person, KEYED, expressible=False),
    Example("J20 Tokenizer", mapped, lambda value: value[1], KEYED),
    Example("D01 map", mapped, lambda a: Row(a % 4, 1), LONG),
    Example("D01 key", mapped, lambda a: a[0], Types.ROW([LONG, LONG])),
    Example(
        "D01 MyMapFunction, with state", mapped, seed.stateful, Types.ROW([LONG, LONG]), expressible=False
    ),
    Example("D07 map", mapped, lambda i: (i[0] + 1, i[1]), PAIR),
    Example("D07 split", lift_flat_map, split_bars, PAIR),
    Example("D07 reduce", lift_reduce, lambda i, j: Row(i[0] + j[0], i[1]), Types.ROW([INT, STRING])),
    Example("D09 split", lift_flat_map, split_pairs, PAIR),
    Example("D09 reduce", lift_reduce, lambda i, j: (i[0] + j[0], i[1]), PAIR),
    Example("B01 flat_map", collected, lambda x, c: [(1, word) for word in x.lower().split()], STRING),
    Example(
        "B06 flat_map",
        collected,
        lambda x, c: [(1, word) for line in x for word in line.lower().split()],
        LINES,
    ),
    Example("B07 map_partition", collected, lambda x, c: [value * 2 for value in x], Types.LIST(LONG)),
    Example("B09 reduce", lift_reduce, lambda x, y: x + y, LONG),
    Example(
        "B20 reduce", lift_reduce, lambda a, b: (a[0], a[1], a[2] + b[2]), Types.TUPLE([STRING, STRING, LONG])
    ),
    Example("B23 map, of a plain class", mapped, lambda x: Person("", x), LONG, expressible=False),
    Example("F01 map", mapped, lambda v: v + 1, INT),
    Example("F07 map", mapped, lambda v: Row("a", v), INT),
    Example("F12 map", mapped, lambda x: (x[0], x[1] + 1), Types.ROW([STRING, INT])),
    Example("A02 read, of a file", mapped, read, LONG, expressible=False),
    Example("A12 filter", lift_condition, lambda value: value > 20, LONG),
    Example("A18 MyReduceFunction", lift_reduce, seed.last_kept, PAIR),
    Example("A15 map2", mapped, seed.shout, STRING),
    Example("A16 A17 flat_map", lift_flat_map, seed.span, LONG),
    Example("word_count split", lift_flat_map, line_words, STRING),
    Example("word_count, streaming_word_count map", mapped, lambda i: (i, 1), STRING),
    Example("streaming_word_count id_to_word, of a list", mapped, id_to_word, Types.ROW([INT])),
    Example("basic_operations update_tel, of JSON", mapped, update_tel, INFO, expressible=False),
    Example("basic_operations filter", lift_condition, lambda data: data.id == 1, INFO),
    Example(
        "basic_operations key_by map, of JSON",
        mapped,
        lambda data: (json.loads(data.info)["addr"]["country"], json.loads(data.info)["tel"]),
        INFO,
        expressible=False,
    ),
    Example("windowing, event_time_timer timestamps", mapped, extract_timestamp, KEYED),
    Example("kafka_bytearray_format write", mapped, lambda x: x[0], Types.ROW([BYTES])),
    Example("kafka_bytearray_format read", mapped, lambda data: data.decode("utf-8"), BYTES),
    Example(
        "kafka_row_field_extractor print_event", mapped, print_event, Types.ROW([BYTES]), expressible=False
    ),
    Example("mixing_use_of_datastream_and_table map", mapped, lambda i: i[0] + i[1], Types.ROW([LONG, LONG])),
]
LEFT = {"streaming_word_count id_to_word, of a list"}
"""Functions that Spark could express and that are not lifted."""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example.origin))
def test_what_spark_can_express_is_lifted(example: Example) -> None:
    found = example.how(example.function, example.type)
    wanted = example.expressible and example.origin not in LEFT
    assert isinstance(found, NotLifted) is not wanted, found

"""Nested columns are validated without Python values; errors name path and position."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from pystream.engine.failure import TaskFailure
from pystream.engine.operators.elementwise import MAP
from pystream.engine.spec import ColumnsOutput
from pystream.engine.vectorised.column_validation import validated
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from tests.unit.engine.tasks import items
from tests.unit.engine.vectorised.functions import DOUBLE, LONG, STRING, columns, given, vectorised
from typeinfo import Types
from typeinfo.errors import TypeCheckError
from typeinfo.serde.codec import Codec
from typeinfo.serde.registry import codec_for

POINT = Types.ROW_NAMED(["x", "y"], [DOUBLE, DOUBLE])
PLACE = Types.ROW_NAMED(
    ["id", "point", "tags", "scores"], [LONG, POINT, Types.LIST(STRING), Types.MAP(STRING, DOUBLE)]
)
ELEMENTS = [
    (1, (0.5, 2.0), ["a", "b"], {"low": 1.0, "high": None}),
    (None, None, None, None),
    (2, (1.0, None), [], {}),
]


def turned(rows: pa.RecordBatch) -> pa.RecordBatch:
    point: Any = rows.column("point")
    other = pa.StructArray.from_arrays([point.field("y"), point.field("x")], ["x", "y"], mask=point.is_null())
    return rows.set_column(1, "point", other)


def test_nested_columns_are_not_converted_to_python_values(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Any, *_: Any) -> Any:
        raise AssertionError("made Python values")

    arriving = columns(PLACE, ELEMENTS)
    assert layout_of(PLACE).direct
    monkeypatch.setattr(ColumnValues, "_list", refuse)
    monkeypatch.setattr(Codec, "decode", refuse)
    arrived: Any = ColumnValues(layout_of(PLACE), layout_of(PLACE).batch(arriving.batch.columns))
    spec = vectorised(MAP, turned, PLACE, PLACE, ColumnsOutput(PLACE))
    (batch,) = items((spec,), [arrived], PLACE)
    assert batch.to_pylist() == [
        {
            "id": 1,
            "point": {"x": 2.0, "y": 0.5},
            "tags": ["a", "b"],
            "scores": [("low", 1.0), ("high", None)],
        },
        {"id": None, "point": None, "tags": None, "scores": None},
        {"id": 2, "point": {"x": None, "y": 1.0}, "tags": [], "scores": []},
    ]


def test_valid_columns_are_not_copied() -> None:
    batch = columns(PLACE, ELEMENTS[:1] * 3).batch
    held = layout_of(PLACE).batch(batch.columns)
    for array, other in zip(batch.columns, held.columns, strict=True):
        (ours, theirs) = ([buffer.address for buffer in a.buffers() if buffer] for a in (array, other))
        assert ours[-1] == theirs[-1]  # the innermost values


def text_of(data: bytes, offsets: list[int]) -> pa.Array:
    buffers = [None, pa.py_buffer(pa.array(offsets, pa.int32()).buffers()[1]), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), len(offsets) - 1, buffers)


def test_only_the_text_of_a_slice_is_validated() -> None:
    codec, array = codec_for(STRING), text_of(b"a\xffb\xc3\xa9", [0, 1, 2, 3, 5])
    for valid in (array.slice(0, 1), array.slice(2), array.slice(2, 0)):
        assert validated(codec, valid) is valid
    last = text_of(b"ab\xff", [0, 1, 2, 3]).slice(2)
    for invalid in (array, array.slice(1), array.slice(1, 1), last, text_of(b"\xc3\xa9", [0, 1, 2])):
        with pytest.raises(TypeCheckError):
            validated(codec, invalid)


def test_offsets_of_text_must_ascend() -> None:
    with pytest.raises(SystemError):  # of PyArrow, which reads a value of negative length
        validated(codec_for(STRING), text_of(b"abc", [0, 3, 1, 3]))


PAIR = Types.TUPLE((LONG, STRING))
BELOW = [
    (LONG, pa.array([1, None, 3, 4, None])),
    (LONG, pa.array([1, 2, 3, 4, 5])),
    (Types.BOOLEAN(), pa.array([True, None, False, True, None])),
    (STRING, pa.array(["a", None, "", "é", "below"])),
    (PAIR, pa.array([(1, "a"), None, (3, ""), (4, "é"), None], codec_for(PAIR, nullable=True).arrow)),
    (PAIR, pa.array([{"f0": i, "f1": None if i in (2, 5) else "a"} for i in range(1, 6)])),
    (PAIR, pa.array([{"f1": None if i in (2, 5) else "a", "f0": i} for i in range(1, 6)])),
    (Types.LIST(LONG), pa.array([[1], None, [], [3, 4], [None]])),
    (Types.MAP(STRING, LONG), pa.array([[], None, [("a", 1)], [], None], pa.map_(pa.string(), pa.int64()))),
    (Types.CHAR(), pa.array(["a", "far too long", "b", "c", None])),
    (Types.SQL_TIME(), pa.array([0, 86_400_000_000, 1, 2, -1]).view(pa.time64("us"))),
    (Types.SQL_TIME(), pa.array([0, None, 1, 2, None], pa.time64("us"))),
    (LONG, pa.array([1, None, 3, 4, None]).dictionary_encode()),
    (Types.LIST(LONG), pa.array([[1, 1], None, [2, 2], [3, 4], None], pa.list_(pa.int64(), 2))),
]


@pytest.mark.parametrize(("part", "array"), BELOW)
@pytest.mark.parametrize("start", [0, 1])
def test_values_below_nulls_may_be_anything(part: Any, array: pa.Array, start: int) -> None:
    codec = codec_for(Types.TUPLE((part, LONG)), nullable=True)
    mask = pa.array([False, True, False, False, True])
    numbers = pa.array([1, 2, 3, 4, None])
    held: Any = validated(
        codec, pa.StructArray.from_arrays([array, numbers], ["f0", "f1"], mask=mask)[start:]
    )
    assert held.type == codec.arrow
    assert held.is_null().equals(mask[start:])
    expected = pa.StructArray.from_arrays([array, numbers], ["f0", "f1"])[start:].to_pylist()
    assert [value for value in held.to_pylist() if value] == [
        expected[i - start] for i in (0, 2, 3) if i >= start
    ]
    assert held.field(0).null_count == held.field(1).null_count == 0
    held.validate(full=True)
    assert len(codec.decode(held)) == len(held)


@pytest.mark.parametrize(
    "array", [pa.array([1, None, None]), pa.array([1, None, 3]), pa.array([None, None, 3], pa.int64())]
)
def test_a_null_that_is_not_below_a_null_is_refused(array: pa.Array) -> None:
    codec = codec_for(Types.TUPLE((Types.TUPLE((LONG,)), LONG)), nullable=True)
    inner = pa.StructArray.from_arrays([array], ["f0"])
    numbers = pa.array([1, 2, 3])
    for index in (0, 1, 2):
        mask = pa.array([i == index for i in range(3)])
        given = pa.StructArray.from_arrays([inner, numbers], ["f0", "f1"], mask=mask)
        wrong = [i for i in range(3) if i != index and not array[i].is_valid]
        if not wrong:
            assert validated(codec, given).is_null().equals(mask)
            continue
        with pytest.raises(TypeCheckError, match="None is not a LONG") as failed:
            validated(codec, given)
        assert (failed.value.index, failed.value.path) == (wrong[0], "[0][0]")


@pytest.mark.parametrize(
    ("type_info", "array", "words"),
    [
        (Types.LIST(LONG), pa.array([[1], [2, None]]), "value[1]: None is not a LONG"),
        (
            Types.LIST(LONG),
            pa.array([[1], [2.5]]),
            "value[]: a column of Arrow type double does not hold LONG",
        ),
        (
            Types.MAP(STRING, LONG),
            pa.array([[], [(1, 1)]], pa.map_(pa.int8(), pa.int8())),
            "does not hold STRING",
        ),
        (
            Types.MAP(STRING, Types.LIST(LONG)),
            pa.array([[], [("a", []), ("b", [1, None])]], pa.map_(pa.string(), pa.list_(pa.int64()))),
            "value[entry 1][1]: None is not a LONG",
        ),
        (
            Types.MAP(STRING, LONG),
            pa.array([[("a", 1)], [("a", 1), ("b", 2), ("a", 3)]], pa.map_(pa.string(), pa.int64())),
            "two keys, 'a' and 'a', are one",
        ),
        (
            Types.LIST(Types.SQL_TIME()),
            pa.array([[0], [0, 86_400_000_000]], pa.list_(pa.int64())).view(pa.list_(pa.time64("us"))),
            "value[1]: 86400000000 microseconds are not a time of day",
        ),
        (Types.LIST(Types.CHAR()), pa.array([["a"], ["bc"]]), "value[0]: 'bc' has length 2"),
        (
            Types.LIST(Types.TUPLE((LONG, LONG))),
            pa.array([[{"f0": 1, "f1": 1}], [{"f0": 1, "f1": None}]]),
            "value[0][1]: None is not a LONG",
        ),
        (
            Types.LIST(Types.TUPLE((LONG,))),
            pa.array([[], [{"a": 1}]]),
            "the columns ['a'] are not the fields ['f0']",
        ),
    ],
    ids=["null", "number", "key", "in map", "key twice", "time", "text", "in tuple", "name"],
)
def test_errors_name_the_path_of_the_value(type_info: Any, array: pa.Array, words: str) -> None:
    def made(batch: pa.Array) -> pa.Array:
        return array

    with pytest.raises(TaskFailure) as failed:
        given(vectorised(MAP, made, LONG, type_info), [[1, 2]])
    assert words in failed.value.report.summary


def test_fields_are_found_by_name() -> None:
    codec = codec_for(Types.LIST(Types.TUPLE((LONG, LONG))))
    held = validated(codec, pa.array([[{"f1": 2, "f0": 1}], []]))
    assert held.to_pylist() == [[{"f0": 1, "f1": 2}], []]
    assert held.type == codec.arrow


@pytest.mark.parametrize("count", [2, 3, 16, 17, 40])
def test_duplicate_keys_of_a_map_are_refused(count: int) -> None:
    codec = codec_for(Types.MAP(LONG, LONG))
    once, twice = list(range(count)), [*range(count - 1), 0]
    for maps, fits in (([once, once[::-1]], True), ([once, twice], False)):
        array = pa.array([[(key, 0) for key in keys] for keys in maps], codec.arrow)
        if fits:
            assert validated(codec, array).equals(array)
            continue
        with pytest.raises(TypeCheckError, match="two keys, 0 and 0, are one") as failed:
            validated(codec, array)
        assert failed.value.index == 1


def test_keys_equal_in_python_are_duplicates() -> None:
    codec = codec_for(Types.MAP(DOUBLE, LONG))
    nan = float("nan")
    assert len(validated(codec, pa.array([[(nan, 1), (nan, 2)]], codec.arrow))[0]) == 2
    with pytest.raises(TypeCheckError, match=r"0\.0 and -0\.0, are one"):
        validated(codec, pa.array([[(0.0, 1), (-0.0, 2)]], codec.arrow))

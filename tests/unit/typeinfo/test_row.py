"""Row as PyFlink 2.3 has it (tests/oracle/recorded/rows.json); the errors are our own."""

from __future__ import annotations

import copy
import pickle
import sys
import threading

import numpy as np
import pytest

import typeinfo.row as row_module
from typeinfo import PyStreamError, Row, RowKind
from typeinfo.row import RowFieldError, make_row, make_rows


def person() -> Row:
    return Row(name="Ann", age=30)


def test_positional_fields():
    row = Row("Ann", 30)
    assert list(row) == ["Ann", 30]
    assert (row[0], row[-1], row[0:2]) == ("Ann", 30, ["Ann", 30])
    assert len(row) == 2
    assert row.get_field_names() is None


def test_named_fields_keep_the_order_given():
    row = Row(b=2, a=1)
    assert list(row) == [2, 1]
    assert row.get_field_names() == ["b", "a"]


def test_a_named_field_is_read_three_ways():
    row = person()
    assert (row[1], row["age"], row.age) == (30, 30, 30)
    assert row[:1] == ["Ann"]


def test_the_names_returned_are_a_copy():
    row = person()
    row.get_field_names().append("more")
    assert row.get_field_names() == ["name", "age"]


def test_positional_and_named_fields_do_not_mix():
    with pytest.raises(ValueError, match="not both"):
        Row(1, a=2)


def test_one_list_is_one_field():
    assert list(Row([1, 2])) == [[1, 2]]


def test_a_row_of_names_makes_named_rows():
    make = Row("name", "age")
    assert make("Ann", 30) == person()
    assert make("Bob", 3).name == "Bob"
    assert list(make("Ann")) == ["Ann"]
    assert make("Ann").as_dict() == {"name": "Ann"}


def test_a_factory_passes_on_its_kind():
    assert Row.of_kind(RowKind.DELETE, "a")(1).get_row_kind() is RowKind.DELETE


def test_a_factory_refuses_more_values_than_names():
    with pytest.raises(ValueError, match="2 fields but got 3"):
        Row("name", "age")("Ann", 30, 1)


@pytest.mark.parametrize("row", [Row("Ann", 30), Row(), person()], ids=repr)
def test_unknown_fields(row):
    for unknown in ("height", None):
        with pytest.raises(RowFieldError, match=repr(unknown)) as caught:
            row[unknown]
        assert isinstance(caught.value, ValueError)
        assert isinstance(caught.value, KeyError)
        assert isinstance(caught.value, PyStreamError)
        with pytest.raises(RowFieldError):
            row[unknown] = 1
    with pytest.raises(AttributeError, match="height"):
        row.height
    assert not hasattr(row, "height")
    assert not hasattr(row, "_nothing")
    with pytest.raises(IndexError):
        row[2]
    with pytest.raises(IndexError):
        row[2] = 1


def test_a_method_hides_a_field_of_its_name():
    row = Row(as_dict=1)
    assert callable(row.as_dict)
    assert row["as_dict"] == 1


def test_fields_are_set_by_position_slice_and_name():
    row = person()
    row[1] = 31
    assert row.age == 31
    row["age"] = 32
    assert row[1] == 32
    row[0:2] = ["Bob", 33]
    assert row == Row(name="Bob", age=33)


def test_setting_a_field_changes_this_row_only():
    rows = make_rows([(1, 2), (1, 2)], ("a", "b"))
    rows[0]["a"] = 7
    rows[0].set_field_names(["x", "y"])
    assert rows == [Row(x=7, y=2), Row(a=1, b=2)]


def test_attributes_cannot_be_set():
    row = person()
    with pytest.raises(AttributeError, match=r'row\["age"\]'):
        row.age = 1
    with pytest.raises(AttributeError, match="height"):
        row.height = 1
    assert row == person()


def test_fields_of_other_rows_are_not_attributes():
    assert Row(weight=70).weight == 70
    row = person()
    assert not hasattr(row, "weight")
    assert not hasattr(Row("weight"), "weight")
    assert {"name", "age", "as_dict"} <= set(dir(row))
    assert "weight" not in dir(row)
    assert "weight" not in dir(Row)


def test_fields_are_attributes_in_every_thread():
    failures: list[BaseException] = []
    start = threading.Barrier(4)

    def ask() -> None:
        start.wait()
        for turn in range(300):
            names = [f"race_{turn}_{position}" for position in range(10)]
            try:
                getattr(make_row(range(10), names), names[-1])
            except AttributeError as error:
                failures.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert failures == []


def test_names_are_strings():
    row = Row("a", "b")
    for names in ([1, 2], ["a", [1]], "ab"):
        with pytest.raises(RowFieldError, match="field names"):
            row.set_field_names(names)
    for _ in range(2):
        with pytest.raises(RowFieldError, match="field names are strings"):
            Row(1, 2)(3, 4)


def test_fields_of_any_number_of_names_are_attributes(monkeypatch):
    monkeypatch.setattr(row_module, "_MOST_CLASSES", 1)
    row, other = Row(depth=3, as_dict=4, _hidden=5), person()
    again = Row(depth=3, as_dict=4, _hidden=5)
    assert row.depth == again.depth == 3
    assert row == again
    assert type(row) is type(again)
    assert other.age == 30
    assert callable(row.as_dict)
    assert not hasattr(row, "_hidden")
    assert not hasattr(other, "depth")


class Point(Row):
    def distance(self):
        return self.x + self.y


def test_a_subclass_has_its_fields_as_attributes_too():
    point = Point(x=3, y=4)
    assert (point.distance(), point.x, point["y"], len(point)) == (7, 3, 4, 2)
    assert isinstance(point, Point)
    assert type(Row(x=3, y=4)) is type(Row(x=5, y=6)) is not type(point)


def test_membership_is_by_name_if_there_are_names():
    assert "age" in person()
    assert "Ann" not in person()
    assert "Ann" in Row("Ann", 30)
    assert "age" not in Row("Ann", 30)


def test_unpacking():
    name, age = person()
    assert (name, age) == ("Ann", 30)


def test_an_empty_row_is_false():
    assert not Row()
    assert Row(None)


def test_as_dict():
    nested = Row(a=Row(b=1), c=[Row(d=2)], e={"k": Row(f=3)}, g=(Row(h=4),))
    assert nested.as_dict() == {"a": Row(b=1), "c": [Row(d=2)], "e": {"k": Row(f=3)}, "g": (Row(h=4),)}
    assert nested.as_dict(recursive=True) == {
        "a": {"b": 1},
        "c": [{"d": 2}],
        "e": {"k": {"f": 3}},
        "g": (Row(h=4),),
    }


@pytest.mark.parametrize("recursive", [False, True])
def test_as_dict_needs_names(recursive):
    with pytest.raises(TypeError, match="no field names"):
        Row(1, 2).as_dict(recursive)


def test_as_dict_needs_names_inside_too():
    with pytest.raises(TypeError, match="no field names"):
        Row(a=Row(1)).as_dict(recursive=True)


def test_any_integer_is_a_position():
    assert Row("Ann", 30)[np.int64(1)] == 30


def test_set_field_names():
    row = Row("Ann", 30)
    row.set_field_names(["name", "age"])
    assert row == person()


def test_a_string_is_not_a_list_of_names():
    with pytest.raises(ValueError, match="not as the string 'ab'"):
        Row(1, 2).set_field_names("ab")


def test_fewer_names_than_values_leave_values_without_name():
    row = Row(1, 2)
    row.set_field_names(["a"])
    assert list(row) == [1, 2]
    assert row.as_dict() == {"a": 1}
    assert repr(row) == "Row(a=1)"
    assert row["a"] == 1


def test_repeated_names_find_the_first_value():
    row = Row(1, 2)
    row.set_field_names(["a", "a"])
    assert row["a"] == 1
    assert row.as_dict() == {"a": 2}
    assert repr(row) == "Row(a=1, a=2)"


def test_get_fields_by_names():
    assert person().get_fields_by_names(["age", "name"]) == [30, "Ann"]
    assert Row(1, 2).get_fields_by_names(["x", "y"]) == [1, 2]
    with pytest.raises(RowFieldError, match="'height'"):
        person().get_fields_by_names(["height"])


EQUAL = [
    (Row(), Row()),
    (Row(1, "a"), Row(1, "a")),
    (Row(1), Row(1.0)),
    (Row(a=1, b=2), Row(a=1, b=2)),
    (Row(a=1, b=2), Row(b=2, a=1)),
    (Row("a", "b")(1, 2), Row(a=1, b=2)),
    (Row("a", "a", "b")(0, 1, 2), Row("b", "a", "a")(2, 3, 1)),
    (Row.of_kind(RowKind.DELETE, 1), Row.of_kind(RowKind.DELETE, 1)),
]
UNEQUAL = [
    (Row(1), Row(2)),
    (Row(1), Row(1, 1)),
    (Row(a=1), Row(1)),
    (Row(a=1, b=2), Row(a=1, c=2)),
    (Row(a=1, b=2), Row(b=1, a=2)),
    (Row(1), Row.of_kind(RowKind.DELETE, 1)),
    (Row(a=1), Row.of_kind(RowKind.UPDATE_AFTER, a=1)),
    (Row(1, 2), (1, 2)),
    (Row(1, 2), [1, 2]),
    (Row(a=1), {"a": 1}),
]


@pytest.mark.parametrize(("left", "right"), EQUAL, ids=repr)
def test_equal(left, right):
    assert left == right
    assert right == left
    assert hash(left) == hash(right)


@pytest.mark.parametrize(("left", "right"), UNEQUAL, ids=repr)
def test_unequal(left, right):
    assert left != right
    assert right != left


def test_rows_have_no_order():
    with pytest.raises(TypeError):
        assert Row(1) < Row(2)


def test_a_hash_is_that_of_the_values():
    assert hash(Row(a=1, b=2)) == hash(Row(1, 2)) == hash((1, 2))
    assert hash(Row(1)) == hash(Row.of_kind(RowKind.DELETE, 1))
    assert hash(Row(a=1, b=2)) != hash(Row(a=2, b=1))
    with pytest.raises(TypeError, match="unhashable"):
        hash(Row([1]))


TEXTS = [
    (Row("Ann", 30), "<Row('Ann', 30)>"),
    (Row(), "<Row()>"),
    (person(), "Row(name='Ann', age=30)"),
    (Row.of_kind(RowKind.DELETE, "Ann"), "<Row('Ann')>"),
    (Row.of_kind(RowKind.UPDATE_BEFORE, a="Ann"), "Row(a='Ann')"),
    (Row(a=Row(1, None), b=Row(c="x")), "Row(a=<Row(1, None)>, b=Row(c='x'))"),
]


@pytest.mark.parametrize(("row", "text"), TEXTS)
def test_text(row, text):
    assert repr(row) == str(row) == f"{row}" == text


def test_kinds():
    assert [(kind.name, kind.value, str(kind)) for kind in RowKind] == [
        ("INSERT", 0, "+I"),
        ("UPDATE_BEFORE", 1, "-U"),
        ("UPDATE_AFTER", 2, "+U"),
        ("DELETE", 3, "-D"),
    ]
    row = Row(1)
    assert row.get_row_kind() is RowKind.INSERT
    row.set_row_kind(RowKind.DELETE)
    assert row.get_row_kind() is RowKind.DELETE
    assert Row.of_kind(RowKind.UPDATE_AFTER, a=1).as_dict() == {"a": 1}


COPIES = [
    Row(),
    Row(1, "a"),
    person(),
    Row.of_kind(RowKind.DELETE, a=1),
    Row.of_kind(RowKind.UPDATE_AFTER, 1),
]


@pytest.mark.parametrize("row", COPIES, ids=repr)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(row, protocol):
    assert pickle.loads(pickle.dumps(row, protocol)) == row


@pytest.mark.parametrize("row", COPIES, ids=repr)
def test_copy(row):
    assert copy.copy(row) == copy.deepcopy(row) == row


def test_a_copy_is_shallow_and_a_deep_copy_deep():
    row = Row(a=[1])
    shallow, deep = copy.copy(row), copy.deepcopy(row)
    row.a.append(2)
    row["a"] = [*row.a, 3]
    assert shallow.a == [1, 2]
    assert deep.a == [1]


def test_make_row_and_make_rows():
    assert make_row([1, 2], None) == Row(1, 2)
    assert make_row((1, 2), ["a", "b"], RowKind.DELETE) == Row.of_kind(RowKind.DELETE, a=1, b=2)
    kinds = [RowKind.DELETE, RowKind.INSERT]
    rows = make_rows([(1,), (2,)], None, kinds)
    assert rows == [Row.of_kind(RowKind.DELETE, 1), Row(2)]
    assert [type(row) for row in rows] == [Row, Row]

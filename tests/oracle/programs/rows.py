"""Rows in plain Python: construction, access, equality, text, kinds, pickling."""

from __future__ import annotations

import copy
import pickle

from pystream.common import Row, RowKind


def _person() -> Row:
    return Row(name="Ann", age=30)


def _labelled() -> Row:
    row = Row("Ann", 30)
    row.set_field_names(["name", "age"])
    return row


def _set(row, key, value):
    row[key] = value
    return row


def _set_attribute(row, name, value):
    setattr(row, name, value)
    return row


def _kind(row, kind):
    row.set_row_kind(kind)
    return row


CASES = {
    "empty": lambda: Row(),
    "positional": lambda: Row("Ann", 30),
    "named_keeps_order": lambda: Row(b=2, a=1),
    "both_forms": lambda: Row(1, a=2),
    "from_one_list": lambda: Row([1, 2]),
    "factory": lambda: Row("name", "age")("Ann", 30),
    "factory_too_many": lambda: Row("name", "age")("Ann", 30, 1),
    "factory_too_few": lambda: Row("name", "age")("Ann"),
    "factory_keeps_kind": lambda: Row.of_kind(RowKind.DELETE, "a", "b")(1, 2),
    "of_kind": lambda: Row.of_kind(RowKind.DELETE, 1, "a"),
    "of_kind_named": lambda: Row.of_kind(RowKind.UPDATE_AFTER, a=1, b=2),
    "index": lambda: Row("Ann", 30)[0],
    "index_negative": lambda: Row("Ann", 30)[-1],
    "index_beyond": lambda: Row("Ann", 30)[2],
    "slice": lambda: Row(1, 2, 3, 4)[1:3],
    "slice_named": lambda: Row(a=1, b=2, c=3)[:2],
    "key": lambda: _person()["age"],
    "key_missing": lambda: _person()["height"],
    "key_unnamed": lambda: Row("Ann", 30)["age"],
    "key_none": lambda: _person()[None],
    "attribute": lambda: _person().age,
    "attribute_missing": lambda: _person().height,
    "attribute_unnamed": lambda: Row("Ann", 30).age,
    "attribute_private": lambda: _person()._nothing,
    "hasattr_missing": lambda: hasattr(_person(), "height"),
    "method_name_as_field": lambda: callable(Row(as_dict=1).as_dict),
    "set_index": lambda: _set(Row("Ann", 30), 1, 31),
    "set_slice": lambda: _set(Row(1, 2, 3), slice(0, 2), [7, 8]),
    "set_key": lambda: _set(_person(), "age", 31),
    "set_key_missing": lambda: _set(_person(), "height", 1),
    "set_key_unnamed": lambda: _set(Row(1), "age", 31),
    "set_index_beyond": lambda: _set(Row(1), 3, 31),
    "set_attribute": lambda: _set_attribute(_person(), "age", 31),
    "contains_name": lambda: ("age" in _person(), "Ann" in _person()),
    "contains_value_unnamed": lambda: ("Ann" in Row("Ann", 30), "age" in Row("Ann", 30)),
    "iterate": lambda: list(_person()),
    "unpack": lambda: (lambda name, age: (age, name))(*_person()),
    "length": lambda: (len(Row()), len(_person())),
    "truth_of_empty": lambda: bool(Row()),
    "as_dict": lambda: _person().as_dict(),
    "as_dict_unnamed": lambda: Row(1, 2).as_dict(),
    "as_dict_nested": lambda: Row(a=Row(b=1), c=[Row(d=2)], e={"k": Row(f=3)}).as_dict(),
    "as_dict_recursive": lambda: Row(a=Row(b=1), c=[Row(d=2)], e={"k": Row(f=3)}).as_dict(True),
    "as_dict_recursive_tuple": lambda: Row(a=(Row(b=1),)).as_dict(True),
    "as_dict_recursive_unnamed_inside": lambda: Row(a=Row(1)).as_dict(True),
    "set_field_names": lambda: _labelled(),
    "set_field_names_too_few": lambda: _too_few_names(),
    "fields_by_names": lambda: _person().get_fields_by_names(["age", "name"]),
    "fields_by_names_missing": lambda: _person().get_fields_by_names(["height"]),
    "fields_by_names_unnamed": lambda: Row(1, 2).get_fields_by_names(["x", "y"]),
    "equal": lambda: Row(1, "a") == Row(1, "a"),
    "equal_named": lambda: _person() == Row(name="Ann", age=30),
    "equal_set_names": lambda: _person() == _labelled(),
    "equal_other_order": lambda: Row(a=1, b=2) == Row(b=2, a=1),
    "equal_other_names": lambda: Row(a=1, b=2) == Row(a=1, c=2),
    "equal_named_and_unnamed": lambda: (Row(a=1) == Row(1), Row(1) == Row(a=1)),
    "equal_other_kind": lambda: Row(1) == Row.of_kind(RowKind.DELETE, 1),
    "equal_tuple": lambda: Row(1, 2) == (1, 2),
    "tuple_equal": lambda: (1, 2).__eq__(Row(1, 2)) is NotImplemented,
    "equal_list": lambda: Row(1, 2) == [1, 2],
    "equal_int_float": lambda: Row(1) == Row(1.0),
    "less_than": lambda: Row(1) < Row(2),
    "hash_is_tuples": lambda: hash(Row(a=1, b=2)) == hash((1, 2)),
    "hash_ignores_names": lambda: hash(Row(a=1, b=2)) == hash(Row(1, 2)),
    "hash_of_other_order": lambda: hash(Row(a=1, b=2)) == hash(Row(b=2, a=1)),
    "hash_ignores_kind": lambda: hash(Row(1)) == hash(Row.of_kind(RowKind.DELETE, 1)),
    "hash_of_list_inside": lambda: hash(Row([1])),
    "repr": lambda: repr(Row("Ann", 30)),
    "repr_empty": lambda: repr(Row()),
    "repr_named": lambda: repr(_person()),
    "repr_kind": lambda: repr(Row.of_kind(RowKind.DELETE, "Ann", 30)),
    "repr_nested": lambda: repr(Row(a=Row(1, None), b=Row(c="x"))),
    "str": lambda: str(Row("Ann", 30)),
    "str_named": lambda: str(_person()),
    "str_kind": lambda: str(Row.of_kind(RowKind.UPDATE_BEFORE, a="Ann")),
    "format": lambda: f"{_person()}",
    "kind_default": lambda: Row().get_row_kind(),
    "kind_set": lambda: _kind(Row(1), RowKind.UPDATE_BEFORE).get_row_kind(),
    "kind_texts": lambda: [str(kind) for kind in RowKind],
    "kind_reprs": lambda: [repr(kind) for kind in RowKind],
    "kind_values": lambda: [(kind.name, kind.value) for kind in RowKind],
    "kind_of_value": lambda: RowKind(3),
    "pickle": lambda: pickle.loads(pickle.dumps(Row(1, "a"))),
    "pickle_named": lambda: pickle.loads(pickle.dumps(_person())),
    "pickle_kind": lambda: pickle.loads(pickle.dumps(Row.of_kind(RowKind.DELETE, a=1))),
    "copy": lambda: copy.copy(_person()),
    "deepcopy": lambda: copy.deepcopy(Row(a=[1])),
    "delete_item": lambda: _person().__delitem__(0),
    "duplicate_names": lambda: _duplicates(),
}


def _too_few_names():
    row = Row(1, 2)
    row.set_field_names(["a"])
    return [list(row), row.as_dict(), repr(row), row["a"]]


def _duplicates():
    row = Row(1, 2)
    row.set_field_names(["a", "a"])
    return [list(row), row.as_dict(), repr(row), row["a"]]


def evaluate(case):
    return case()

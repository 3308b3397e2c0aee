"""Configuration, as in PyFlink 2.3."""

from __future__ import annotations

import copy
import pickle

import pytest

from pystream.common.config_options import ConfigOptions
from pystream.common.configuration import Configuration
from pystream.errors import ConfigurationError


def filled() -> Configuration:
    return (
        Configuration()
        .set_string("s", "v")
        .set_integer("i", 5)
        .set_boolean("b", True)
        .set_float("f", 1.5)
        .set_bytearray("y", bytearray(b"abc"))
    )


def test_values_are_read_back() -> None:
    configuration = filled()
    assert configuration.get_string("s", "d") == "v"
    assert configuration.get_integer("i", 0) == 5
    assert configuration.get_boolean("b", False) is True
    assert configuration.get_float("f", 0.0) == 1.5
    assert configuration.get_bytearray("y", bytearray()) == bytearray(b"abc")


def test_values_are_converted_by_their_text() -> None:
    configuration = filled().set_string("n", "12")
    assert configuration.get_string("i", "") == "5"
    assert configuration.get_string("b", "") == "true"
    assert configuration.get_float("i", 0.0) == 5.0
    assert configuration.get_integer("n", 0) == 12
    assert configuration.set_string("n", "True").get_boolean("n", False) is True
    assert configuration.set_string("n", "1e3").get_float("n", 0.0) == 1000.0
    assert configuration.set_integer("n", 2**40).get_integer("n", 0) == 2**40


@pytest.mark.parametrize(
    ("key", "getter"),
    [
        ("s", "get_integer"),
        ("s", "get_boolean"),
        ("s", "get_float"),
        ("s", "get_bytearray"),
        ("i", "get_boolean"),
        ("b", "get_integer"),
        ("b", "get_float"),
        ("f", "get_integer"),
        ("f", "get_boolean"),
    ],
)
def test_values_that_cannot_be_converted_are_refused(key: str, getter: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^{key}: .* is not allowed; it takes "):
        getattr(filled(), getter)(key, None)


def test_a_missing_key_returns_the_default() -> None:
    configuration = Configuration()
    assert configuration.get_string("x", "d") == "d"
    assert configuration.get_string("x", None) is None
    assert configuration.get_integer("x", None) is None
    assert configuration.get_boolean("x", True) is True
    assert configuration.get_float("x", 2.5) == 2.5
    assert configuration.get_bytearray("x", bytearray(b"z")) == bytearray(b"z")


@pytest.mark.parametrize(
    ("setter", "value"),
    [
        ("set_string", 5),
        ("set_string", None),
        ("set_integer", 1.5),
        ("set_integer", 2**63),
        ("set_integer", True),
        ("set_boolean", 1),
        ("set_float", "x"),
        ("set_bytearray", "x"),
    ],
)
def test_setters_refuse_other_types_and_change_nothing(setter: str, value: object) -> None:
    configuration = Configuration()
    with pytest.raises(ConfigurationError, match=f"{setter} takes .* as value"):
        getattr(configuration, setter)("k", value)
    assert configuration.key_set() == set()


def test_keys_are_text() -> None:
    with pytest.raises(ConfigurationError, match="takes a str, not None, as key"):
        Configuration().set_string(None, "x")  # type: ignore[arg-type]


def test_keys_are_listed_and_removed() -> None:
    configuration = filled()
    assert configuration.key_set() == {"s", "i", "b", "f", "y"}
    assert configuration.contains_key("s")
    assert configuration.remove_config("s") is True
    assert configuration.remove_config("s") is False
    assert not configuration.contains_key("s")


def test_all_settings_as_text_and_as_values() -> None:
    assert filled().to_dict() == {
        "s": "v",
        "i": "5",
        "b": "true",
        "f": "1.5",
        "y": "!!binary |-\n  YWJj",
    }
    target = {"s": "old", "other": 1}
    filled().add_all_to_dict(target)
    assert target == {"s": "v", "other": 1, "i": 5, "b": True, "f": 1.5, "y": bytearray(b"abc")}


def test_settings_of_another_configuration_are_added() -> None:
    configuration = Configuration.from_dict({"q": "0", "a": "1"})
    other = Configuration.from_dict({"a": "b"})
    assert configuration.add_all(other, "p.").to_dict() == {"q": "0", "a": "1", "p.a": "b"}
    assert configuration.add_all(other).to_dict() == {"q": "0", "a": "b", "p.a": "b"}


def test_a_copy_is_independent() -> None:
    original = Configuration.from_dict({"a": "1"})
    for made in (Configuration(original), copy.deepcopy(original), pickle.loads(pickle.dumps(original))):
        assert made == original
        made.set_string("z", "z")
        assert original.to_dict() == {"a": "1"}


def test_changes_of_a_list_do_not_reach_the_configuration() -> None:
    option = ConfigOptions.key("k").string_list_type().no_default_value()
    given = ["a"]
    configuration = Configuration().set(option, given)
    given.append("b")
    (configuration.get(option) or []).append("c")
    assert configuration.get(option) == ["a"]


def test_equality_and_hash() -> None:
    assert Configuration.from_dict({"a": "1", "b": "2"}) == Configuration.from_dict({"b": "2", "a": "1"})
    assert hash(filled()) == hash(filled())
    assert Configuration().set_string("a", "1") != Configuration().set_integer("a", 1)
    assert Configuration().set_integer("a", 1) != Configuration().set_boolean("a", True)
    assert Configuration() != {}


def test_from_dict_refuses_other_values_than_text() -> None:
    with pytest.raises(ConfigurationError, match=r"from_dict takes a str, not 1 \(int\), as map\['a'\]"):
        Configuration.from_dict({"a": 1})  # type: ignore[dict-item]


def test_text_hides_secrets() -> None:
    configuration = Configuration.from_dict({"my.Password": "x", "s3.secret": "y", "a.key": "z"})
    assert str(configuration) == "{my.Password=******, s3.secret=******, a.key=z}"
    assert "x" not in repr(configuration).replace("x}", "")
    assert configuration.to_dict()["my.Password"] == "x"
    assert str(Configuration()) == "{}"


def test_list_values() -> None:
    assert Configuration.parse_list_value("a;b") == ["a", "b"]
    assert Configuration.parse_list_value("['a', 'b']") == ["a", "b"]
    assert Configuration.parse_list_value("") == []

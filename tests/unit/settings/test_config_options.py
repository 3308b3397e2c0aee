"""ConfigOption: keys, types, defaults and ranges."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from pystream.common.config_options import ConfigOptions
from pystream.common.configuration import Configuration
from pystream.common.time import Duration
from pystream.datastream.execution_mode import RuntimeExecutionMode
from pystream.errors import ConfigurationError, PyStreamError
from pystream.settings.config_options import Range
from pystream.settings.memory_size import MemorySize


def test_an_option_has_a_key_a_type_and_a_default() -> None:
    option = ConfigOptions.key("my.size").int_type().default_value(3)
    configuration = Configuration()
    assert configuration.get(option) == 3
    assert not configuration.contains(option)
    configuration.set(option, 5)
    assert configuration.get(option) == 5
    assert configuration.to_dict() == {"my.size": "5"}


def test_an_option_without_a_default_is_none() -> None:
    assert Configuration().get(ConfigOptions.key("k").string_type().no_default_value()) is None


def test_every_type_of_value() -> None:
    key = ConfigOptions.key("k")
    text = Configuration().set_string("k", "PT1S")
    assert text.get(key.duration_type().default_value(Duration(0))) == Duration.of_seconds(1)
    assert Configuration().set_string("k", "1 kb").get(
        key.memory_type().default_value(MemorySize(0))
    ) == MemorySize(1024)
    assert Configuration().set_string("k", "a;b").get(key.string_list_type().default_value([])) == ["a", "b"]
    assert Configuration().set_string("k", "a:b").get(key.map_type().default_value({})) == {"a": "b"}
    assert Configuration().set_string("k", "TRUE").get(key.boolean_type().default_value(False)) is True
    assert Configuration().set_string("k", "1.5").get(key.double_type().default_value(0)) == 1.5
    assert Configuration().set_string("k", "1.5").get(key.float_type().default_value(0)) == 1.5
    assert Configuration().set_string("k", str(2**40)).get(key.long_type().default_value(0)) == 2**40
    mode = key.enum_type(RuntimeExecutionMode).default_value(RuntimeExecutionMode.STREAMING)
    assert Configuration().set_string("k", "batch").get(mode) is RuntimeExecutionMode.BATCH


def test_equality() -> None:
    key = ConfigOptions.key("k")
    assert key.int_type().default_value(3) == ConfigOptions.key("k").int_type().default_value(3)
    assert key.int_type().default_value(3) != key.int_type().default_value(4)


def test_fallback_keys_are_read_after_the_key() -> None:
    option = ConfigOptions.key("new").string_type().no_default_value().with_fallback_keys("old", "older")
    configuration = Configuration.from_dict({"older": "1"})
    assert configuration.get(option) == "1"
    assert configuration.contains(option)
    assert configuration.set_string("old", "2").get(option) == "2"
    assert configuration.set_string("new", "3").get(option) == "3"
    assert configuration.remove(option)
    assert configuration.to_dict() == {}
    assert not configuration.remove(option)
    assert configuration.set_string("older", "1").remove(option)


@pytest.mark.parametrize("value", [0, 11, -1])
def test_values_out_of_range_are_refused(value: int) -> None:
    option = replace(ConfigOptions.key("k").int_type().default_value(-5), allowed=Range(1, 10))
    configuration = Configuration()
    with pytest.raises(
        ConfigurationError,
        match=f"^k: {value} is not allowed; it takes an integer from .*, at least 1 and at most 10$",
    ):
        configuration.set(option, value)
    assert configuration.to_dict() == {}
    with pytest.raises(ConfigurationError, match=f"^k: '{value}' is not allowed"):
        configuration.set_string("k", str(value)).get(option)


def test_bounds_and_extra_values_are_allowed_and_the_default_may_lie_outside() -> None:
    option = replace(ConfigOptions.key("k").int_type().default_value(-5), allowed=Range(1, 10, also=(-1,)))
    configuration = Configuration()
    assert configuration.get(option) == -5
    for value in (1, 10, -1):
        assert configuration.set(option, value).get(option) == value
    with pytest.raises(ConfigurationError, match="at least 1 and at most 10 or -1"):
        configuration.set(option, 0)


def test_the_message_shows_durations_as_text() -> None:
    option = ConfigOptions.key("k").duration_type().default_value(Duration(0))
    option = replace(option, allowed=Range(Duration.of_millis(10)))
    with pytest.raises(ConfigurationError, match=r"^k: 5 ms is not allowed; .*, at least 10 ms$"):
        Configuration().set(option, Duration.of_millis(5))


def test_the_wrong_class_is_refused() -> None:
    option = ConfigOptions.key("k").int_type().default_value(3)
    for value in (True, 1.5, None, "x"):
        with pytest.raises(ConfigurationError, match=r"^k: "):
            Configuration().set(option, cast(Any, value))


def test_the_error_is_a_value_error_and_ours() -> None:
    assert issubclass(ConfigurationError, ValueError)
    assert issubclass(ConfigurationError, PyStreamError)

"""Every setting survives its own text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.common.time import Duration
from pystream.datastream.execution_mode import RuntimeExecutionMode
from pystream.settings import config_values
from pystream.settings.config_values import ValueType, enum_of, to_text
from pystream.settings.memory_size import MemorySize

TEXT = st.text(st.characters(exclude_categories=["Cs"]))

KINDS: list[tuple[ValueType[Any], st.SearchStrategy[Any]]] = [
    (config_values.BOOLEAN, st.booleans()),
    (config_values.INT, st.integers(-(2**31), 2**31 - 1)),
    (config_values.LONG, st.integers(-(2**63), 2**63 - 1)),
    (config_values.DOUBLE, st.floats(allow_nan=False)),
    (config_values.STRING, TEXT),
    (config_values.BYTES, st.binary().map(bytearray)),
    (config_values.DURATION, st.integers(-(2**63), 2**63 - 1).map(Duration)),
    (config_values.MEMORY, st.integers(0, 2**63 - 1).map(MemorySize)),
    (config_values.STRING_LIST, st.lists(TEXT)),
    (config_values.MAP, st.dictionaries(TEXT, TEXT)),
    (enum_of(RuntimeExecutionMode), st.sampled_from(RuntimeExecutionMode)),
]


@pytest.mark.parametrize(("kind", "values"), KINDS)
@given(data=st.data())
def test_text_and_back(kind: ValueType[Any], values: st.SearchStrategy[Any], data: st.DataObject) -> None:
    value = data.draw(values)
    assert kind.parse(to_text(value)) == value
    assert kind.accept(value) == value

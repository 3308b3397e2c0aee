"""Pickling of functions into a plan, and their descriptions in messages."""

from __future__ import annotations

import functools
import pickle
import threading

import pandas as pd
import pytest

from pystream.datastream import StreamExecutionEnvironment
from pystream.plan.function import FunctionPicklingError, UserFunction, call_site, describe_function
from typeinfo import Types


def plain(value: int) -> int:
    return value


class Doubler:
    def __init__(self) -> None:
        self.lock: object = None

    def map(self, value: int) -> int:
        return value * 2


HERE = "test_function.py"


class TestDescribe:
    def test_a_function_by_name_and_line(self) -> None:
        line = plain.__code__.co_firstlineno
        assert describe_function(plain).startswith("plain at ")
        assert describe_function(plain).endswith(f"{HERE}:{line}")

    def test_a_lambda(self) -> None:
        assert describe_function(lambda v: v).startswith("lambda at ")

    def test_wrappers_are_unwrapped(self) -> None:
        assert describe_function(functools.partial(plain, 1)) == describe_function(plain)
        assert describe_function(functools.lru_cache(plain)) == describe_function(plain)

    def test_an_object_by_its_class(self) -> None:
        assert describe_function(Doubler()).startswith("Doubler at ")
        assert HERE in describe_function(Doubler())

    def test_a_bound_method_by_its_function(self) -> None:
        assert describe_function(Doubler().map).startswith("Doubler.map at ")

    @pytest.mark.parametrize(("value", "text"), [(len, "len"), (int, "int"), (str.upper, "str.upper")])
    def test_builtins_by_name(self, value: object, text: str) -> None:
        assert describe_function(value) == text


class TestPickling:
    def test_the_payload_is_the_function_at_that_moment(self) -> None:
        held = Doubler()
        held.lock = "before"
        function = UserFunction.of(held, "map")
        held.lock = "after"
        assert pickle.loads(function.payload).lock == "before"

    def test_a_refusal_names_the_operator_the_function_and_the_captured_variable(self) -> None:
        lock = threading.Lock()

        def locked(value: int) -> int:
            with lock:
                return value

        with pytest.raises(FunctionPicklingError, match=r"map: .*locked at .*\(here: lock\)") as caught:
            UserFunction.of(locked, "map")
        assert "open()" in str(caught.value)

    def test_a_refusal_names_the_attribute_of_an_object(self) -> None:
        held = Doubler()
        held.lock = threading.Lock()
        with pytest.raises(FunctionPicklingError, match=r"Doubler.*\(here: self\.lock\)"):
            UserFunction.of(held, "map")

    def test_a_refusal_names_the_function_to_blame_instead_of_its_wrapper(self) -> None:
        held = Doubler()
        held.lock = threading.Lock()
        with pytest.raises(FunctionPicklingError, match=r"Doubler.*\(here: self\.lock\)"):
            UserFunction.of([held], "map", blamed=held)


@pytest.mark.parametrize("operator", ["map", "key_by"])
def test_a_batch_function_is_pickled_once_and_blamed_itself(operator: str) -> None:
    class Held:
        pickled = 0

        def __reduce__(self) -> tuple[type[int], tuple[int]]:
            Held.pickled += 1
            return int, (0,)

    held, lock = Held(), threading.Lock()

    def held_batch(batch: pd.Series) -> pd.Series:
        return batch + id(held)

    def locked_batch(batch: pd.Series) -> pd.Series:
        with lock:
            return batch

    add = getattr(StreamExecutionEnvironment().from_collection([1], Types.LONG()), operator)
    add(held_batch, Types.LONG())
    assert Held.pickled == 1
    with pytest.raises(FunctionPicklingError, match=rf"{operator}: .*locked_batch at .*\(here: lock\)"):
        add(locked_batch, Types.LONG())


def test_the_call_site_is_the_first_line_outside_the_package() -> None:
    assert call_site().rpartition(":")[0].endswith(HERE)

"""Detection of functions that take batches by their annotations, and the types of their results."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, NewType, Optional, TypeAlias, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pandas import Series as Imported  # noqa: F401
from typing_extensions import TypeAliasType

from pystream.arguments.batches import vector_function
from pystream.common import Configuration, Types
from pystream.datastream import (
    DataStream,
    MapFunction,
    ProcessWindowFunction,
    StreamExecutionEnvironment,
)
from pystream.datastream.functions import KeySelector
from pystream.datastream.window import CountTumblingWindowAssigner
from pystream.engine.vectorised.vector_function import Form
from pystream.errors import PlanError
from tests.explained import paths, why_not_faster
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    import pandas as unknown_pandas

Prices: TypeAlias = pd.Series
Quoted: TypeAlias = "pd.Series[int]"  # type: ignore[type-arg,unused-ignore]
Named = TypeAliasType("Named", "pd.Series[int]")
Endless = TypeAliasType("Endless", "list[Endless]")
Cents = NewType("Cents", pd.Series)
Bounded = TypeVar("Bounded", bound=pd.Series)
Either = TypeVar("Either", pd.Series, pd.DataFrame)
T = TypeVar("T")

LONG, STRING = Types.LONG(), Types.STRING()
PAIR = Types.TUPLE((LONG, STRING))


def series(batch: pd.Series) -> pd.Series:
    return batch


def floats(batch: pd.Series[float]) -> pd.Series[float]:
    return batch


def frame(rows: pd.DataFrame) -> pd.DataFrame:
    return rows


def array(batch: pa.Array) -> pa.Array:
    return batch


def integers(batch: pa.Int64Array) -> pa.Int64Array:
    return batch


def table(rows: pa.RecordBatch) -> pa.RecordBatch:
    return rows


def one(value: int) -> int:
    return value


def maybe(batch: pd.Series | None) -> pd.Series:
    raise NotImplementedError


def optionally(batch: Optional[pd.DataFrame]) -> pd.Series:  # noqa: UP045
    raise NotImplementedError


def second(first: int, batch: pd.Series) -> pd.Series:
    return batch


@dataclass(eq=False)
class Incomparable:
    number: int


class Own:
    """A class that merely sounds like pandas'."""


class Series(Own):
    pass


def own_series(batch: Series) -> Series:
    return batch


class Mapper(MapFunction[Any, Any]):
    def map(self, value: pd.Series) -> pd.Series:
        return value


class OwnSeries(pd.Series):
    pass


class ByArgument(MapFunction[Prices, Any]):
    def map(self, value):  # type: ignore[no-untyped-def]
        raise NotImplementedError


class Generic_(MapFunction[Any, Any], Generic[T]):
    def map(self, value: T) -> T:
        return value


class Derived(Generic_["pd.Series[int]"]):
    pass


class Counted(ProcessWindowFunction[pd.Series, Any, Any, Any]):
    def process(self, key, context, elements):  # type: ignore[no-untyped-def]
        raise NotImplementedError


def annotated(annotation: Any) -> Any:
    def function(batch):  # type: ignore[no-untyped-def]
        raise NotImplementedError

    function.__annotations__ = {"batch": annotation}
    return function


class Callable_:
    def __call__(self, batch: pd.Series) -> pd.Series:
        return batch


def form(function: Any, type_info: TypeInformation[Any] = LONG) -> Form | None:
    vector = vector_function(type_info, function, "map", MapFunction, "map")
    return None if vector is None else vector.form


class TestWhichFunctionsTakeBatches:
    @pytest.mark.parametrize(
        ("function", "type_info", "expected"),
        [
            (series, LONG, Form.SERIES),
            (floats, LONG, Form.SERIES),
            (array, LONG, Form.ARRAY),
            (integers, LONG, Form.ARRAY),
            (frame, PAIR, Form.FRAME),
            (table, PAIR, Form.BATCH),
            (Mapper(), LONG, Form.SERIES),
            (Mapper().map, LONG, Form.SERIES),
            (Callable_(), LONG, Form.SERIES),
            (functools.partial(second, 1), LONG, Form.SERIES),
            (one, LONG, None),
            (own_series, LONG, None),
            (lambda value: value, LONG, None),
            (len, LONG, None),
            (str.upper, STRING, None),
        ],
    )
    def test_annotations_determine_the_format(
        self, function: Any, type_info: Any, expected: Form | None
    ) -> None:
        assert form(function, type_info) is expected

    def test_annotations_need_not_be_strings(self) -> None:
        def real(batch: Any) -> Any:
            return batch

        real.__annotations__ = {"batch": pa.RecordBatch, "return": pa.Array}
        assert form(real, PAIR) is Form.BATCH

    @pytest.mark.parametrize(
        "annotation",
        [
            "Prices",
            "Quoted",
            "Named",
            "Imported",
            "Imported[int]",
            "Annotated[pd.Series[int], 'cents']",
            "Cents",
            "Bounded",
            Prices,
            Named,
            Cents,
            Bounded,
            Annotated[pd.Series, "cents"],
        ],
    )
    def test_aliases_and_type_variables_are_resolved(self, annotation: Any) -> None:
        assert form(annotated(annotation)) is Form.SERIES

    def test_type_arguments_of_the_class_count(self) -> None:
        assert form(ByArgument()) is Form.SERIES
        assert form(Derived()) is Form.SERIES
        assert form(Generic_[pd.Series]()) is Form.SERIES
        assert form(Generic_[int]()) is None

    @pytest.mark.parametrize(
        ("annotation", "name"),
        [
            ("Iterator[pd.Series[int]]", "pandas.Series"),
            (Iterator[pd.Series], "pandas.Series"),
            (list[pd.DataFrame], "pandas.DataFrame"),
            ("tuple[int, pd.Index]", "pandas.Index"),
            (OwnSeries, "OwnSeries"),
            (pa.Table, "pyarrow.Table"),
            ("pa.ChunkedArray", "pyarrow.ChunkedArray"),
            (np.ndarray, "numpy.ndarray"),
            ("np.ndarray | None", "numpy.ndarray"),
            (np.ndarray[Any, np.dtype[np.int64]], "numpy.ndarray"),
        ],
    )
    def test_other_columns_are_refused(self, annotation: Any, name: str) -> None:
        with pytest.raises(PlanError, match=rf"function at .*{name} is neither the class of elements of"):
            form(annotated(annotation))
        own = Types.TUPLE((LONG, Types.PICKLED_BYTE_ARRAY()))
        assert form(annotated(annotation), own) is None  # they may be the elements

    @pytest.mark.parametrize(
        "annotation",
        [
            "Endless",
            Endless,
            Literal["pd.Series"],
            Annotated[np.ndarray, LONG],
            "np.float64",
            "no expression",
            TypeVar("Loose"),  # type: ignore[misc]
            TypeAliasType("Later", "not_known"),  # noqa: F821
        ],
    )
    def test_other_annotations_mean_elements(self, annotation: Any) -> None:
        assert form(annotated(annotation)) is None

    @pytest.mark.parametrize(
        "function",
        [
            maybe,
            optionally,
            annotated("Optional[pd.Series[int]]"),
            annotated(Optional["Prices"]),
            annotated(Either),
            annotated("Either"),
        ],
    )
    def test_unions_of_batches_and_elements_are_refused(self, function: Any) -> None:
        with pytest.raises(PlanError, match="either batches or elements"):
            form(function)

    def test_a_name_that_is_imported_for_type_checkers_only(self) -> None:
        def lost(batch: unknown_pandas.Series) -> unknown_pandas.Series:
            return batch

        assert form(lost) is None  # nothing shows that it belongs to pandas
        lost.__annotations__ = {"batch": "pd_.Series"}
        assert form(lost) is None
        lost.__annotations__ = {"batch": "pandas.Series"}
        with pytest.raises(
            PlanError, match=r"'pandas' in 'pandas.Series' is not known.*import it at run time"
        ):
            form(lost)
        lost.__annotations__ = {"batch": "Optional[pandas.Series[int]]"}
        with pytest.raises(PlanError, match=r"'pandas' in .* is not known"):
            form(lost)


class TestTypes:
    @pytest.mark.parametrize(
        ("function", "type_info", "words"),
        [
            (series, Types.PICKLED_BYTE_ARRAY(), "declare their type earlier"),
            (frame, Types.TUPLE((LONG, Types.PICKLED_BYTE_ARRAY())), "declare their type earlier"),
            (series, PAIR, "annotate pd.DataFrame or pa.RecordBatch"),
            (array, PAIR, "annotate pd.DataFrame or pa.RecordBatch"),
            (frame, LONG, "annotate pd.Series or pa.Array"),
            (table, Types.LIST(LONG), "annotate pd.Series or pa.Array"),
            (frame, Types.TUPLE(()), "no fields"),
            (integers, STRING, "are a pa.StringArray; annotate that"),
        ],
    )
    def test_elements_that_do_not_fit_the_format_are_refused(
        self, function: Any, type_info: Any, words: str
    ) -> None:
        with pytest.raises(PlanError) as refused:
            form(function, type_info)
        assert words in str(refused.value)
        assert f"{function.__name__} at " in str(refused.value)

    def test_a_declared_result_type(self, numbers: DataStream[int]) -> None:
        assert numbers.map(series, STRING).get_type() == STRING

    def test_an_annotated_result_type(self, numbers: DataStream[int]) -> None:
        assert numbers.map(floats).get_type() == Types.DOUBLE()
        assert numbers.map(integers).get_type() == LONG
        assert numbers.flat_map(floats).get_type() == Types.DOUBLE()

    def test_an_unknown_result_type_is_refused(self, numbers: DataStream[int]) -> None:
        for add in (numbers.map, numbers.flat_map):
            with pytest.raises(PlanError, match=r"series at .*declare it with output_type=Types"):
                add(series)
        with pytest.raises(PlanError, match="declare it with key_type=Types"):
            numbers.key_by(series)

    def test_a_declared_type_that_contradicts_the_annotation_is_refused(
        self, numbers: DataStream[int]
    ) -> None:
        with pytest.raises(PlanError, match="contradicts the annotation of floats"):
            numbers.map(floats, STRING)

    def test_a_result_type_without_columns_is_refused(self, numbers: DataStream[int]) -> None:
        with pytest.raises(PlanError, match="has no columns"):
            numbers.map(series, Types.PICKLED_BYTE_ARRAY())

    def test_a_filter_keeps_the_type(self, numbers: DataStream[int]) -> None:
        assert numbers.filter(series).get_type() == LONG

    def test_a_type_that_cannot_be_a_key_is_refused(self, numbers: DataStream[int]) -> None:
        with pytest.raises(PlanError, match="key_by"):
            numbers.key_by(series, Types.of(Incomparable))


class Sizes(ProcessWindowFunction[Any, Any, Any, Any]):
    def process(self, key: Any, context: Any, elements: pd.Series) -> Iterable[Any]:
        yield len(elements)


class Whole(ProcessWindowFunction[Any, Any, Any, Any]):
    def process(self, key: Any, context: Any, elements: pd.DataFrame) -> Iterable[Any]:
        yield len(elements)


class ByItself(KeySelector[Any, Any]):
    def get_key(self, value: pd.Series) -> pd.Series:
        return value


class TestPlans:
    def test_explain_names_the_vectorised_path(self, numbers: DataStream[int]) -> None:
        mapped = numbers.map(series, LONG)
        assert paths(mapped.filter(one)) == ["vectorised", "typed"]
        assert "called once per batch" in why_not_faster(mapped)

    def test_strict_types_accept_batch_functions(self) -> None:
        strict = Configuration().set_string("pystream.strict-types", "true")
        env = StreamExecutionEnvironment.get_execution_environment(strict)
        env.from_collection([1], LONG).map(series, LONG).key_by(ByItself(), LONG).map(series, LONG).explain()

    def test_a_window_function_on_an_aggregate_takes_no_batches(self, numbers: DataStream[int]) -> None:
        windows = numbers.key_by(one).window(CountTumblingWindowAssigner.of(2))
        with pytest.raises(PlanError, match=r"Sizes at .* receives only the aggregate"):
            windows.reduce(lambda a, b: a, Sizes())

    def test_a_window_function_that_takes_other_columns(self, numbers: DataStream[int]) -> None:
        windows = numbers.key_by(one).window(CountTumblingWindowAssigner.of(2))
        with pytest.raises(PlanError, match=r"Whole at .*annotate pd.Series or pa.Array"):
            windows.process(Whole(), LONG)

    def test_a_window_function_that_takes_an_iterable_of_columns(self, numbers: DataStream[int]) -> None:
        windows = numbers.key_by(one).window(CountTumblingWindowAssigner.of(2))
        with pytest.raises(
            PlanError, match=r"Counted at .*pandas.Series is neither the class of elements of"
        ):
            windows.process(Counted(), LONG)

    def test_the_error_names_the_part_that_cannot_be_pickled(self, numbers: DataStream[int]) -> None:
        lines = iter("ab")

        def reads(batch: pd.Series) -> pd.Series:
            return batch + len(next(lines))

        generator = (line for line in "ab")

        def draws(batch: pd.Series) -> Iterator[pd.Series]:
            yield batch + len(next(generator))

        with pytest.raises(Exception, match=r"flat_map: .*draws at .*here: generator"):
            numbers.flat_map(draws, LONG)
        assert numbers.map(reads, LONG).get_type() == LONG


@pytest.fixture
def numbers() -> DataStream[int]:
    env = StreamExecutionEnvironment.get_execution_environment()
    return env.from_collection([1, 2, 3], LONG)

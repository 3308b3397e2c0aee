"""Programs with unbounded sources: modes, types and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common import Configuration, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    MapFunction,
    RuntimeExecutionMode,
    SourceFunction,
    StreamExecutionEnvironment,
)
from pystream.datastream.connectors import DataGeneratorSource, NumberSequenceSource, RateLimiterStrategy
from pystream.errors import ConfigurationError, PlanError, PlanTypeError, UnsupportedOperationError
from pystream.io import ResultTypeQueryable
from typeinfo.info import TypeInformation

NONE = WatermarkStrategy.no_watermarks()


@pytest.fixture
def env() -> StreamExecutionEnvironment:
    configuration = Configuration.from_dict({"pystream.runner": "local"})
    environment = StreamExecutionEnvironment.get_execution_environment(configuration)
    environment.set_parallelism(1)
    return environment


def endless(env: StreamExecutionEnvironment) -> Any:
    source = DataGeneratorSource(str, DataGeneratorSource.UNBOUNDED, type_info=Types.STRING())
    assert not source.is_bounded()
    return env.from_source(source, NONE, "endless")


class Tenfold(MapFunction[int, int]):
    def open(self, runtime_context: Any) -> None:
        self.factor = 10

    def map(self, value: int) -> int:
        return self.factor * value


class Length(TimestampAssigner[str]):
    def extract_timestamp(self, value: str, record_timestamp: int) -> int:
        return len(value)


def test_a_generator_with_a_count_runs_as_a_bounded_source(env: StreamExecutionEnvironment) -> None:
    source = DataGeneratorSource(lambda index: f"user {index}", 3, type_info=Types.STRING())
    assert source.is_bounded()
    assert list(env.from_source(source, NONE, "users").execute_and_collect()) == [
        "user 0",
        "user 1",
        "user 2",
    ]
    none = DataGeneratorSource(str, 0, RateLimiterStrategy.per_second(1), type_info=Types.STRING())
    assert list(env.from_source(none, NONE, "none").execute_and_collect()) == []


def test_a_generator_may_be_a_map_function(env: StreamExecutionEnvironment) -> None:
    source = DataGeneratorSource(Tenfold(), 3, RateLimiterStrategy.per_second(1e6), type_info=Types.LONG())
    stream = env.from_source(source, NONE, "numbers")
    assert stream.get_type() == Types.LONG()
    assert list(stream.execute_and_collect()) == [0, 10, 20]


def test_settings_are_those_of_all_that_makes_the_source(env: StreamExecutionEnvironment) -> None:
    source = DataGeneratorSource(str, 3, type_info=Types.STRING())
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Length())
    stream = env.from_source(source, strategy, "users")
    stream.set_parallelism(2).uid("users").set_uid_hash("0" * 32).name("Users")
    nodes = env._builder.plan([stream._node_id]).nodes
    assert [node.parallelism for node in nodes] == [2, 2, 2]
    assert [node.uid for node in nodes] == ["users", "users:Map", "users:Timestamps/Watermarks"]
    assert [node.settings.uid_hash for node in nodes] == ["0" * 32, None, None]
    assert stream.get_name() == "Users"
    mapped = stream.map(str).set_parallelism(1)
    assert stream.get_parallelism() == 2
    assert mapped.get_parallelism() == 1


@pytest.mark.parametrize("count", [-1, 2**63, 1.0, True, None])
def test_a_count_that_is_none_is_refused(count: int) -> None:
    with pytest.raises(
        ConfigurationError,
        match=r"DataGeneratorSource.* int .*count|count must be an int",
    ):
        DataGeneratorSource(str, count, type_info=Types.STRING())


def test_a_generator_that_is_no_function_is_refused() -> None:
    with pytest.raises(PlanTypeError, match="DataGeneratorSource takes a function or a MapFunction, not 5"):
        DataGeneratorSource(5, 1, type_info=Types.STRING())  # type: ignore[arg-type]
    with pytest.raises(PlanTypeError, match="takes a RateLimiterStrategy such as"):
        DataGeneratorSource(str, 1, 7, type_info=Types.STRING())  # type: ignore[arg-type]


class Words(SourceFunction[str]):
    def run(self, ctx: Any) -> None:
        ctx.collect("word")

    def cancel(self) -> None:
        pass


class TypedWords(Words, ResultTypeQueryable[str]):
    def get_produced_type(self) -> TypeInformation[str]:
        return Types.STRING()


def test_a_source_function_has_one_subtask_and_the_type_that_is_declared(
    env: StreamExecutionEnvironment,
) -> None:
    env.set_parallelism(3)
    stream = env.add_source(Words(), "words", Types.STRING())
    assert (stream.get_name(), stream.get_parallelism()) == ("words", 1)
    assert stream.get_type() is Types.STRING()
    assert env.add_source(TypedWords()).get_type() is Types.STRING()
    assert env.add_source(Words()).get_type() is Types.PICKLED_BYTE_ARRAY()
    with pytest.raises(ConfigurationError, match="parallelism 1 only"):
        stream.set_parallelism(2)


def test_add_source_refuses_what_is_no_source_function(env: StreamExecutionEnvironment) -> None:
    with pytest.raises(PlanTypeError, match="add_source takes a SourceFunction or a Source"):
        env.add_source(object())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="abstract"):
        SourceFunction()  # type: ignore[abstract]


def test_text_of_a_socket_is_a_stream_of_strings(env: StreamExecutionEnvironment) -> None:
    stream = env.socket_text_stream("localhost", 9999)
    assert (stream.get_name(), stream.get_type()) == ("Socket Stream", Types.STRING())
    with pytest.raises(ConfigurationError, match="socket_text_stream: port"):
        env.socket_text_stream("localhost", -1)


@pytest.mark.promise("beh:add-source-streaming-only")
def test_a_source_function_is_refused_in_batch_mode(env: StreamExecutionEnvironment) -> None:
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    with pytest.raises(PlanError, match="batch mode needs bounded sources: 'Custom Source' is unbounded"):
        env.add_source(Words()).execute_and_collect()


def test_batch_mode_refuses_unbounded_sources_by_name(env: StreamExecutionEnvironment) -> None:
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    stream = endless(env)
    with pytest.raises(PlanError, match="batch mode needs bounded sources: 'endless' is unbounded; "):
        stream.execute_and_collect()
    stream.union(endless(env)).print()
    for build in (env.get_execution_plan, env.explain, env.execute):
        with pytest.raises(PlanError, match="'endless' and 'endless' are unbounded"):
            build()


@pytest.mark.promise("beh:runtime-mode-automatic")
def test_automatic_mode_means_batch_only_if_all_sources_are_bounded(env: StreamExecutionEnvironment) -> None:
    env.set_runtime_mode(RuntimeExecutionMode.AUTOMATIC)
    bounded = env.from_source(NumberSequenceSource(1, 3), NONE, "numbers").map(str, Types.STRING())
    assert _is_batch(env, bounded)
    assert not _is_batch(env, bounded.union(endless(env)))
    env.set_runtime_mode(RuntimeExecutionMode.STREAMING)
    assert not _is_batch(env, bounded)


def _is_batch(env: StreamExecutionEnvironment, stream: Any) -> bool:
    sink = stream.print()
    return env._request([sink._node_id], None).execution.batch


def test_what_needs_all_elements_is_refused(env: StreamExecutionEnvironment) -> None:
    with pytest.raises(UnsupportedOperationError, match=r"to_arrow: .*'endless' is unbounded; use take\(n\)"):
        endless(env).to_pandas()
    with pytest.raises(PlanError, match=r"cache\(\) needs bounded sources, but 'endless' is unbounded"):
        endless(env).cache().execute_and_collect(limit=1)


def test_iterations_are_refused(env: StreamExecutionEnvironment) -> None:
    loop = endless(env).iterate()
    loop.close_with(loop.filter(lambda value: False))
    with pytest.raises(PlanError, match="an iteration needs bounded sources, but 'endless' is unbounded"):
        loop.take(1)


def test_the_first_elements_of_an_endless_stream_can_be_taken(env: StreamExecutionEnvironment) -> None:
    assert endless(env).take(3) == ["0", "1", "2"]

"""Settings of environments and operators."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pystream.common import Configuration, ResourceSpec, TypeInformation
from pystream.common.restart_strategy import RestartStrategies
from pystream.common.typeinfo import Types
from pystream.datastream import (
    CheckpointingMode,
    DataStream,
    HashMapStateBackend,
    OutputTag,
    ProcessFunction,
    RuntimeExecutionMode,
    SinkFunction,
    SlotSharingGroup,
    SourceFunction,
    StreamExecutionEnvironment,
    TimeCharacteristic,
)
from pystream.datastream.environment.settings import EnvironmentSettings
from pystream.engine.connectors.interfaces import BoundedSink
from pystream.errors import ConfigurationError, PlanError, UnsupportedOperationError
from pystream.settings.submission import submit_options


@pytest.fixture
def env(monkeypatch: pytest.MonkeyPatch) -> StreamExecutionEnvironment:
    monkeypatch.delenv("FLINK_CONF_DIR", raising=False)
    return StreamExecutionEnvironment.get_execution_environment()


@pytest.fixture
def stream(env: StreamExecutionEnvironment) -> DataStream[int]:
    return env.from_collection([1, 2], Types.INT()).map(lambda value: value, Types.INT())


# parallelism


@pytest.mark.promise("beh:local-parallelism-cores")
def test_the_default_parallelism_is_the_number_of_cores(env: StreamExecutionEnvironment) -> None:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert env.get_default_local_parallelism() == env.get_parallelism() == cores


def test_the_local_default_holds_for_all_environments(
    env: StreamExecutionEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EnvironmentSettings, "_default_local_parallelism", None)
    StreamExecutionEnvironment.set_default_local_parallelism(7)
    assert env.get_parallelism() == 7
    assert StreamExecutionEnvironment.get_execution_environment().get_parallelism() == 7
    assert env.set_parallelism(3).get_parallelism() == 3


@pytest.mark.promise("beh:dataset.parallelism-default-config", "beh:jython.parallelism-default-config")
def test_the_configuration_file_sets_the_default_parallelism(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "flink-conf.yaml").write_text("parallelism.default: 5\n")
    monkeypatch.setenv("FLINK_CONF_DIR", str(tmp_path))
    assert StreamExecutionEnvironment.get_execution_environment().get_parallelism() == 5


class Passing(ProcessFunction[int, int]):
    def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[int]:
        yield value


def test_a_side_output_has_the_parallelism_of_its_operator(stream: DataStream[int]) -> None:
    operator = stream.process(Passing(), Types.INT())
    side_output = operator.get_side_output(OutputTag("late", Types.INT()))
    operator.set_parallelism(3).set_max_parallelism(6)
    assert side_output.get_parallelism() == side_output.cache().get_parallelism() == 3
    assert side_output.get_max_parallelism() == 6


@pytest.mark.promise("beh:max-parallelism-bounds")
def test_parallelism_and_its_maximum_have_bounds(
    env: StreamExecutionEnvironment, stream: DataStream[int]
) -> None:
    assert env.get_max_parallelism() == -1
    assert env.set_max_parallelism(32767).get_max_parallelism() == 32767
    assert env.set_max_parallelism(1).get_max_parallelism() == 1
    setters: list[Any] = [env.set_max_parallelism, stream.set_max_parallelism, stream.set_parallelism]
    for bad in (0, -3, 32769, 1.5, "2", True):
        for setter in setters:
            with pytest.raises(ConfigurationError, match="parallelism"):
                setter(bad)
    for bad in (0, -2, 1.5, "2"):
        with pytest.raises(ConfigurationError, match="parallelism"):
            env.set_parallelism(bad)  # type: ignore[arg-type]


def test_minus_one_leaves_the_parallelism_to_the_machine(
    env: StreamExecutionEnvironment, stream: DataStream[int]
) -> None:
    assert env.set_parallelism(-1).get_parallelism() == -1
    assert stream.map(str).get_parallelism() == env.get_default_local_parallelism()
    with pytest.raises(TypeError, match=r"takes a str or None, not 3 .* as name"):
        stream.map(str).name(3)  # type: ignore[arg-type]


def test_a_parallelism_above_its_maximum_is_refused(stream: DataStream[int]) -> None:
    stream.set_max_parallelism(2).set_parallelism(3).name("wide").print()
    with pytest.raises(PlanError, match=r"'wide'.*parallelism 3.*maximum 2"):
        stream.get_execution_environment().get_execution_plan()


@pytest.mark.promise("beh:force-non-parallel-fixed")
def test_a_non_parallel_operator_refuses_another_parallelism(
    env: StreamExecutionEnvironment, stream: DataStream[int]
) -> None:
    stream.force_non_parallel()
    assert stream.get_parallelism() == stream.get_max_parallelism() == 1
    for refused in (stream.set_parallelism, stream.set_max_parallelism):
        with pytest.raises(ConfigurationError, match="parallelism 1"):
            refused(2)
    assert stream.set_parallelism(1) is stream
    source = env.from_collection([1])
    with pytest.raises(ConfigurationError, match="parallelism 1"):
        source.set_parallelism(2)


# names, ids, chaining, resources


def test_an_operators_settings_are_read_back(stream: DataStream[int]) -> None:
    spec = ResourceSpec.new_builder(1.0, 10).build()
    more = ResourceSpec.new_builder(2.0, 20).build()
    assert stream.get_min_resources() is None
    assert stream.name("named").uid("id-1").set_parallelism(3).set_max_parallelism(9) is stream
    assert stream.set_resources(spec).get_preferred_resources() == spec
    assert stream.set_resources(spec, more).get_preferred_resources() == more
    assert stream.get_min_resources() == spec
    assert (stream.get_name(), stream.get_uid()) == ("named", "id-1")
    assert (stream.get_parallelism(), stream.get_max_parallelism()) == (3, 9)


def test_each_use_of_a_stream_sees_its_settings(stream: DataStream[int]) -> None:
    again = stream.name("first")
    stream.name("second")
    assert again.get_name() == "second"


@pytest.mark.promise("beh:uid-unique")
def test_ids_are_unique_in_a_job(env: StreamExecutionEnvironment, stream: DataStream[int]) -> None:
    hashes = ["0123456789abcdef" * 2, "0123456789abcdef" * 2]
    for setter, values in (("uid", ["same", "same"]), ("set_uid_hash", hashes)):
        first = stream.map(lambda value: value).name(f"first {setter}")
        second = first.map(lambda value: value).name(f"second {setter}")
        getattr(first, setter)(values[0])
        getattr(second, setter)(values[1])
        second.print()
        with pytest.raises(PlanError, match=f"{values[0]}.*'first {setter}'.*'second {setter}'.*unique"):
            env.get_execution_plan()
        env.close()


def test_malformed_ids_are_refused(stream: DataStream[int]) -> None:
    for bad in ("", "xyz", "0" * 31, "g" * 32):
        with pytest.raises(ConfigurationError, match="32 hexadecimal"):
            stream.set_uid_hash(bad)
    with pytest.raises((ConfigurationError, PlanError), match="uid"):
        stream.uid("")


def test_partitionings_and_unions_are_not_operators(stream: DataStream[int]) -> None:
    for spread in (stream.rebalance(), stream.broadcast(), stream.union(stream)):
        for setter, value in (("uid", "u"), ("set_parallelism", 2), ("set_max_parallelism", 2)):
            with pytest.raises(PlanError, match="not an operator"):
                getattr(spread, setter)(value)
        with pytest.raises(PlanError, match="not an operator"):
            spread.disable_chaining()


@pytest.mark.parametrize(
    ("setting", "arguments"),
    [
        ("name", ["n"]),
        ("uid", ["u"]),
        ("set_uid_hash", ["0" * 32]),
        ("set_description", ["d"]),
        ("set_parallelism", [2]),
        ("set_max_parallelism", [2]),
        ("force_non_parallel", []),
        ("set_buffer_timeout", [1]),
        ("start_new_chain", []),
        ("disable_chaining", []),
        ("slot_sharing_group", ["g"]),
        ("set_resources", [None]),
    ],
)
def test_keyed_streams_are_not_operators(stream: DataStream[int], setting: str, arguments: list[Any]) -> None:
    keyed = stream.key_by(lambda value: value, Types.INT())
    with pytest.raises(PlanError, match=f"{setting}: a KeyedStream is not an operator; call it before or"):
        getattr(keyed, setting)(*arguments)


@pytest.mark.promise("beh:chaining-strategy-config")
def test_chains_are_cut_where_the_program_says(env: StreamExecutionEnvironment) -> None:
    env.set_parallelism(1)

    def tasks(cut: str | None) -> list[int]:
        streams = [env.from_collection([1], Types.INT())]
        for _ in range(3):
            streams.append(streams[-1].map(lambda value: value, Types.INT()))
        if cut is not None:
            getattr(streams[2], cut)()
        streams[-1].print()
        plan = env._request(env._builder.pending, None).plan
        env.close()
        chains = [node.chain for node in plan.nodes]
        return [sorted(set(chains), key=chains.index).index(chain) for chain in chains]

    assert tasks(None) == [0, 0, 0, 0, 0]
    assert tasks("start_new_chain") == [0, 0, 1, 1, 1]
    assert tasks("disable_chaining") == [0, 0, 1, 2, 2]
    assert env.is_chaining_enabled()
    env.disable_operator_chaining()
    assert not env.is_chaining_enabled()
    assert tasks(None) == [0, 1, 2, 3, 4]


@pytest.mark.promise("beh:buffer-timeout-modes")
def test_buffer_timeouts_are_periodic_immediate_or_off(
    env: StreamExecutionEnvironment, stream: DataStream[int]
) -> None:
    assert env.get_buffer_timeout() == 100
    for timeout in (7, 0, -1):
        assert env.set_buffer_timeout(timeout).get_buffer_timeout() == timeout
        assert stream.set_buffer_timeout(timeout) is stream
    for setter in (env.set_buffer_timeout, stream.set_buffer_timeout):
        with pytest.raises(ConfigurationError, match="-1 or more"):
            setter(-2)


# the environment


@pytest.mark.promise("beh:setters-return-self")
def test_setters_return_their_object(env: StreamExecutionEnvironment, stream: DataStream[int]) -> None:
    group = SlotSharingGroup.builder("g").build()
    for answer in (
        env.set_parallelism(1),
        env.set_max_parallelism(9),
        env.set_runtime_mode(RuntimeExecutionMode.BATCH),
        env.set_buffer_timeout(1),
        env.disable_operator_chaining(),
        env.register_slot_sharing_group(group),
        env.enable_checkpointing(1000),
        env.set_state_backend(HashMapStateBackend()),
        env.set_default_savepoint_directory("file:///tmp/s"),
    ):
        assert answer is env
    sink = stream.print()
    for handle in (stream, sink):
        for setter, value in (
            ("name", "n"),
            ("uid", "u"),
            ("set_parallelism", 1),
            ("slot_sharing_group", "g"),
            ("slot_sharing_group", group),
        ):
            assert getattr(handle, setter)(value) is handle
        assert handle.disable_chaining() is handle


def test_settings_are_read_back(env: StreamExecutionEnvironment) -> None:
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(3, 5))
    assert env.get_restart_strategy() == RestartStrategies.fixed_delay_restart(3, 5)
    env.set_stream_time_characteristic(TimeCharacteristic.ProcessingTime)
    assert env.get_stream_time_characteristic() is TimeCharacteristic.ProcessingTime
    assert env.get_config().get_auto_watermark_interval() == 0
    env.enable_checkpointing(2000, CheckpointingMode.AT_LEAST_ONCE)
    assert env.get_checkpoint_interval() == env.get_checkpoint_config().get_checkpoint_interval() == 2000
    assert env.get_checkpointing_mode() is CheckpointingMode.AT_LEAST_ONCE
    assert isinstance(env.set_state_backend(HashMapStateBackend()).get_state_backend(), HashMapStateBackend)
    assert env.get_default_savepoint_directory() is None
    assert env.set_default_savepoint_directory("hdfs://s").get_default_savepoint_directory() == "hdfs://s"


def test_an_environment_takes_a_configuration_and_keeps_its_own(env: StreamExecutionEnvironment) -> None:
    configuration = Configuration.from_dict({"parallelism.default": "4", "my.key": "mine"})
    made = StreamExecutionEnvironment(configuration)
    assert made.get_parallelism() == 4
    assert made.get_configuration().get_string("my.key", "") == "mine"
    made.set_parallelism(2)
    assert configuration.to_dict()["parallelism.default"] == "4"
    assert env.get_configuration().get_string("my.key", "none") == "none"


@pytest.fixture
def submitted() -> Iterator[None]:
    yield
    submit_options({})


@pytest.mark.promise("beh:runtime-mode-config")
def test_the_command_line_chooses_the_mode(submitted: None, env: StreamExecutionEnvironment) -> None:
    submit_options({"execution.runtime-mode": "BATCH", "parallelism.default": "3"})
    started = StreamExecutionEnvironment.get_execution_environment(
        Configuration.from_dict({"execution.runtime-mode": "STREAMING"})
    )
    assert started.get_configuration().get_string("execution.runtime-mode", "") == "BATCH"
    assert started.get_parallelism() == 3


def test_an_unknown_mode_is_refused(env: StreamExecutionEnvironment) -> None:
    with pytest.raises(ConfigurationError, match=r"execution\.runtime-mode.*SIDEWAYS"):
        env.configure(Configuration.from_dict({"execution.runtime-mode": "SIDEWAYS"}))


# sources, sinks and functions


@pytest.mark.promise("beh:flip-class-bases")
def test_function_classes_share_a_base() -> None:
    from pystream.datastream import functions

    for name in ("MapFunction", "FlatMapFunction", "FilterFunction", "ProcessFunction"):
        base: type[Any] = getattr(functions, name)
        assert issubclass(base, functions.Function)
        assert {"open", "close"} <= set(dir(base))


@pytest.mark.promise("beh:primitive-array-typeerror")
def test_a_primitive_array_of_texts_is_a_type_error() -> None:
    with pytest.raises(TypeError) as refusal:
        Types.PRIMITIVE_ARRAY(Types.STRING())
    assert str(refusal.value) == "Invalid element type for a primitive array."


@pytest.mark.promise("beh:row-not-null")
def test_a_row_is_not_null_but_its_fields_may_be(env: StreamExecutionEnvironment) -> None:
    row: TypeInformation[Any] = Types.ROW([Types.INT(), Types.STRING()])
    env.from_collection([(None, None)], row)
    with pytest.raises(TypeError, match="None"):
        env.from_collection([None], row)


@pytest.mark.promise("beh:filesource-bounded-default")
def test_a_file_source_ends_unless_it_monitors(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    from pystream.common import Duration, WatermarkStrategy
    from pystream.datastream.connectors import FileSource, StreamFormat

    builder = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(tmp_path))
    assert builder.build().is_bounded()
    monitoring = builder.monitor_continuously(Duration.of_seconds(1)).build()
    assert not monitoring.is_bounded()
    env.from_source(monitoring, WatermarkStrategy.no_watermarks(), "files")


@pytest.mark.promise("beh:filesink-bucket-check-1m")
def test_buckets_are_checked_every_minute(tmp_path: Path) -> None:
    from pystream.common import Encoder
    from pystream.datastream.connectors import FileSink

    builder = FileSink.for_row_format(str(tmp_path), Encoder.simple_string_encoder())
    assert builder.build().bind(Types.STRING()).check_interval == 60_000
    assert builder.with_bucket_check_interval(5_000).build().bind(Types.STRING()).check_interval == 5_000


def test_settings_without_effect_are_read_back(env: StreamExecutionEnvironment) -> None:
    assert env.is_changelog_state_backend_enabled() is None
    assert env.enable_changelog_state_backend(False).is_changelog_state_backend_enabled() is False
    assert env.enable_changelog_state_backend(True).is_changelog_state_backend_enabled() is True
    assert env.get_checkpointing_consistency_mode() is env.get_checkpointing_mode()
    env.get_checkpoint_config().enable_unaligned_checkpoints().set_force_unaligned_checkpoints()
    assert env.is_unaligned_checkpoints_enabled()
    assert env.is_force_unaligned_checkpoints()
    assert env.is_chaining_of_operators_with_different_max_parallelism_enabled()


def test_source_functions_of_java_are_refused_by_name() -> None:
    with pytest.raises(
        UnsupportedOperationError, match=r"SourceFunction\('com\.acme\.Source'\).*from_source"
    ):
        SourceFunction("com.acme.Source")


def test_sink_functions_of_java_are_refused_by_name() -> None:
    with pytest.raises(UnsupportedOperationError, match=r"SinkFunction\('com\.acme\.Sink'\).*FileSink"):
        SinkFunction("com.acme.Sink")  # type: ignore[abstract]


def test_a_sink_function_takes_whatever_its_subclass_takes() -> None:
    class Named(SinkFunction[int]):
        def __init__(self, name: str) -> None:
            self.name = name

        def bind(self, type_info: TypeInformation[int]) -> BoundedSink:
            raise NotImplementedError

    assert Named("com.acme.Sink").name == "com.acme.Sink"


def test_a_custom_partitioning_takes_the_settings_of_an_operator(env: StreamExecutionEnvironment) -> None:
    numbers = env.from_collection([1], Types.LONG())
    dealt = numbers.partition_custom(lambda key, count: key % count, lambda n: n)
    dealt.set_parallelism(2).name("dealt")
    after = dealt.map(lambda n: n, Types.LONG()).set_parallelism(2)
    _, partition, passed_on, _ = after.explain().splitlines()[2:6]
    assert "Custom" in partition
    assert passed_on.split()[1] == "dealt"
    assert dealt.get_parallelism() == 2
    with pytest.raises(PlanError, match="'Rebalance', which is not an operator"):
        numbers.rebalance().set_parallelism(2)

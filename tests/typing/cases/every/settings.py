"""Configuration, sinks, serializers and imports."""

from typing import assert_type

from pystream.common import (
    ConfigOption,
    ConfigOptions,
    Configuration,
    Duration,
    Encoder,
    SerializationSchema,
    SimpleStringSchema,
    Time,
    Types,
)
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.datastream.connectors.file_system import FileSink

RETRIES = ConfigOptions.key("retries").int_type().default_value(3)


class Upper(SerializationSchema[str]):
    def serialize(self, element: str) -> bytes:
        return element.upper().encode()


class Numbers(Encoder[int]):
    def encode(self, element: int) -> bytes:
        return str(element).encode()


class NotBytes(Encoder[int]):
    # E: Return type "str" of "encode" incompatible with return type "bytes"
    def encode(self, element: int) -> str:
        return str(element)


class NoText(SerializationSchema[str]):
    # E: supertype defines the argument type as "str"
    def serialize(self, element: int) -> bytes:
        return bytes(element)


def options(configuration: Configuration) -> None:
    assert_type(RETRIES, ConfigOption[int])
    assert_type(configuration.get(RETRIES), int)
    assert_type(configuration.set(RETRIES, 4), Configuration)


def option_by_its_name(configuration: Configuration) -> None:
    configuration.get("retries")  # E: "str"; expected "ConfigOption[


def default_of_another_type() -> None:
    ConfigOptions.key("retries").int_type().default_value("3")  # E: "str"; expected "int"


def integer_as_text(configuration: Configuration) -> None:
    configuration.set_integer("retries", "3")  # E: "str"; expected "int"


def default_of_a_setting(configuration: Configuration) -> None:
    assert_type(configuration.get_integer("retries", 3), int)


def configuration_as_a_dict(env: StreamExecutionEnvironment) -> None:
    env.configure({"a": "b"})  # E: "dict[str, str]"; expected "Configuration"


def parallelism_of_a_float(env: StreamExecutionEnvironment) -> None:
    env.set_parallelism(1.5)  # E: "float"; expected "int"


def buffer_timeout_as_a_time(env: StreamExecutionEnvironment) -> None:
    env.set_buffer_timeout(Time.seconds(1))  # E: "Time"; expected "int"


def checkpoints_as_a_time(env: StreamExecutionEnvironment) -> None:
    env.enable_checkpointing(Time.seconds(1))  # E: "Time"; expected "int"


def duration_of_text() -> None:
    Duration.of_seconds("1")  # E: "str"; expected "int"


def misspelt_setter(env: StreamExecutionEnvironment) -> None:
    env.set_paralelism(2)  # E: has no attribute "set_paralelism"


def source_that_is_none(env: StreamExecutionEnvironment) -> None:
    env.add_source([1, 2])  # E: "list[int]"; expected "SourceFunction[


def file_of_a_number(env: StreamExecutionEnvironment) -> None:
    env.read_text_file(3)  # E: "int"; expected "str"


def sink_without_build(lines: DataStream[str]) -> None:
    # E: "RowFormatBuilder[Any]"; expected "Sink[str]"
    lines.sink_to(FileSink.for_row_format("out", Encoder.simple_string_encoder()))


def function_for_a_sink(lines: DataStream[str]) -> None:
    lines.sink_to(print)  # E: overloaded function; expected "Sink[str]"


def encoder_of_a_file(path: str) -> None:
    FileSink.for_row_format(path, SimpleStringSchema())  # E: "SimpleStringSchema"; expected "Encoder[


def identifier_of_a_number(lines: DataStream[str]) -> None:
    lines.print(3)  # E: "int"; expected "str | None"


def schemas() -> None:
    assert_type(SimpleStringSchema().serialize("a"), bytes)
    assert_type(SimpleStringSchema().deserialize(b"a"), str)
    SimpleStringSchema().serialize(3)  # E: "int"; expected "str"


def schema_of_bytes() -> None:
    SimpleStringSchema().deserialize("a")  # E: "str"; expected "bytes"


def types_in_a_collection() -> None:
    Types.LIST(3)  # E: "int"; expected "TypeInformation[
    Types.MAP(Types.STRING(), "int")  # E: "str"; expected "TypeInformation[


def unknown_type() -> None:
    Types.INTEGER()  # E: "type[Types]" has no attribute "INTEGER"

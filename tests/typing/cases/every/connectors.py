"""Elements of sources, sinks, formats and schemas."""

from dataclasses import dataclass
from typing import Any, assert_type

from pystream.common import (
    DeserializationSchema,
    Encoder,
    Row,
    SerializationSchema,
    SimpleStringSchema,
    Time,
    Types,
    WatermarkStrategy,
)
from pystream.datastream import (
    DataStream,
    Sink,
    SinkFunction,
    Source,
    SourceContext,
    SourceFunction,
    StreamExecutionEnvironment,
)
from pystream.datastream.connectors.data_generator import DataGeneratorSource
from pystream.datastream.connectors.file_system import (
    BucketAssigner,
    FileSink,
    FileSource,
    FileSourceBuilder,
    OutputFileConfig,
    RollingPolicy,
    StreamFormat,
    StreamingFileSink,
)
from pystream.datastream.connectors.hybrid_source import HybridSource, HybridSourceBuilder
from pystream.datastream.connectors.jdbc import (
    JdbcConnectionOptions,
    JdbcExecutionOptions,
    JdbcGenericParameterValuesProvider,
    JdbcNumericBetweenParametersProvider,
    JdbcSink,
    JdbcSource,
    JdbcSourceBuilder,
)
from pystream.datastream.connectors.number_seq import NumberSequenceSource
from pystream.datastream.connectors.rate_limiter import RateLimiterStrategy
from pystream.datastream.formats.avro import AvroRowDeserializationSchema, AvroSchema
from pystream.datastream.formats.avro_confluent import (
    ConfluentRegistryAvroDeserializationSchema,
    ConfluentRegistryAvroSerializationSchema,
)
from pystream.datastream.formats.csv import CsvRowDeserializationSchema, CsvRowSerializationSchema
from pystream.datastream.formats.json import JsonRowDeserializationSchema, JsonRowSerializationSchema
from pystream.datastream.formats.parquet import (
    ParquetBulkWriters,
    ParquetColumnarRowInputFormat,
    ParquetWriterFactory,
)
from pystream.messages.raw import RawFormatDeserializationSchema, RawFormatSerializationSchema
from typeinfo import TypeInformation
from typeinfo.composite import RowTypeInfo


@dataclass
class User:
    name: str
    age: int


@dataclass
class Order:
    id: int


class Texts(Encoder[str]):
    def encode(self, element: str) -> bytes:
        return element.encode()


class Anything(Encoder[object]):
    def encode(self, element: object) -> bytes:
        return repr(element).encode()


class ByName(BucketAssigner[User]):
    def get_bucket_id(self, element: User, context: object) -> str:
        return element.name


class Numbers(DeserializationSchema[int]):
    def deserialize(self, message: bytes) -> int:
        return int(message)

    def get_produced_type(self) -> TypeInformation[int]:
        return Types.LONG()


class TextsForNumbers(DeserializationSchema[int]):
    # E: Return type "str" of "deserialize" incompatible with return type "int | None"
    def deserialize(self, message: bytes) -> str:
        return message.decode()

    # E: Return type "TypeInformation[str, str]" of "get_produced_type" incompatible with return type "TypeIn
    def get_produced_type(self) -> TypeInformation[str]:
        return Types.STRING()


class BucketsAsNumbers(BucketAssigner[User]):
    # E: Return type "int" of "get_bucket_id" incompatible with return type "str"
    def get_bucket_id(self, element: User, context: object) -> int:
        return element.age


# Sinks


def sink_of_an_encoder() -> None:
    assert_type(FileSink.for_row_format("out", Texts()).build(), FileSink[str])
    assert_type(StreamingFileSink.for_row_format("out", Texts()).build(), StreamingFileSink[str])
    assert_type(FileSink.for_row_format("out", Encoder.simple_string_encoder()).build(), FileSink[Any])


def settings_keep_the_elements() -> None:
    builder = FileSink.for_row_format("out", Texts()).with_bucket_check_interval(1000)
    builder = builder.with_rolling_policy(RollingPolicy.default_rolling_policy())
    builder = builder.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
    assert_type(builder.with_output_file_config(OutputFileConfig.builder().build()).build(), FileSink[str])


def sinks(words: DataStream[str], numbers: DataStream[int]) -> None:
    words.sink_to(FileSink.for_row_format("out", Texts()).build()).name("words")
    numbers.sink_to(FileSink.for_row_format("out", Encoder.simple_string_encoder()).build())
    numbers.add_sink(StreamingFileSink.for_row_format("out", Encoder.simple_string_encoder()).build())


def sink_of_any_object(numbers: DataStream[int], sink: Sink[object], function: SinkFunction[object]) -> None:
    numbers.sink_to(sink)
    numbers.sink_to(FileSink.for_row_format("out", Anything()).build())
    numbers.add_sink(function)


def sink_without_type_arguments(numbers: DataStream[int], sink: FileSink) -> None:
    numbers.sink_to(sink)


def sink_of_another_element(numbers: DataStream[int]) -> None:
    sink = FileSink.for_row_format("out", Texts()).build()
    numbers.sink_to(sink)  # E: has incompatible type "FileSink[str]"; expected "Sink[int]"


def sink_of_a_wider_element(sink: Sink[int], numbers: DataStream[int | None]) -> None:
    numbers.sink_to(sink)  # E: has incompatible type "Sink[int]"; expected "Sink[int | None]"


def sink_after_the_wrong_map(words: DataStream[str]) -> None:
    sink = FileSink.for_row_format("out", Texts()).build()
    words.map(len).sink_to(sink)  # E: has incompatible type "FileSink[str]"; expected "Sink[int]"


def sink_function_for_other_files(numbers: DataStream[int]) -> None:
    sink = StreamingFileSink.for_row_format("out", Texts()).build()
    numbers.add_sink(sink)  # E: has incompatible type "StreamingFileSink[str]"; expected "SinkFunction[int]"


def sink_as_a_function(words: DataStream[str]) -> None:
    # E: has incompatible type "FileSink[str]"; expected "SinkFunction[str]"
    words.add_sink(FileSink.for_row_format("out", Texts()).build())


def function_as_a_sink(words: DataStream[str], function: SinkFunction[str]) -> None:
    words.sink_to(function)  # E: has incompatible type "SinkFunction[str]"; expected "Sink[str]"


CONNECTION = JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_url("jdbc:sqlite:a.db").build()


def sinks_of_statements(users: DataStream[User], pairs: DataStream[tuple[str, int]]) -> None:
    execution = JdbcExecutionOptions.builder().with_batch_size(10).with_batch_interval_ms(5).build()
    sink = JdbcSink.sink("INSERT INTO users VALUES (?, ?)", Types.of(User), CONNECTION, execution)
    users.add_sink(sink).name("users")
    users.sink_to(sink)
    pair = Types.TUPLE((Types.STRING(), Types.INT()))
    pairs.add_sink(JdbcSink.sink("INSERT INTO pairs VALUES (?, ?)", pair, CONNECTION))


def rows_for_a_statement(rows: DataStream[Row[tuple[str, int]]]) -> None:
    pair = Types.ROW((Types.STRING(), Types.INT()))
    rows.add_sink(JdbcSink.sink("INSERT INTO pairs VALUES (?, ?)", pair, CONNECTION))


def statement_for_another_element(numbers: DataStream[int]) -> None:
    sink = JdbcSink.sink("INSERT INTO users VALUES (?, ?)", Types.of(User), CONNECTION)
    numbers.add_sink(sink)  # E: has incompatible type "JdbcSink[User]"; expected "SinkFunction[int]"


def options_in_another_order() -> None:
    execution = JdbcExecutionOptions.defaults()
    # E: has incompatible type "JdbcExecutionOptions"; expected "JdbcConnectionOptions"
    JdbcSink.sink("INSERT INTO users VALUES (?, ?)", Types.of(User), execution)


def stream_continues_after_a_sink(words: DataStream[str]) -> None:
    words.print().map(len)  # E: "DataStreamSink" has no attribute "map"


def bulk_sinks(users: DataStream[User]) -> None:
    assert_type(ParquetWriterFactory(Types.of(User)), ParquetWriterFactory[User])
    assert_type(ParquetBulkWriters.for_row_type(Types.of(User)), ParquetWriterFactory[User])
    users.sink_to(FileSink.for_bulk_format("out", ParquetWriterFactory(Types.of(User))).build())
    users.sink_to(FileSink.for_bulk_format("out", ParquetWriterFactory()).build())


def writer_of_another_record(users: DataStream[User]) -> None:
    sink = FileSink.for_bulk_format("out", ParquetWriterFactory(Types.of(Order))).build()
    users.sink_to(sink)  # E: has incompatible type "FileSink[Order]"; expected "Sink[User]"


def writer_of_rows(pairs: DataStream[tuple[str, int]]) -> None:
    writers = ParquetBulkWriters.for_row_type(Types.ROW((Types.STRING(), Types.INT())))
    # E: has incompatible type "FileSink[Row[tuple[str, int]]]"; expected "Sink[tuple[str, int]]"
    pairs.sink_to(FileSink.for_bulk_format("out", writers).build())


def encoder_for_bulk() -> None:
    # E: "for_bulk_format" of "FileSink" has incompatible type "Texts"; expected "BulkWriterFactory[
    FileSink.for_bulk_format("out", Texts())


def writer_for_rows() -> None:
    # E: has incompatible type "ParquetWriterFactory[User]"; expected "Encoder[
    FileSink.for_row_format("out", ParquetWriterFactory(Types.of(User)))


def schema_for_rows(schema: JsonRowSerializationSchema[User]) -> None:
    # E: has incompatible type "JsonRowSerializationSchema[User]"; expected "Encoder[
    FileSink.for_row_format("out", schema)


def buckets_of_another_element() -> None:
    # E: has incompatible type "ByName"; expected "BucketAssigner[str]"
    FileSink.for_row_format("out", Texts()).with_bucket_assigner(ByName())


def rolling_by_a_size() -> None:
    # E: has incompatible type "int"; expected "RollingPolicy"
    FileSink.for_row_format("out", Texts()).with_rolling_policy(1024)


def rolling_after_a_time() -> None:
    # E: has incompatible type "Time"; expected "int"
    RollingPolicy.default_rolling_policy(rollover_interval=Time.minutes(5))


def file_names_without_build() -> None:
    # E: has incompatible type "OutputFileConfigBuilder"; expected "OutputFileConfig"
    FileSink.for_row_format("out", Texts()).with_output_file_config(OutputFileConfig.builder())


# Sources


def user_of(index: int) -> User:
    return User("user", index)


def file_sources() -> None:
    lines = FileSource.for_record_stream_format(StreamFormat.text_line_format(), "a.txt")
    assert_type(lines, FileSourceBuilder[str])
    assert_type(lines.process_static_file_set().build(), FileSource[str])
    users = FileSource.for_bulk_file_format(ParquetColumnarRowInputFormat(Types.of(User)), "a.parquet")
    assert_type(users.build(), FileSource[User])
    unknown = FileSource.for_bulk_file_format(ParquetColumnarRowInputFormat(), "a.parquet")
    assert_type(unknown.build(), FileSource[Any])


def hybrid_sources(lines: FileSource[str], users: Source[User], env: StreamExecutionEnvironment) -> None:
    builder = HybridSource.builder(lines)
    assert_type(builder, HybridSourceBuilder[str])
    source = builder.add_source(lines).build()
    assert_type(source, HybridSource[str])
    assert_type(env.from_source(source, WatermarkStrategy.no_watermarks(), "lines"), DataStream[str])
    assert_type(HybridSource.builder(users).build(), HybridSource[User])


def hybrid_source_of_other_elements(lines: FileSource[str]) -> None:
    # E: has incompatible type "NumberSequenceSource"; expected "Source[str]"
    HybridSource.builder(lines).add_source(NumberSequenceSource(1, 2))


def stream_of_a_source(env: StreamExecutionEnvironment, source: Source[User], unknown: Source) -> None:
    assert_type(env.from_source(source, WatermarkStrategy.no_watermarks(), "users"), DataStream[User])
    assert_type(env.from_source(unknown, WatermarkStrategy.no_watermarks(), "unknown"), DataStream[Any])


def source_of_a_narrower_element(numbers: Source[int]) -> Source[int | None]:
    return numbers


def source_of_another_element(numbers: Source[int]) -> Source[str]:
    return numbers  # E: got "Source[int]", expected "Source[str]"


def elements_of_a_source(env: StreamExecutionEnvironment, source: Source[User]) -> None:
    users = env.from_source(source, WatermarkStrategy.no_watermarks(), "users")
    users.map(lambda user: user.nmae)  # E: "User" has no attribute "nmae"


def numbers_of_lines(env: StreamExecutionEnvironment) -> None:
    source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), "a.txt").build()
    lines = env.from_source(source, WatermarkStrategy.no_watermarks(), "lines")
    lines.map(lambda line: line + 1)  # E: Unsupported operand types for + ("str" and "int")


def source_without_build(env: StreamExecutionEnvironment) -> None:
    source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), "a.txt")
    # E: has incompatible type "FileSourceBuilder[str]"; expected "Source[
    env.from_source(source, WatermarkStrategy.no_watermarks(), "lines")


def source_without_watermarks(env: StreamExecutionEnvironment, source: Source[User]) -> None:
    env.from_source(source)  # E: Missing positional arguments "watermark_strategy", "source_name"


def name_in_the_place_of_watermarks(env: StreamExecutionEnvironment, source: Source[User]) -> None:
    # E: has incompatible type "str"; expected "WatermarkStrategy[User]"
    env.from_source(source, "users", "users")


def elements_of_a_generator(env: StreamExecutionEnvironment) -> None:
    slowly = RateLimiterStrategy.per_second(0.5)
    source = DataGeneratorSource(lambda index: f"user {index}", 3, slowly, type_info=Types.STRING())
    assert_type(source, DataGeneratorSource[str])
    assert_type(env.from_source(source, WatermarkStrategy.no_watermarks(), "users"), DataStream[str])


def elements_of_an_endless_generator(env: StreamExecutionEnvironment) -> None:
    source = DataGeneratorSource(
        user_of, DataGeneratorSource.UNBOUNDED, RateLimiterStrategy.no_op(), type_info=Types.of(User)
    )
    assert_type(env.from_source(source, WatermarkStrategy.no_watermarks(), "users"), DataStream[User])


def generator_of_another_type() -> None:
    # E: incompatible type
    DataGeneratorSource(user_of, 3, type_info=Types.STRING())


class Words(SourceFunction[str]):
    def run(self, ctx: SourceContext[str]) -> None:
        with ctx.get_checkpoint_lock():
            ctx.collect("word")
            ctx.collect_with_timestamp("word", 5)
            ctx.emit_watermark(5)
        ctx.collect(5)  # E: incompatible type "int"; expected "str"

    def cancel(self) -> None:
        pass


def elements_of_a_source_function(env: StreamExecutionEnvironment) -> None:
    assert_type(env.add_source(Words()), DataStream[str])
    assert_type(env.add_source(Words(), "words", Types.STRING()), DataStream[str])


def elements_of_a_socket(env: StreamExecutionEnvironment) -> None:
    assert_type(env.socket_text_stream("localhost", 9999), DataStream[str])


def rows_of_a_query(env: StreamExecutionEnvironment) -> None:
    builder = JdbcSource.builder().set_db_url("jdbc:sqlite:a.db").set_sql("SELECT name, age FROM users")
    builder.set_jdbc_parameter_values_provider(JdbcNumericBetweenParametersProvider(1, 9).of_batch_size(3))
    builder.set_jdbc_parameter_values_provider(JdbcGenericParameterValuesProvider([["a"], ["b"]]))
    users = builder.set_type_information(Types.of(User))
    assert_type(users, JdbcSourceBuilder[User])
    assert_type(users.build(), JdbcSource[User])
    stream = env.from_source(users.build(), WatermarkStrategy.no_watermarks(), "users")
    assert_type(stream, DataStream[User])


def parameters_without_a_provider() -> None:
    # E: has incompatible type "list[int]"; expected "JdbcParameterValuesProvider"
    JdbcSource.builder().set_jdbc_parameter_values_provider([1, 2])


def sequence_of_texts() -> None:
    # E: Argument 1 to "NumberSequenceSource" has incompatible type "str"; expected "int"
    NumberSequenceSource("1", 10)


def paths_in_a_list() -> None:
    # E: has incompatible type "list[str]"; expected "str | PathLike[str]"
    FileSource.for_record_stream_format(StreamFormat.text_line_format(), ["a.txt", "b.txt"])


def path_before_the_format() -> None:
    # E: has incompatible type "str"; expected "StreamFormat[
    FileSource.for_record_stream_format("a.txt")


def bulk_format_for_records() -> None:
    # E: has incompatible type "ParquetColumnarRowInputFormat[User]"; expected "StreamFormat[
    FileSource.for_record_stream_format(ParquetColumnarRowInputFormat(Types.of(User)), "a.parquet")


def lines_in_bulk() -> None:
    # E: has incompatible type "StreamFormat[str]"; expected "BulkFormat[
    FileSource.for_bulk_file_format(StreamFormat.text_line_format(), "a.txt")


def class_for_a_format() -> None:
    ParquetColumnarRowInputFormat(User)  # E: has incompatible type "type[User]"; expected "TypeInformation[


# Messages


def json_schemas() -> None:
    reads = JsonRowDeserializationSchema.builder().type_info(Types.of(User))
    assert_type(reads.fail_on_missing_field().build(), JsonRowDeserializationSchema[User])
    assert_type(reads.build().deserialize(b"{}"), User | None)
    assert_type(reads.build().get_produced_type(), TypeInformation[User])
    described = JsonRowDeserializationSchema.builder().json_schema("{}")
    assert_type(described.build(), JsonRowDeserializationSchema[Row[Any]])
    given = JsonRowSerializationSchema.Builder(Types.of(User))
    assert_type(given.build(), JsonRowSerializationSchema[User])
    writes = JsonRowSerializationSchema.builder().with_type_info(Types.of(User))
    assert_type(writes.build(), JsonRowSerializationSchema[User])
    assert_type(writes.build().serialize(User("a", 1)), bytes)


def csv_schemas() -> None:
    pair = Types.TUPLE((Types.STRING(), Types.INT()))
    reads = CsvRowDeserializationSchema.Builder(pair).set_allow_comments(True).set_field_delimiter(";")
    assert_type(reads.build(), CsvRowDeserializationSchema[tuple[str, int]])
    assert_type(reads.build().deserialize(b"a;1"), tuple[str, int] | None)
    writes = CsvRowSerializationSchema.Builder(pair).set_line_delimiter("\n").set_quote_character("'")
    assert_type(writes.build(), CsvRowSerializationSchema[tuple[str, int]])


def avro_schemas() -> None:
    assert_type(AvroRowDeserializationSchema(avro_schema_string="{}").deserialize(b""), Row[Any])


def schemas_of_a_registry(schema: AvroSchema) -> None:
    rows = ConfluentRegistryAvroDeserializationSchema.for_row(schema, "http://registry:8081")
    assert_type(rows.deserialize(b""), Row[Any])
    records = ConfluentRegistryAvroDeserializationSchema.for_generic(schema, "http://registry:8081")
    assert_type(records.deserialize(b""), dict[str, Any])
    writes = ConfluentRegistryAvroSerializationSchema.for_generic("users", schema, "http://registry:8081")
    writes.serialize("user")  # E: has incompatible type "str"; expected "dict[str, Any]"


def raw_schemas(number: RowTypeInfo[Any]) -> None:
    assert_type(RawFormatDeserializationSchema(number).deserialize(b""), Row[Any])
    assert_type(RawFormatSerializationSchema(number, is_big_endian=False).serialize(Row(1)), bytes)


def schemas_of_wider_and_narrower(
    writes: SerializationSchema[object], reads: DeserializationSchema[int]
) -> tuple[SerializationSchema[User], DeserializationSchema[int | None]]:
    return writes, reads


def message_of_another_element() -> None:
    schema = JsonRowSerializationSchema.builder().with_type_info(Types.of(User)).build()
    # E: has incompatible type "Order"; expected "User"
    schema.serialize(Order(1))


def fields_of_a_message_exchanged() -> None:
    schema = CsvRowSerializationSchema.Builder(Types.TUPLE((Types.STRING(), Types.INT()))).build()
    schema.serialize((1, "a"))  # E: has incompatible type "tuple[int, str]"; expected "tuple[str, int]"


def message_that_may_hold_nothing(schema: JsonRowDeserializationSchema[User]) -> str:
    return schema.deserialize(b"{}").name  # E: Item "None" of "User | None" has no attribute "name"


def misspelt_field_of_a_message(schema: JsonRowDeserializationSchema[User]) -> None:
    user = schema.deserialize(b"{}")
    if user is not None:
        user.nmae  # E: "User" has no attribute "nmae"


def text_for_a_message(schema: CsvRowDeserializationSchema[User]) -> None:
    schema.deserialize("a,1")  # E: has incompatible type "str"; expected "bytes"


def class_for_a_schema() -> None:
    # E: Argument 1 to "Builder" has incompatible type "type[User]"; expected "TypeInformation[
    CsvRowSerializationSchema.Builder(User)


def class_for_a_type_of_messages() -> None:
    # E: Argument 1 to "type_info" of "Builder" has incompatible type "type[User]"; expected "TypeInformation[
    JsonRowDeserializationSchema.builder().type_info(User)


def schema_of_another_element() -> SerializationSchema[User]:
    # E: got "JsonRowSerializationSchema[Order]", expected "SerializationSchema[User]"
    return JsonRowSerializationSchema.builder().with_type_info(Types.of(Order)).build()


def schema_of_the_other_direction() -> SerializationSchema[User]:
    # E: got "JsonRowDeserializationSchema[User]", expected "SerializationSchema[User]"
    return JsonRowDeserializationSchema.builder().type_info(Types.of(User)).build()


def texts_for_numbers() -> DeserializationSchema[int]:
    return SimpleStringSchema()  # E: got "SimpleStringSchema", expected "DeserializationSchema[int]"


def schema_without_build() -> SerializationSchema[User]:
    # E: got "Builder[User]", expected "SerializationSchema[User]"
    return JsonRowSerializationSchema.builder().with_type_info(Types.of(User))


def delimiter_of_bytes(schema: CsvRowSerializationSchema.Builder[User]) -> None:
    schema.set_field_delimiter(b";")  # E: has incompatible type "bytes"; expected "str"

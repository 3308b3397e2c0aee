"""HybridSource, without a job."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.common import SimpleStringSchema, Types, WatermarkStrategy
from pystream.datastream import OutputTag, SourceContext, SourceFunction
from pystream.datastream.connectors import (
    DataGeneratorSource,
    FileSource,
    NumberSequenceSource,
    RMQConnectionConfig,
    RMQSource,
    StreamFormat,
)
from pystream.datastream.connectors.hybrid_source import HybridSource
from pystream.datastream.connectors.kafka import KafkaSource, MalformedRecord
from pystream.errors import ConfigurationError, PlanTypeError, UnsupportedOperationError
from pystream.testing import local_environment

NUMBERS = NumberSequenceSource(1, 2)
FILES = FileSource.for_record_stream_format(StreamFormat.text_line_format(), "/nowhere").build()
TAG = OutputTag("malformed", Types.of(MalformedRecord))


def kafka() -> Any:
    builder = KafkaSource.builder().set_bootstrap_servers("nowhere:1").set_topics("t")
    return builder.set_value_only_deserializer(SimpleStringSchema())


class Never(SourceFunction[str]):
    def run(self, ctx: SourceContext[str], /) -> None: ...

    def cancel(self) -> None: ...


@pytest.mark.parametrize(
    ("build", "error", "message"),
    [
        (
            lambda: HybridSource.builder(kafka().build()).add_source(FILES).build(),
            ConfigurationError,
            "source 1, a KafkaSource, is unbounded, .*make it bounded, or add it last",
        ),
        (
            lambda: HybridSource.builder(FILES).add_source(NUMBERS).build(),
            PlanTypeError,
            "source 1, a FileSource, are String, and those of source 2, a NumberSequenceSource, are Long",
        ),
        (
            lambda: HybridSource.builder(DataGeneratorSource(int, 2, type_info=Types.LONG())).build(),
            UnsupportedOperationError,
            r"source 1, a DataGeneratorSource, .*NumberSequenceSources.* map\(\)",
        ),
        (
            lambda: (
                HybridSource.builder(FILES)
                .add_source(kafka().side_output_malformed_records(TAG).build())
                .build()
            ),
            UnsupportedOperationError,
            r"source 2, a KafkaSource, with a side output .*skip_malformed_records\(\)",
        ),
        (lambda: HybridSource.builder(Never()), PlanTypeError, "builder takes a Source such as .*Never"),
        (
            lambda: HybridSource.builder(FILES).add_source(kafka()),
            PlanTypeError,
            "add_source takes a Source such as .*SourceBuilder",
        ),
    ],
)
def test_sources_that_cannot_be_read_in_turn_are_refused(
    build: Callable[[], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        build()


def test_the_last_source_decides_whether_all_are_bounded() -> None:
    assert HybridSource.builder(NUMBERS).add_source(NUMBERS).build().is_bounded()
    assert not HybridSource.builder(FILES).add_source(kafka().build()).build().is_bounded()


def test_one_subtask_reads_if_a_source_needs_that() -> None:
    config = RMQConnectionConfig.Builder().set_uri("amqp://localhost").build()
    queue = RMQSource(config, "queue", False, SimpleStringSchema())
    source = HybridSource.builder(FILES).add_source(queue).build()
    assert not source.is_parallel()
    env = local_environment().set_parallelism(4)
    stream = env.from_source(source, WatermarkStrategy.no_watermarks(), "files, then a queue")
    assert stream.get_parallelism() == 1
    assert HybridSource.builder(FILES).build().is_parallel()

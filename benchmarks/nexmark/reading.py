"""The events in files as streams of pystream."""

from __future__ import annotations

from pathlib import Path

from pyflink.common import Types, WatermarkStrategy
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors.file_system import FileSource, StreamFormat
from pyflink.datastream.formats.json import JsonRowDeserializationSchema

from benchmarks.nexmark.events import Event
from benchmarks.nexmark.files import EVENTS, SIDE_INPUT
from benchmarks.nexmark.streams import Streams


def streams(env: StreamExecutionEnvironment, directory: Path) -> Streams:
    """Return the streams of a data set."""
    schema = JsonRowDeserializationSchema(Types.of(Event), False, False, time_style="SQL")
    lines = StreamFormat.deserialized_lines(schema)
    source = FileSource.for_record_stream_format(lines, str(directory / EVENTS)).build()
    events = env.from_source(source, WatermarkStrategy.no_watermarks(), "events")
    return Streams(events, str(directory / SIDE_INPUT))

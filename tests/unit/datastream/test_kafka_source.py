"""KafkaSource, without a broker."""

from __future__ import annotations

from pystream.common import SimpleStringSchema
from pystream.datastream.connectors.kafka import KafkaSource


def test_streams_of_one_source_do_not_share_connections() -> None:
    builder = KafkaSource.builder().set_bootstrap_servers("nowhere:1").set_topics("t")
    source = builder.set_value_only_deserializer(SimpleStringSchema()).build()
    first, second = source.reader(), source.reader()
    assert first == second
    assert first._readers is not second._readers

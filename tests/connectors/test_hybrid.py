"""HybridSource: files, and then a topic of a real Kafka broker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from pystream.common import SimpleStringSchema, Types, WatermarkStrategy
from pystream.common.restart_strategy import RestartStrategies
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import ProcessFunction, StreamExecutionEnvironment
from pystream.datastream.connectors import FileSource, KafkaSource, StreamFormat
from pystream.datastream.connectors.hybrid_source import HybridSource
from tests.servers.kafka import Broker

STRING = Types.STRING()
HISTORY_ARRIVED, TOPIC_EXISTS = Event(), Event()
FAILURES: list[str] = []


class Itself(TimestampAssigner[str]):
    def extract_timestamp(self, value: str, record_timestamp: int) -> int:
        return int(value)


class WithWatermark(ProcessFunction[str, Any]):
    def process_element(self, value: str, ctx: Any) -> Iterator[Any]:
        yield value, ctx.timer_service().current_watermark()


def once(value: str) -> str:
    """Wait at the end of the files for the topic, and fail once at a record of Kafka."""
    if value == "20":
        HISTORY_ARRIVED.set()
        assert TOPIC_EXISTS.wait(60)
    if value == "40" and not FAILURES:
        FAILURES.append(value)
        raise ValueError("this once")
    return value


@pytest.mark.time_limit(90)
def test_files_are_followed_by_a_topic_that_is_found_when_its_turn_comes(
    local_env: StreamExecutionEnvironment, broker: Broker, tmp_path: Path
) -> None:
    (tmp_path / "history").write_text("10\n20\n")
    history = FileSource.for_record_stream_format(StreamFormat.text_line_format(), tmp_path)
    live = KafkaSource.builder().set_bootstrap_servers(broker.servers).set_topics("after-the-files")
    live.set_value_only_deserializer(SimpleStringSchema())
    source = HybridSource.builder(history.build()).add_source(live.build()).build()

    def create_the_topic() -> None:
        assert HISTORY_ARRIVED.wait(60)
        broker.create_topic("after-the-files", partitions=2)
        broker.write("after-the-files", ["15", "40"], partition=0)
        broker.write("after-the-files", ["30", "60"], partition=1)
        TOPIC_EXISTS.set()

    creating = Thread(target=create_the_topic)
    creating.start()
    local_env.set_restart_strategy(RestartStrategies.fixed_delay_restart(3, 0))
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Itself())
    stream = local_env.from_source(source, times, "history, then live").map(once, STRING)
    found = []
    with stream.process(WithWatermark()).execute_and_collect() as results:
        for value, watermark in results:
            found.append((int(value), watermark))
            if len(found) == 6:
                broker.write("after-the-files", ["70"], partition=0)
            elif value == "70":
                break
    creating.join()
    assert FAILURES == ["40"]
    assert [value for value, _ in found[:2]] == [10, 20]
    assert sorted(value for value, _ in found[2:]) == [15, 30, 40, 60, 70]
    assert {watermark for _, watermark in found[2:6]} == {19}
    assert found[6] == (70, 39)  # the lower watermark of the two partitions

"""FlinkKafkaConsumer and FlinkKafkaProducer, without a broker."""

from __future__ import annotations

import pytest

from pystream.common import SimpleStringSchema, Types
from pystream.datastream.connectors.kafka import FlinkKafkaConsumer, FlinkKafkaProducer, Semantic
from pystream.engine.connectors.kafka.sink import Guarantee
from pystream.errors import ConfigurationError

BROKER = {"bootstrap.servers": "nowhere:1"}


def producer(semantic: Semantic) -> FlinkKafkaProducer[str]:
    return FlinkKafkaProducer("t", SimpleStringSchema(), BROKER, semantic=semantic)


@pytest.mark.parametrize(
    ("reset", "message"),
    [("smallest", "one of earliest, latest and none, not 'smallest'"), ("none", "set 'group.id'")],
)
def test_a_wrong_offset_reset_is_refused(reset: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        FlinkKafkaConsumer("t", SimpleStringSchema(), {**BROKER, "auto.offset.reset": reset})


@pytest.mark.parametrize(
    ("semantic", "guarantee"),
    [
        (Semantic.NONE, Guarantee.NONE),
        (Semantic.AT_LEAST_ONCE, Guarantee.NONE),
        (Semantic.EXACTLY_ONCE, Guarantee.EXACTLY_ONCE),
    ],
)
def test_a_producer_without_flush_on_checkpoint_keeps_its_transactions(
    semantic: Semantic, guarantee: Guarantee
) -> None:
    made = producer(semantic).set_flush_on_checkpoint(False)
    assert made.bind(Types.STRING()).guarantee is guarantee
    made.set_flush_on_checkpoint(True)
    assert made.bind(Types.STRING()).guarantee is Guarantee[semantic.name]

"""Arguments of the builders of Pulsar's source and sink."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.common.serialization import SimpleStringSchema
from pystream.datastream.connectors import DeliveryGuarantee
from pystream.datastream.connectors.pulsar import (
    MessageDelayer,
    PulsarSink,
    PulsarSource,
    RangeGenerator,
    StartCursor,
    StopCursor,
    TopicRoutingMode,
)
from pystream.errors import ConfigurationError, PlanTypeError, UnsupportedOperationError

Build = Callable[[Any], Any]
URL = "pulsar://localhost:6650"


@pytest.mark.parametrize(
    ("build", "kind", "complaint"),
    [
        (lambda b: b.set_service_url("http://a"), ConfigurationError, "takes 'pulsar://host:6650'"),
        (lambda b: b.set_topics([]), ConfigurationError, r"one or several names, not \[\]"),
        (lambda b: b.set_topics(["t", 1]), ConfigurationError, "a list in which each element is a str"),
        (lambda b: b.set_topic_pattern("t.*"), UnsupportedOperationError, "name them by set_topics"),
        (lambda b: b.set_start_cursor("earliest"), PlanTypeError, "takes a StartCursor"),
        (lambda b: b.set_unbounded_stop_cursor(1), PlanTypeError, "takes a StopCursor"),
        (lambda b: b.set_bounded_stop_cursor(StopCursor.never()), ConfigurationError, "needs an end"),
        (lambda b: b.set_range_generator(1), PlanTypeError, "takes a RangeGenerator"),
        (lambda b: RangeGenerator.fixed_key(keys="a"), UnsupportedOperationError, "filter the stream"),
        (lambda b: StopCursor.at_event_time(1), UnsupportedOperationError, "StopCursor.at_publish_time"),
        (lambda b: StopCursor.after_event_time(1), UnsupportedOperationError, "after_publish_time"),
        (lambda b: StopCursor.at_message_id(b"x"), ConfigurationError, "is no message id"),
        (lambda b: StartCursor.from_message_id("x"), PlanTypeError, "from_message_id takes bytes"),
        (lambda b: StartCursor.from_publish_time(-1), ConfigurationError, "timestamp must be an int of 0"),
        (lambda b: b.set_config("pulsar.client.x", 1), ConfigurationError, "operationTimeoutMs"),
        (
            lambda b: b.set_properties({"pulsar.client.operationTimeoutMs": "a"}),
            ConfigurationError,
            "ms|milli",
        ),
        (lambda b: b.set_deserialization_schema(str), PlanTypeError, "takes a DeserializationSchema"),
        (lambda b: b.build(), ConfigurationError, "needs set_deserialization_schema"),
        (
            lambda b: b.set_deserialization_schema(SimpleStringSchema()).build(),
            ConfigurationError,
            "needs set_subscription_name",
        ),
        (
            lambda b: b.set_deserialization_schema(SimpleStringSchema()).set_subscription_name("s").build(),
            ConfigurationError,
            "PulsarSource needs set_service_url",
        ),
        (
            lambda b: (
                b.set_deserialization_schema(SimpleStringSchema())
                .set_subscription_name("s")
                .set_service_url(URL)
                .build()
            ),
            ConfigurationError,
            "PulsarSource needs set_topics",
        ),
    ],
)
def test_wrong_arguments_of_a_source_are_refused(build: Build, kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind, match=complaint):
        build(PulsarSource.builder())


@pytest.mark.parametrize(
    ("build", "kind", "complaint"),
    [
        (
            lambda b: b.set_delivery_guarantee(DeliveryGuarantee.EXACTLY_ONCE),
            UnsupportedOperationError,
            "Python client does not have: use AT_LEAST_ONCE",
        ),
        (
            lambda b: b.set_topic_routing_mode(TopicRoutingMode.CUSTOM),
            UnsupportedOperationError,
            "set_topic_routing_mode: a topic router is a class of Java",
        ),
        (lambda b: b.set_topic_router("a.B"), UnsupportedOperationError, "write each part to its own sink"),
        (lambda b: b.delay_sending_message(1), PlanTypeError, "takes a MessageDelayer"),
        (lambda b: MessageDelayer.fixed(1), PlanTypeError, "takes a Duration"),
        (lambda b: b.set_serialization_schema(1), PlanTypeError, "takes a SerializationSchema"),
        (lambda b: b.build(), ConfigurationError, "needs set_serialization_schema"),
    ],
)
def test_wrong_arguments_of_a_sink_are_refused(build: Build, kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind, match=complaint):
        build(PulsarSink.builder())


def test_options_of_acknowledgements_have_no_effect_and_those_of_producers_reach_them() -> None:
    source = PulsarSource.builder().set_config("pulsar.source.enableAutoAcknowledgeMessage", True)
    source.set_properties({"pulsar.source.autoCommitCursorInterval": "1000"})
    sink = PulsarSink.builder().set_service_url(URL).set_topics("t")
    sink.set_serialization_schema(SimpleStringSchema()).set_config("pulsar.producer.maxPendingMessages", 50)
    sink.set_properties({"pulsar.producer.batchingMaxMessages": "7"})
    output = sink.build()._output
    assert (output.pending_messages, output.batch_size) == (50, 7)


def test_the_deprecated_name_warns_and_parameters_of_a_login_are_not_shown() -> None:
    builder = PulsarSource.builder().set_service_url(URL).set_topics("t").set_subscription_name("s")
    with pytest.warns(DeprecationWarning, match="use set_properties"):
        builder.set_config_with_dict({"pulsar.client.operationTimeoutMs": 2_000})
    builder.set_admin_url("http://localhost:8080").set_range_generator(RangeGenerator.full())
    plugin = "org.apache.pulsar.client.impl.auth.AuthenticationToken"
    source = builder.set_authentication(plugin, {"token": "secret"})
    reader = source.set_deserialization_schema(SimpleStringSchema()).build().reader()
    assert reader.settings.authentication == (plugin, "token:secret")
    assert reader.settings.operation_timeout == 2
    assert "secret" not in repr(reader)
    reader.settings.connect().close()
    with pytest.raises(PlanTypeError) as failure:
        builder.set_authentication(plugin, b"secret")  # type: ignore[arg-type]
    assert "secret" not in str(failure.value)

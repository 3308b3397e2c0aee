"""The configuration of connections to RabbitMQ."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common import SimpleStringSchema
from pystream.datastream.connectors import RMQConnectionConfig, RMQSink, RMQSource
from pystream.errors import ConfigurationError, PlanTypeError

URI = "amqp://someone:secret@broker:5673/orders"


def builder() -> RMQConnectionConfig.Builder:
    five = RMQConnectionConfig.Builder().set_host("broker").set_port(5673).set_virtual_host("orders")
    return five.set_user_name("someone").set_password("secret")


def test_a_configuration_has_the_settings() -> None:
    config = builder().set_requested_heartbeat(20).set_requested_frame_max(8_192).set_requested_channel_max(9)
    config.set_connection_timeout(3_000).set_network_recovery_interval(10).set_automatic_recovery(False)
    config.set_topology_recovery_enabled(True).set_prefetch_count(7)
    built = config.build()
    assert built.get_host() == "broker"
    assert built.get_port() == 5673
    assert built.get_virtual_host() == "orders"
    assert built.get_user_name() == "someone"
    assert built.get_password() == "secret"
    assert built.get_uri() is None
    assert built.get_requested_heartbeat() == 20
    assert built.get_requested_frame_max() == 8_192
    assert built.get_requested_channel_max() == 9
    assert built.get_connection_timeout() == 3_000
    assert built.get_network_recovery_interval() == 10
    assert not built.is_automatic_recovery()
    assert built.is_topology_recovery()


def test_a_uri_replaces_the_five_settings() -> None:
    built = RMQConnectionConfig.Builder().set_uri(URI).build()
    assert built.get_uri() == URI
    assert built.get_host() is None
    assert built.get_network_recovery_interval() == 5_000
    assert built.is_automatic_recovery()


@pytest.mark.parametrize("config", [builder(), RMQConnectionConfig.Builder().set_uri(URI)])
def test_texts_of_a_configuration_have_no_password(config: RMQConnectionConfig.Builder) -> None:
    built = config.build()
    source = RMQSource(built, "q", True, SimpleStringSchema())
    sink = RMQSink(built, "q", SimpleStringSchema())
    assert str(built) == "broker:5673/orders"
    texts = f"{built!r} {built} {config!r} {source!r} {source.reader()!r} {sink!r} {sink._output!r}"
    assert "secret" not in texts
    assert "someone" not in texts


def test_an_incomplete_address_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="lacks virtual_host, user, password: set a URI"):
        RMQConnectionConfig.Builder().set_host("broker").set_port(5673).build()


@pytest.mark.parametrize(
    "uri", ["http://broker", "broker:5673", "amqp://", "amqp://someone:secret@broker:x/"]
)
def test_an_unusable_uri_is_refused_without_its_text(uri: str) -> None:
    with pytest.raises(ConfigurationError, match="must look like amqp://") as refusal:
        RMQConnectionConfig.Builder().set_uri(uri)
    assert "secret" not in str(refusal.value)


def test_a_password_that_is_no_text_is_not_shown() -> None:
    wrong: Any = 12345678
    with pytest.raises(PlanTypeError, match="password takes a str") as refusal:
        builder().set_password(wrong)
    assert "12345678" not in str(refusal.value)


@pytest.mark.parametrize("count", [0, 65_536])
def test_a_prefetch_count_is_bounded(count: int) -> None:
    with pytest.raises(ConfigurationError, match="from 1 to 65535"):
        builder().set_prefetch_count(count)


def test_wrong_arguments_are_refused() -> None:
    wrong: Any = "broker"
    with pytest.raises(PlanTypeError, match="RMQSource takes a RMQConnectionConfig"):
        RMQSource(wrong, "q", True, SimpleStringSchema())
    with pytest.raises(PlanTypeError, match="RMQSink takes a SerializationSchema"):
        RMQSink(builder().build(), "q", wrong)

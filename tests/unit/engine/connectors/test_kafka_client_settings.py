"""Properties of Kafka's Java clients as settings of librdkafka."""

from __future__ import annotations

import pytest

from pystream.engine.connectors.kafka.client_settings import consumer_settings, producer_settings


@pytest.mark.parametrize(
    ("text", "password"),
    [
        ("p", "p"),
        ('"p q;"', "p q;"),
        (r'"a\"b\\"', 'a"b\\'),
        ('''"it's'"''', "it's'"),
        (r"'a\'b\"'", "a'b\""),
    ],
)
def test_a_password_of_a_java_login_is_unquoted(text: str, password: str) -> None:
    login = f"org.apache.kafka.common.security.plain.PlainLoginModule required username=me password={text};"
    settings = consumer_settings({"sasl.jaas.config": login})
    assert (settings["sasl.username"], settings["sasl.password"]) == ("me", password)


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({"client.id.prefix": "p", "group.id": "g", "client.id": "c"}, "p-3"),
        ({"group.id": "g"}, "g-3"),
        ({"group.id": "g", "client.id": "c"}, "c"),
        ({}, None),
    ],
)
def test_a_consumer_of_a_source_is_known_by_prefix_and_role(
    properties: dict[str, str], expected: str | None
) -> None:
    assert consumer_settings(properties, "3").get("client.id") == expected
    assert consumer_settings(properties).get("client.id") == properties.get("client.id")


@pytest.mark.parametrize(("given", "expected"), [("", "none"), ("https", "https")])
def test_an_empty_algorithm_checks_no_name_of_a_host(given: str, expected: str) -> None:
    name = "ssl.endpoint.identification.algorithm"
    assert consumer_settings({name: given})[name] == expected
    assert producer_settings({name: given})[name] == expected


@pytest.mark.parametrize("name", ["queued.max.messages.kbytes", "fetch.queue.backoff.ms"])
def test_a_program_may_set_how_much_is_fetched_ahead(name: str) -> None:
    assert consumer_settings({name: "7"})[name] == "7"
    assert consumer_settings({})[name] > 0

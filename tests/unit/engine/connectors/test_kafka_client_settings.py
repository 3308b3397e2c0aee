"""Properties of Kafka's Java clients as settings of librdkafka."""

from __future__ import annotations

import pytest

from pystream.engine.connectors.kafka.client_settings import consumer_settings


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

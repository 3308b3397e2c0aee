"""Settings that the builders of Pulsar's source and sink share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pystream.arguments.checks import require, require_int
from pystream.engine.connectors.pulsar.client import ClientSettings
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = ["PulsarSettings", "topics_of"]

_OPERATION_TIMEOUT = "pulsar.client.operationTimeoutMs"
_CONNECTION_TIMEOUT = "pulsar.client.connectionTimeoutMs"
_DISCOVERY_INTERVAL = "pulsar.source.partitionDiscoveryIntervalMs"
_PENDING = "pulsar.producer.maxPendingMessages"
_BATCH = "pulsar.producer.batchingMaxMessages"
_DEFAULTS = {
    _OPERATION_TIMEOUT: 30_000,
    _CONNECTION_TIMEOUT: 10_000,
    _DISCOVERY_INTERVAL: 300_000,
    _PENDING: 1000,
    _BATCH: 1000,
}
_WITHOUT_EFFECT = ("pulsar.source.enableAutoAcknowledgeMessage", "pulsar.source.autoCommitCursorInterval")
"""Options that say when messages are acknowledged: that is when their epoch is complete."""


@checks_arguments(ArgumentTypeError)
class PulsarSettings:
    """Set how to connect, and to which topics."""

    def __init__(self) -> None:
        self._service_url = ""
        self._topics: tuple[str, ...] = ()
        self._authentication: tuple[str, str] | None = None
        self._options = dict(_DEFAULTS)

    def set_admin_url(self, admin_url: str) -> Self:
        """Accept the URL of the administration, which is not needed."""
        require(admin_url, str, "set_admin_url", "a URL")
        return self

    def set_service_url(self, service_url: str) -> Self:
        """Set the URL of the brokers, such as ``pulsar://localhost:6650``.

        Raises:
            ConfigurationError: it has another form.
        """
        if not isinstance(service_url, str) or not service_url.startswith(("pulsar://", "pulsar+ssl://")):
            raise ConfigurationError(f"set_service_url takes 'pulsar://host:6650', not {service_url!r}")
        self._service_url = service_url
        return self

    def set_authentication(
        self, auth_plugin_class_name: str, auth_params_string: str | Mapping[str, str]
    ) -> Self:
        """Set how to log in; the parameters are not shown in messages and plans.

        Args:
            auth_plugin_class_name: the plugin, such as
                ``org.apache.pulsar.client.impl.auth.AuthenticationToken``.
            auth_params_string: its parameters, as a dict or as ``key1:value1,key2:value2``.

        Raises:
            PlanTypeError: they are neither.
        """
        require(auth_plugin_class_name, str, "set_authentication", "the name of a plugin")
        if not isinstance(auth_params_string, (str, Mapping)):
            raise PlanTypeError("set_authentication takes parameters as a str or a dict")
        parameters = (
            auth_params_string
            if isinstance(auth_params_string, str)
            else ",".join(f"{key}:{value}" for key, value in auth_params_string.items())
        )
        self._authentication = (auth_plugin_class_name, parameters)
        return self

    def set_properties(self, config: Mapping[str, Any]) -> Self:
        """Set options of the client.

        Raises:
            ConfigurationError: there is no such option here, or its value is wrong.
        """
        require(config, Mapping, "set_properties", "a dict")
        for key, value in config.items():
            self._set_option(key, value)
        return self

    @property
    def _discovery_interval(self) -> int:
        return max(0, self._options[_DISCOVERY_INTERVAL])

    @property
    def _producer_limits(self) -> tuple[int, int]:
        """How many messages may wait for an answer, and how many are sent at once."""
        return self._options[_PENDING], self._options[_BATCH]

    def _set_option(self, key: str, value: Any) -> Self:
        if key in _WITHOUT_EFFECT:
            return self
        if key not in _DEFAULTS:
            known = ", ".join((*_DEFAULTS, *_WITHOUT_EFFECT))
            raise ConfigurationError(f"Pulsar has no option {key!r} here; there are {known}")
        try:
            number = int(value)
        except (TypeError, ValueError):
            raise ConfigurationError(
                f"{key} must be a number{' of milliseconds' if key.endswith('Ms') else ''}, not "
                f"{short_repr(value)}"
            ) from None
        self._options[key] = number if key == _DISCOVERY_INTERVAL else require_int(number, key, 1)
        return self

    def _client(self, owner: str) -> ClientSettings:
        """Return how to connect.

        Raises:
            ConfigurationError: a setting is missing.
        """
        if not self._service_url:
            raise ConfigurationError(f"{owner} needs set_service_url('pulsar://host:6650')")
        if not self._topics:
            raise ConfigurationError(f"{owner} needs set_topics")
        seconds = max(1, self._options[_OPERATION_TIMEOUT] // 1000)
        timeout = self._options[_CONNECTION_TIMEOUT]
        return ClientSettings(self._service_url, self._authentication, seconds, timeout)


def topics_of(topics: str | list[str]) -> tuple[str, ...]:
    """Return topics, checked.

    Raises:
        ConfigurationError: there is none, or one is not a text.
    """
    several = (topics,) if isinstance(topics, str) else tuple(topics)
    if not several or not all(isinstance(topic, str) and topic for topic in several):
        raise ConfigurationError(f"set_topics takes one or several names, not {topics!r}")
    return several

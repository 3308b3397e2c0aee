"""Restart strategies and their settings."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pystream.common.configuration import Configuration
from pystream.common.restart_strategy import RestartStrategies, RestartStrategyConfiguration
from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import ConfigurationError

ALL: list[RestartStrategyConfiguration] = [
    RestartStrategies.no_restart(),
    RestartStrategies.fall_back_restart(),
    RestartStrategies.fixed_delay_restart(3, 1000),
    RestartStrategies.fixed_delay_restart(0, timedelta(0)),
    RestartStrategies.failure_rate_restart(3, timedelta(minutes=5), 500),
]


@pytest.mark.parametrize("strategy", ALL, ids=lambda strategy: strategy.get_description())
def test_a_strategy_is_read_back_from_settings(strategy: RestartStrategyConfiguration) -> None:
    configuration = Configuration()
    strategy.write_to(configuration)
    assert RestartStrategies.from_configuration(configuration) == strategy


def test_a_strategy_replaces_the_one_before() -> None:
    configuration = Configuration()
    for strategy in ALL:
        strategy.write_to(configuration)
        assert RestartStrategies.from_configuration(configuration) == strategy
    RestartStrategies.fall_back_restart().write_to(configuration)
    assert not configuration.contains_key("restart-strategy.type")


def test_descriptions_differ() -> None:
    descriptions = [strategy.get_description() for strategy in ALL]
    assert len(set(descriptions)) == len(descriptions)
    assert all(descriptions)


def test_getters() -> None:
    fixed = RestartStrategies.fixed_delay_restart(3, 1500)
    assert fixed.get_restart_attempts() == 3
    assert fixed.get_delay_between_attempts_interval() == timedelta(seconds=1.5)
    rate = RestartStrategies.failure_rate_restart(4, 60_000, timedelta(seconds=2))
    assert rate.get_max_failure_rate() == 4
    assert rate.get_failure_interval() == timedelta(minutes=1)
    assert rate.get_delay_between_attempts_interval() == timedelta(seconds=2)


def test_equality() -> None:
    assert RestartStrategies.fixed_delay_restart(3, 1000) == RestartStrategies.fixed_delay_restart(
        3, timedelta(seconds=1)
    )
    assert len(set(ALL)) == len(ALL)
    assert RestartStrategies.no_restart() == RestartStrategies.no_restart()


@pytest.mark.parametrize(
    ("settings", "strategy"),
    [
        ({}, RestartStrategies.fall_back_restart()),
        ({"restart-strategy": "none"}, RestartStrategies.no_restart()),
        ({"restart-strategy.type": "off"}, RestartStrategies.no_restart()),
        ({"restart-strategy.type": "fixeddelay"}, RestartStrategies.fixed_delay_restart(1, 1000)),
        (
            {"restart-strategy.type": "failure-rate", "restart-strategy.failure-rate.delay": "5 s"},
            RestartStrategies.failure_rate_restart(1, 60_000, 5000),
        ),
    ],
)
def test_settings_have_flinks_names_and_defaults(
    settings: dict[str, str], strategy: RestartStrategyConfiguration
) -> None:
    assert RestartStrategies.from_configuration(Configuration.from_dict(settings)) == strategy


@pytest.mark.parametrize("name", ["often", "exponential-delay"])
def test_an_unknown_strategy_is_refused_when_it_is_configured(name: str) -> None:
    settings = Configuration.from_dict({"restart-strategy": name})
    with pytest.raises(
        ConfigurationError, match=rf"restart-strategy\.type: '{name}' .* none, fixed-delay, failure-rate"
    ):
        StreamExecutionEnvironment.get_execution_environment(settings)
    with pytest.raises(ConfigurationError, match=name):
        StreamExecutionEnvironment.get_execution_environment().configure(settings)


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"fixed-delay\.attempts: -1 .* at least 0"):
        RestartStrategies.fixed_delay_restart(-1, 5)
    with pytest.raises(ConfigurationError, match=r"fixed-delay\.delay: .* at least 0 ms"):
        RestartStrategies.fixed_delay_restart(1, -5)
    with pytest.raises(ConfigurationError, match=r"fixed-delay\.delay: 'x' .* a timedelta"):
        RestartStrategies.fixed_delay_restart(1, "x")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match=r"failures-per-interval: 0 .* at least 1"):
        RestartStrategies.failure_rate_restart(0, 5, 5)
    with pytest.raises(ConfigurationError, match=r"failure-rate-interval: 0 ms .* at least 1 ms"):
        RestartStrategies.failure_rate_restart(1, 0, 5)

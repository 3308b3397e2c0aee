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
    RestartStrategies.exponential_delay_restart(10, 20_000, 1.5, timedelta(hours=2), 0.25, 7),
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


@pytest.mark.parametrize("name", ["often", "exponential"])
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
    with pytest.raises(ConfigurationError, match=r"takes a timedelta or an int .* 'x'"):
        RestartStrategies.fixed_delay_restart(1, "x")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match=r"failures-per-interval: 0 .* at least 1"):
        RestartStrategies.failure_rate_restart(0, 5, 5)
    with pytest.raises(ConfigurationError, match=r"failure-rate-interval: 0 ms .* at least 1 ms"):
        RestartStrategies.failure_rate_restart(1, 0, 5)
    with pytest.raises(ConfigurationError, match=r"backoff-multiplier: 0\.5 .* at least 1"):
        RestartStrategies.exponential_delay_restart(1, 2, 0.5, 3, 0)
    with pytest.raises(
        ConfigurationError, match=r"max-backoff: 0:00:01 .* at least .*initial-backoff, 0:00:02"
    ):
        RestartStrategies.exponential_delay_restart(2000, 1000, 2, 3, 0)


# restarts


def delays(strategy: RestartStrategyConfiguration, *times: float) -> list[float | None]:
    backoff = strategy.new_backoff()
    return [backoff(time) for time in times]


def test_a_job_without_a_strategy_does_not_restart() -> None:
    assert delays(RestartStrategies.no_restart(), 1) == [None]
    assert delays(RestartStrategies.fall_back_restart(), 1) == [None]


def test_a_fixed_number_of_restarts() -> None:
    assert delays(RestartStrategies.fixed_delay_restart(2, 500), 1, 1000, 9000) == [0.5, 0.5, None]


def test_failures_are_counted_over_an_interval() -> None:
    strategy = RestartStrategies.failure_rate_restart(2, 10_000, 500)
    assert delays(strategy, 0, 9, 10, 19.5, 20, 20) == [0.5, 0.5, 0.5, 0.5, 0.5, None]
    assert delays(strategy, 0, 1, 9.9) == [0.5, 0.5, None]


def test_delays_grow_until_the_job_has_run_long_enough() -> None:
    strategy = RestartStrategies.exponential_delay_restart(1000, 5000, 2, 60_000, 0)
    assert delays(strategy, 0, 2, 5, 10, 20) == [1, 2, 4, 5, 5]
    assert delays(strategy, 0, 60.9, 122.8, 185) == [1, 2, 4, 5]
    assert delays(strategy, 0, 61, 122, 124) == [1, 1, 1, 2]


def test_the_number_of_restarts_in_a_row_is_limited() -> None:
    strategy = RestartStrategies.exponential_delay_restart(1000, 5000, 2, 60_000, 0, 2)
    assert delays(strategy, 0, 1, 100, 101, 102) == [1, 2, 1, 2, None]


def test_jitter_keeps_delays_apart() -> None:
    strategy = RestartStrategies.exponential_delay_restart(1000, 1500, 1, 60_000, 0.5)
    found = delays(strategy, *range(200))
    assert all(delay is not None and 0.5 <= delay <= 1.5 for delay in found)
    assert len({*found}) > 100


def test_each_job_counts_its_own_failures() -> None:
    strategy = RestartStrategies.fixed_delay_restart(1, 0)
    assert delays(strategy, 0) == delays(strategy, 0) == [0]


@pytest.mark.parametrize("settings", [{}, {"execution.checkpointing.interval": "1 s"}])
def test_an_unbounded_job_with_checkpoints_restarts(settings: dict[str, str]) -> None:
    strategy = RestartStrategies.of_unbounded_job(Configuration.from_dict(settings))
    assert strategy.restarts == bool(settings)
    chosen = Configuration.from_dict({**settings, "restart-strategy.type": "none"})
    assert not RestartStrategies.of_unbounded_job(chosen).restarts

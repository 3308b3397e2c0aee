"""Random programs on a simulated cluster have the results of simple models, and survive crashes."""

from __future__ import annotations

import pytest

from tests.simulation.fuzz import main
from tests.simulation.queries.simulate import simulate_query
from tests.simulation.simulate import simulate
from tests.simulation.simulate_unbounded import simulate_unbounded

SEEDS, UNBOUNDED_SEEDS, QUERY_SEEDS, IN_A_TEST = 200, 120, 80, 20


@pytest.mark.parametrize("first", range(0, SEEDS, IN_A_TEST))
def test_seeds(first: int) -> None:
    for seed in range(first, first + IN_A_TEST):
        simulate(seed)


@pytest.mark.parametrize("first", range(0, UNBOUNDED_SEEDS, IN_A_TEST))
def test_unbounded_seeds(first: int) -> None:
    for seed in range(first, first + IN_A_TEST):
        simulate_unbounded(seed)


@pytest.mark.parametrize("first", range(0, QUERY_SEEDS, IN_A_TEST))
def test_query_seeds(first: int) -> None:
    for seed in range(first, first + IN_A_TEST):
        simulate_query(seed)


def test_a_failing_seed_is_named_with_how_to_run_it_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.simulation.fuzz.simulate", _fails_for_8)
    assert main(["3", "7"]) == 1
    printed = capsys.readouterr().out
    assert "seed 8 failed: ValueError: as told" in printed
    assert "python -m tests.simulation.fuzz 1 8" in printed
    assert "3 seeds from 7: 1 failed" in printed
    assert main(["1", "9"]) == 0


def _fails_for_8(seed: int) -> None:
    if seed == 8:
        raise ValueError("as told")

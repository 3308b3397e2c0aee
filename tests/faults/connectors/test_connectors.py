"""The comparison and the scenarios of jobs with connectors, without servers."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.faults.connectors.request import ConnectorRequest
from tests.faults.connectors.results import difference, out_of_order
from tests.faults.connectors.scenarios import KINDS, draw_scenario

WANTED = Counter({"1,a,2": 1, "2,b,4": 1})


def test_lost_doubled_and_wrong_results_are_told_apart() -> None:
    doubled = Counter({"1,a,2": 2, "2,b,4": 1})
    assert difference(WANTED, WANTED, may_double=False) == ""
    assert "1 of 2 lost, such as ['2,b,4']" in difference(WANTED, Counter({"1,a,2": 1}), may_double=True)
    assert "1 doubled or wrong, such as ['1,a,2']" in difference(WANTED, doubled, may_double=False)
    assert difference(WANTED, doubled, may_double=True) == ""
    assert "1 doubled or wrong, such as ['3,a,2']" in difference(
        WANTED, WANTED + Counter({"3,a,2": 1}), may_double=True
    )


def test_repeated_results_are_in_order_if_the_first_ones_are() -> None:
    assert out_of_order(["1,a,0", "2,a,0", "1,b,0", "1,a,0", "2,a,0", "3,a,0"]) == ""
    assert out_of_order(["1,a,0", "3,a,0", "2,a,0", "3,a,0"]) == "2,a,0"


@pytest.mark.parametrize("seed", range(len(KINDS)))
def test_a_seed_gives_the_same_scenario_again(seed: int) -> None:
    scenario = draw_scenario(seed)
    assert scenario == draw_scenario(seed)
    assert scenario.kind in scenario.describe()
    texts = ("map", "exactly-once", "", "", "", "", "", "", "", "")
    request = ConnectorRequest(*texts, properties={"a": "b"}, disturbances=scenario.disturbances)
    assert ConnectorRequest.parse(request.text()) == request

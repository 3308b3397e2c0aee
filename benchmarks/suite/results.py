"""The results for the JSON file: rates, ratios and whether they meet the targets."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from benchmarks.suite.contenders import Cell, Target
from benchmarks.suite.measuring import FEW, Measured, Measurement


def rows(measurement: Measurement) -> list[dict[str, Any]]:
    """Return a row for each contender and job, with rates in records per second."""
    return [_row(known) for known in measurement.measured.values()]


def _row(known: Measured) -> dict[str, Any]:
    row: dict[str, Any] = {
        "operator": known.cell.operator,
        "shape": known.cell.shape,
        "contender": known.contender,
    }
    if known.left_out or not known.seconds:
        return row | {"left_out": known.left_out or "out of time"}
    rates = sorted(known.records / max(taken - known.few, taken / 2) for taken in known.seconds)
    return row | {
        "records": known.records,
        "seconds": [round(taken, 4) for taken in known.seconds],
        "rate": statistics.median(rates),
        "lowest": rates[0],
        "highest": rates[-1],
    }


def few(measurement: Measurement) -> list[dict[str, Any]]:
    """Return the durations of jobs of few records."""
    return [
        {
            "contender": name,
            "operators": "keyed" if keyed else "stateless",
            "records": FEW,
            "seconds": statistics.median(times),
        }
        for (name, keyed), times in measurement.few.items()
        if times
    ]


def ratios(
    lines: list[dict[str, Any]], cells: Sequence[Cell], targets: Sequence[Target]
) -> list[dict[str, Any]]:
    """Return the ratio of each target for each job that was measured on both sides."""
    rates = {
        (line["contender"], line["operator"], line["shape"]): line["rate"] for line in lines if "rate" in line
    }
    found = []
    for target in targets:
        for cell in cells:
            if target.applies_to(cell):
                found += _ratio(target, cell, rates)
    return found


def _ratio(target: Target, cell: Cell, rates: dict[tuple[str, str, str], float]) -> list[dict[str, Any]]:
    ours = rates.get((target.ours, cell.operator, cell.shape))
    known = {name: rates.get((name, cell.operator, cell.shape)) for name in target.theirs}
    best = max((rate for rate in known.values() if rate), default=None)
    if ours is None or best is None:
        return []
    return [
        {
            "target": target.title,
            "operator": cell.operator,
            "shape": cell.shape,
            "ratio": ours / best,
            "least": target.least,
            "met": ours / best >= target.least,
        }
    ]

"""The results as Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any

from benchmarks.suite.report import published_between, table, two_digits
from benchmarks.unbounded.cases import CASES
from benchmarks.unbounded.contenders import LEAST_OF_STORED, TARGETS

_BEGIN, _END = "<!-- unbounded results -->", "<!-- end of unbounded results -->"
_STORED = ("stored-1m", "stored-1k")


def markdown(found: dict[str, Any]) -> str:
    """Return all results as tables."""
    facts = ", ".join(f"{name}: {value}" for name, value in found["machine"].items())
    rows = found["rows"]
    parts = [
        "# Results of unbounded jobs",
        f"{facts}. Measured in {found['minutes']:.1f} minutes.",
        "## Millions of records a second, in a steady state",
        "Medians; in brackets the lowest and the highest, where they differ by a tenth or more.",
        table(["", *(name for name in _names(rows, is_latency=False))], list(_rates(rows))),
        "## Targets",
        table(["ratio", "case", "measured", "at least", "met"], list(_ratios(rows))),
        "## Milliseconds from source to sink",
        "At 1,000 records a second: median, 99th percentile, highest; medians of the runs.",
        table(["", *(name for name in _names(rows, is_latency=True))], list(_latencies(rows))),
        "## Left out",
        "\n".join(
            f"- {row['contender']}, {row['case']}: {row['left_out']}" for row in rows if row["left_out"]
        )
        or "Nothing.",
    ]
    return "\n\n".join(parts) + "\n"


def published(page: str, text: str) -> str:
    """Return a page with the text in place of its results of unbounded jobs."""
    return published_between(page, text, _BEGIN, _END)


def _names(rows: list[dict[str, Any]], *, is_latency: bool) -> list[str]:
    found = (row["contender"] for row in rows if CASES[row["case"]].is_latency is is_latency and row["runs"])
    return list(dict.fromkeys(found))


def _cases(rows: list[dict[str, Any]], *, is_latency: bool) -> list[str]:
    found = (row["case"] for row in rows if CASES[row["case"]].is_latency is is_latency)
    return list(dict.fromkeys(found))


def _values(rows: list[dict[str, Any]], case: str, contender: str, name: str) -> list[float]:
    return sorted(
        run[name]
        for row in rows
        if row["case"] == case and row["contender"] == contender
        for run in row["runs"]
    )


def _rates(rows: list[dict[str, Any]]) -> Iterator[list[str]]:
    for case in _cases(rows, is_latency=False):
        line = [CASES[case].title]
        for name in _names(rows, is_latency=False):
            values = _values(rows, case, name, "rate")
            line.append(_rate_text(values) if values else "-")
        yield line


def _rate_text(values: list[float]) -> str:
    text = two_digits(statistics.median(values) / 1e6)
    if values[-1] > 1.1 * values[0]:
        text += f" ({two_digits(values[0] / 1e6)}-{two_digits(values[-1] / 1e6)})"
    return text


def _latencies(rows: list[dict[str, Any]]) -> Iterator[list[str]]:
    for case in _cases(rows, is_latency=True):
        line = [CASES[case].title]
        for name in _names(rows, is_latency=True):
            found = [_values(rows, case, name, each) for each in ("median", "p99", "highest")]
            line.append(" / ".join(f"{statistics.median(each):,.0f}" for each in found if each) or "-")
        yield line


def _ratios(rows: list[dict[str, Any]]) -> Iterator[list[str]]:
    for target in TARGETS:
        for case in _cases(rows, is_latency=False):
            ours = _values(rows, case, target.ours, "rate")
            theirs = [_values(rows, case, name, "rate") for name in target.theirs]
            best = max((statistics.median(each) for each in theirs if each), default=None)
            if ours and best is not None:
                title = f"{target.ours} / {target.title}"
                yield _ratio(title, CASES[case].title, statistics.median(ours) / best, target.least)
    stored, touched = (_values(rows, name, "pystream", "rate") for name in _STORED)
    if stored and touched:
        ratio = statistics.median(stored) / statistics.median(touched)
        yield _ratio("of the rate with 1,000 stored", CASES[_STORED[0]].title, ratio, LEAST_OF_STORED)


def _ratio(title: str, case: str, ratio: float, least: float) -> list[str]:
    return [title, case, two_digits(ratio), f"{least:g}", "yes" if ratio >= least else "**no**"]

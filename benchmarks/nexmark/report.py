"""The results as Markdown."""

from __future__ import annotations

from typing import Any

from benchmarks.suite.report import about, left_out, rate, startups, table, two_digits

_TITLES = {
    "q0": "pass through",
    "q1": "convert prices",
    "q2": "select by auction",
    "q3": "join persons and auctions",
    "q4": "average price by category",
    "q5": "hot items, sliding windows",
    "q6": "average of ten sales by seller",
    "q7": "highest bid, tumbling windows",
    "q8": "new sellers, tumbling windows",
    "q9": "winning bids",
    "q10": "days and minutes of bids",
    "q11": "sessions of bidders",
    "q12": "windows of processing time",
    "q13": "look up in a file",
    "q14": "functions of the program",
    "q15": "report by day",
    "q16": "report by channel and day",
    "q17": "report by auction and day",
    "q18": "last bid by bidder and auction",
    "q19": "ten highest bids by auction",
    "q20": "join bids and auctions",
    "q21": "channel ids by expression",
    "q22": "folders of URLs",
}


def markdown(results: dict[str, Any]) -> str:
    """Return all results as tables."""
    rows = results["rows"]
    parts = [
        "# NEXMark",
        about(results),
        "## Thousands of events a second",
        f"Medians over {results['events']:,} events; in brackets the lowest and the highest, where they"
        " differ by a tenth or more. The duration of a job of few events, listed below, is subtracted, up to"
        " half of a job's time.",
        _rates(rows),
        "## Targets",
        _targets(results["ratios"]) or "None was measured.",
        "## Start-up",
        startups(results),
        "## Left out",
        left_out(rows),
    ]
    return "\n\n".join(parts) + "\n"


def _rates(rows: list[dict[str, Any]]) -> str:
    cells = {(row["operator"], row["contender"]): rate(row, 1e3) for row in rows}
    names = list(dict.fromkeys(row["contender"] for row in rows if "rate" in row))
    queries = list(dict.fromkeys(row["operator"] for row in rows))
    lines = [[query, _TITLES[query], *(cells[query, name] for name in names)] for query in queries]
    return table(["", "query", *names], lines)


def _targets(ratios: list[dict[str, Any]]) -> str:
    lines = [
        [
            ratio["target"],
            ratio["operator"],
            two_digits(ratio["ratio"]),
            f"{ratio['least']:g}",
            "yes" if ratio["met"] else "**no**",
        ]
        for ratio in ratios
    ]
    return table(["ratio", "query", "measured", "at least", "met"], lines) if lines else ""

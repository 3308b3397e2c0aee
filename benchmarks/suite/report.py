"""The results as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.suite.shapes import OPERATOR_TITLES, TITLES

_BEGIN, _END = "<!-- results -->", "<!-- end of results -->"
_NUMERIC = frozenset("0123456789-")
_RUNNERS = {
    "spark": "pystream on Spark",
    "local": "pystream's local host, one process",
    "pyflink process": "PyFlink process",
    "pyflink thread": "PyFlink thread",
    "bytewax": "Bytewax, two processes",
}


def markdown(results: dict[str, Any]) -> str:
    """Return all results as tables."""
    parts = [
        "# Results",
        about(results),
        "## Millions of records a second",
        f"Medians of {jobs(results['rows'])}; in brackets the lowest and the highest, where they differ by a"
        " tenth or more. The duration of a job of few records, listed below, is subtracted, up to half of"
        " a job's time.",
        *_rates(results),
        "## Targets",
        _targets(results["ratios"]),
        "## Start-up",
        startups(results),
        "## Serializers alone",
        "Nanoseconds per record to write and to read, and bytes per record.",
        _serializers(results["serializers"]),
        "## Left out",
        left_out(results["rows"]),
    ]
    return "\n\n".join(parts) + "\n"


def published(page: str, text: str) -> str:
    """Return a page with the text in place of its results, its headings one level lower."""
    return published_between(page, text, _BEGIN, _END)


def published_between(page: str, text: str, begin: str, end: str) -> str:
    """Return a page with the text between two markers, its headings one level lower."""
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    lowered = f"\n{text}".replace("\n#", "\n##")
    return f"{before}{begin}\n{lowered}\n{end}{after}"


def about(results: dict[str, Any]) -> str:
    """Return the machine and the versions."""
    facts = results["machine"] | results["versions"]
    text = ", ".join(f"{name}: {value}" for name, value in facts.items())
    return f"{text}. Measured in {results['minutes']:.1f} minutes."


def table(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return a table, with columns of numbers aligned to the right."""
    rule = [
        "---:" if all(cell[:1] in _NUMERIC for cell in column) else "---"
        for column in zip(*lines, strict=True)
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in [headings, rule, *lines])


def jobs(rows: list[dict[str, Any]]) -> str:
    """Return the numbers of jobs behind each figure."""
    counts = [len(row["seconds"]) for row in rows if "seconds" in row]
    return f"{min(counts)} to {max(counts)} jobs" if counts else "no jobs"


def _rates(results: dict[str, Any]) -> Iterable[str]:
    rows = results["rows"]
    for operator, title in OPERATOR_TITLES.items():
        chosen = [row for row in rows if row["operator"] == operator]
        shapes = list(dict.fromkeys(row["shape"] for row in chosen))
        if not chosen:
            continue
        cells = {(row["contender"], row["shape"]): rate(row) for row in chosen}
        lines = []
        for name in dict.fromkeys(row["contender"] for row in chosen):
            line = [cells[name, shape] for shape in shapes]
            if any(cell != "-" for cell in line):
                lines.append([name, *line])
        if not lines:
            continue
        yield f"### {title}"
        yield table(["", *(TITLES[shape] for shape in shapes)], lines)


def rate(row: dict[str, Any], unit: float = 1e6) -> str:
    """Return the rate of a job in a unit, and the range where it is wide."""
    if "rate" not in row:
        return "-"
    text = two_digits(row["rate"] / unit)
    if row["highest"] > 1.1 * row["lowest"]:
        text += f" ({two_digits(row['lowest'] / unit)}-{two_digits(row['highest'] / unit)})"
    return text


def two_digits(number: float) -> str:
    """Return a number with about two significant digits."""
    return f"{number:.0f}" if number >= 10 else f"{number:.1f}" if number >= 1 else f"{number:.2g}"


def _targets(ratios: list[dict[str, Any]]) -> str:
    lines = [
        [
            ratio["target"],
            ratio["operator"],
            TITLES[ratio["shape"]],
            two_digits(ratio["ratio"]),
            f"{ratio['least']:g}",
            "yes" if ratio["met"] else "**no**",
        ]
        for ratio in ratios
    ]
    return table(["ratio", "operator", "records", "measured", "at least", "met"], lines)


def startups(results: dict[str, Any]) -> str:
    """Return a table of the times that runners take to start, and of jobs of few records."""
    lines = [
        [
            "process, engine and first job of 1,000 records",
            _RUNNERS.get(name, name),
            f"{seconds:.1f} s",
        ]
        for name, seconds in results["startups"].items()
    ]
    lines += [
        [
            f"job of {few['records']:,} records, {few['operators']}",
            few["contender"],
            f"{few['seconds']:.2f} s",
        ]
        for few in results["few"]
    ]
    return table(["measured", "contender", "seconds"], lines)


def _serializers(lines: list[dict[str, Any]]) -> str:
    shapes = list(dict.fromkeys(line["shape"] for line in lines))
    cells = {(line["codec"], line["shape"]): line for line in lines}
    shown = []
    for codec in dict.fromkeys(line["codec"] for line in lines):
        row = [codec]
        for shape in shapes:
            line = cells[codec, shape]
            row.append(f"{line['write_ns']:,.0f} / {line['read_ns']:,.0f} / {line['bytes']:,.0f}")
        shown.append(row)
    return table(["write ns / read ns / bytes", *(TITLES[shape] for shape in shapes)], shown)


def left_out(rows: list[dict[str, Any]]) -> str:
    """Return a list of the jobs that were not measured, and the reasons."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if "left_out" in row:
            key = row["contender"], row["left_out"]
            reasons.setdefault(key, []).append(f"{row['operator']} {row['shape']}")
    lines = [f"- {name}, {', '.join(jobs)}: {reason}" for (name, reason), jobs in reasons.items()]
    return "\n".join(lines) or "Nothing."

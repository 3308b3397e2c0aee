"""The results as a bar chart with a panel for each job, all on one logarithmic scale."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
mpl.rcParams["svg.hashsalt"] = "pystream"  # makes the file the same for the same results

from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.patches import Patch  # noqa: E402

from benchmarks.suite.report import two_digits  # noqa: E402
from benchmarks.suite.shapes import OPERATOR_TITLES, TITLES  # noqa: E402

_OURS, _SPARK, _FLINK, _BYTEWAX = "#0b6e99", "#9aa5b1", "#d9822b", "#6b8e4e"
_COLOURS = {
    "native": _OURS,
    "vectorised": _OURS,
    "typed": _OURS,
    "pickled": _OURS,
    "PyFlink process": _FLINK,
    "PyFlink thread": _FLINK,
    "Bytewax": _BYTEWAX,
}
_LEGEND = {"pystream": _OURS, "PySpark by hand": _SPARK, "PyFlink": _FLINK, "Bytewax": _BYTEWAX}
_COLUMNS = 3
_INK, _FAINT = "#22303c", "#e4e8ec"


def draw(results: dict[str, Any], path: Path) -> None:
    """Write the chart as SVG and PNG.

    Args:
        results: the content of the JSON file.
        path: path without a suffix.
    """
    measured = [row for row in results["rows"] if "rate" in row]
    cells = list(dict.fromkeys((row["operator"], row["shape"]) for row in measured))
    panels_of = {cell: [row for row in measured if (row["operator"], row["shape"]) == cell] for cell in cells}
    most = max(map(len, panels_of.values()))
    lowest = min(row["lowest"] for row in measured) / 1e6 / 2
    highest = max(row["highest"] for row in measured) / 1e6 * 4
    lines = -(-len(cells) // _COLUMNS)
    plt.rcParams |= {"font.family": "DejaVu Sans", "font.size": 9, "svg.fonttype": "none"}
    figure, panels = plt.subplots(
        lines, _COLUMNS, figsize=(14, 3.0 * lines + 1.2), sharex=True, squeeze=False, layout="constrained"
    )
    for axes, cell in zip(panels.flat, cells, strict=False):
        _panel(axes, panels_of[cell], lowest, highest, most)
    for axes in panels.flat[len(cells) :]:
        axes.set_visible(False)
    machine = results["machine"]
    figure.suptitle("Millions of records a second, logarithmic: longer is faster", color=_INK, fontsize=14)
    handles = [Patch(color=colour, label=name) for name, colour in _LEGEND.items()]
    figure.legend(handles=handles, loc="outside lower left", ncols=len(handles), frameon=False, fontsize=10)
    figure.text(
        0.995, 0.008, f"{machine['cores']} cores, {machine['made']}", ha="right", color="#6b7785", fontsize=9
    )
    for suffix in (".svg", ".png"):
        figure.savefig(path.with_suffix(suffix), dpi=110, facecolor="white", metadata={_DATE[suffix]: None})
    plt.close(figure)


_DATE = {".svg": "Date", ".png": "Creation Time"}


def _panel(axes: Axes, rows: list[dict[str, Any]], lowest: float, highest: float, most: int) -> None:
    names = [row["contender"] for row in rows]
    rates = [row["rate"] / 1e6 for row in rows]
    spread = [
        [rate - row["lowest"] / 1e6 for rate, row in zip(rates, rows, strict=True)],
        [row["highest"] / 1e6 - rate for rate, row in zip(rates, rows, strict=True)],
    ]
    places = range(len(rows))
    colours = [_COLOURS.get(name, _SPARK) for name in names]
    axes.barh(places, rates, color=colours, height=0.74, zorder=2)
    axes.errorbar(rates, places, xerr=spread, fmt="none", ecolor=_INK, elinewidth=0.8, zorder=3)
    for place, row in zip(places, rows, strict=True):
        axes.text(row["highest"] / 1e6 * 1.12, place, two_digits(row["rate"] / 1e6), va="center", color=_INK)
    axes.set_yticks(places, names, color=_INK)
    axes.set_ylim(most - 0.4, -0.6)  # the same height of bars in all panels
    axes.set_xscale("log")
    axes.set_xlim(lowest, highest)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.tick_params(length=0, labelcolor=_INK, labelbottom=True)
    axes.grid(axis="x", color=_FAINT, zorder=0)
    axes.minorticks_off()
    axes.spines[:].set_visible(False)
    operator, shape = rows[0]["operator"], rows[0]["shape"]
    title = OPERATOR_TITLES[operator].partition(",")[0]
    axes.set_title(f"{title}, {TITLES[shape]}", loc="left", color=_INK, fontweight="bold", fontsize=10)

"""The contenders, the jobs, and the target ratios between contenders."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.suite.shapes import OPERATORS, SHAPES

KEYED = frozenset({"reduce", "window"})


@dataclass(frozen=True, slots=True)
class Cell:
    """A job: an operator over records of a shape."""

    operator: str
    shape: str


@dataclass(frozen=True, slots=True)
class Contender:
    """A way to run jobs.

    Attributes:
        name: name in the results.
        runner: the runner of its jobs.
        turns: maximum number of turns.
        slow: whether a job takes seconds to start; the number of records is then derived from
            ``estimated_rate`` instead of trial jobs.
        overhead: whether the duration of a job of few records is subtracted.
    """

    name: str
    runner: str
    turns: int = 9
    slow: bool = False
    overhead: bool = True


CONTENDERS = (
    Contender("native", "spark"),
    Contender("vectorised", "spark"),
    Contender("columns", "spark"),
    Contender("typed", "spark"),
    Contender("pickled", "spark"),
    Contender("Catalyst", "spark"),
    Contender("mapInArrow", "spark"),
    Contender("pandas UDF", "spark", 2),
    Contender("Python UDF", "spark", 2),
    Contender("local", "local"),
    Contender("PyFlink process", "pyflink process", 2, slow=True),
    Contender("PyFlink thread", "pyflink thread", 2, slow=True),
    Contender("Bytewax", "bytewax", overhead=False),
)

_PYFLINK = {"long": 60_000, "row5": 20_000, "row30": 12_000, "nested": 15_000, "text": 10_000}
_PYFLINK_KEYED = 5_000


def estimated_rate(cell: Cell) -> float:
    """Return the approximate number of records that PyFlink processes per second."""
    return _PYFLINK_KEYED if cell.operator in KEYED else _PYFLINK.get(cell.shape, 20_000)


SUBSET = (
    *(Cell("map", shape) for shape in SHAPES),
    Cell("filter", "row5"),
    Cell("flat_map", "row5"),
    Cell("reduce", "long"),
    Cell("reduce", "row5"),
    Cell("window", "row5"),
)
WHOLE = tuple(Cell(operator, shape) for operator in OPERATORS for shape in SHAPES)


@dataclass(frozen=True, slots=True)
class Target:
    """A minimum ratio of two rates.

    Attributes:
        ours: the contender in the numerator.
        theirs: the contenders whose best rate is the denominator.
        least: the minimum.
        operators: the operators that it applies to.
        shapes: the shapes of records that it applies to.
    """

    ours: str
    theirs: tuple[str, ...]
    least: float
    operators: tuple[str, ...] = OPERATORS
    shapes: tuple[str, ...] = SHAPES

    def applies_to(self, cell: Cell) -> bool:
        """Return whether the target applies to a job."""
        return cell.operator in self.operators and cell.shape in self.shapes

    @property
    def title(self) -> str:
        """The two sides of the ratio."""
        return f"{self.ours} / {' or '.join(self.theirs)}"


_STATELESS = ("map", "filter", "flat_map")
TARGETS = (
    Target("native", ("Catalyst",), 0.7, _STATELESS),
    Target("native", ("typed",), 10.0, _STATELESS),
    Target("vectorised", ("mapInArrow",), 0.8, _STATELESS),
    Target("typed", ("pickled",), 1.5, shapes=("row5", "row30")),
    Target("typed", ("PyFlink process", "PyFlink thread"), 10.0),
    Target("typed", ("Bytewax",), 1.0, ("reduce", "window")),
    Target("local", ("Bytewax",), 3.0, _STATELESS),
    Target("columns", ("Bytewax",), 2.0, _STATELESS),
)

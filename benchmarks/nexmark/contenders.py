"""The contenders, and the target ratios between them."""

from __future__ import annotations

from benchmarks.suite.contenders import Contender, Target

SHAPE = "json"
"""The shape of the events: lines of JSON files."""

CONTENDERS = (
    Contender("pystream", "spark"),
    Contender("pystream batch", "spark"),
    Contender("pystream SQL", "spark"),
    Contender("Spark SQL", "spark"),
    Contender("Structured Streaming", "spark"),
    Contender("local", "local"),
    Contender("local SQL", "local"),
    Contender("PyFlink process", "pyflink process", 2, slow=True),
    Contender("PyFlink thread", "pyflink thread", 2, slow=True),
    Contender("PyFlink SQL", "pyflink process", 2, slow=True),
)

_CHOSEN = ("q0", "q2", "q4", "q7", "q17")
TARGETS = (
    Target("pystream", ("Spark SQL",), 0.9, _CHOSEN, (SHAPE,)),
    Target("pystream SQL", ("Spark SQL",), 0.9, _CHOSEN, (SHAPE,)),
)
DEFAULT = _CHOSEN
"""The queries that run unless others are named."""

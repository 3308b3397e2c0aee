"""The queries as programs, for PyFlink, and for pystream under the name of PyFlink."""

from __future__ import annotations

from collections.abc import Callable

from pyflink.datastream import DataStream

from benchmarks.nexmark.queries import joins, rankings, reports, sales, stateless, windows
from benchmarks.nexmark.streams import Streams

PROGRAMS: dict[str, Callable[[Streams], DataStream]] = {
    "q0": stateless.q0,
    "q1": stateless.q1,
    "q2": stateless.q2,
    "q3": joins.q3,
    "q4": sales.q4,
    "q5": windows.q5,
    "q6": sales.q6,
    "q7": windows.q7,
    "q8": windows.q8,
    "q9": sales.q9,
    "q10": stateless.q10,
    "q11": windows.q11,
    "q12": windows.q12,
    "q13": stateless.q13,
    "q14": stateless.q14,
    "q15": reports.q15,
    "q16": reports.q16,
    "q17": reports.q17,
    "q18": rankings.q18,
    "q19": rankings.q19,
    "q20": joins.q20,
    "q21": stateless.q21,
    "q22": stateless.q22,
}
"""The programs by name."""

"""Options of Java for Spark sessions of tests, also of those in processes of their own.

Most plans of the tests run once: thorough compilation and parallel garbage collection do not pay off. Without
the former, Java reserves 48 MB for compiled code, which that of many plans fills.
"""

from __future__ import annotations

from typing import Final

__all__ = ["SHORT_LIVED_JAVA"]

SHORT_LIVED_JAVA: Final = {
    "SPARK_SUBMIT_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=240m"
}
"""Environment variables."""

"""pystream: Flink's typed Python programming model on Apache Spark."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    raise ImportError("pystream runs on Linux and macOS; on Windows, install it in WSL")

__version__ = "0.1.0"

"""Benchmarks of unbounded jobs: pystream against PySpark and PyFlink. See docs/benchmarks.md."""

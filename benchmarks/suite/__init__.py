"""The benchmark suite: pystream's paths against PySpark, PyFlink and Bytewax. See docs/benchmarks.md."""

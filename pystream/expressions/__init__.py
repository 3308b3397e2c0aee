"""Expressions: trees of exact operations, evaluated by Spark, over columns in Arrow, or by Python.

- ``expression``: the trees.
- ``kernels``: their evaluation over columns in Arrow.
"""

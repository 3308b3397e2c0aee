"""Expressions: trees of exact operations, evaluated by Spark, over columns in Arrow, or by Python.

- ``expression``: the trees.
- ``field_code``: the code of functions on fields, for what is no expression.
- ``kernels``: their evaluation over columns in Arrow.
"""

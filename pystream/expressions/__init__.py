"""Expressions: trees of exact operations, evaluated by Spark, over columns in Arrow, or by Python.

- ``operation``: the declaration of an operation: types, nulls, Python text, kernel and Spark expression.
- ``control``, ``arithmetic``, ``casts``, ``comparison``, ``lists``, ``text``, ``times``: the operations, by
  families.
- ``expression``: the trees.
- ``kernels``: their evaluation over columns in Arrow; ``python_code``: as Python source.
- ``field_code``: the code of functions on fields, for what is no expression.
"""

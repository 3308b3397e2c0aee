"""Expressions: trees of exact operations, evaluated by Spark, or over columns in Arrow.

- ``operation``: the declaration of an operation: types, nulls, Python text, kernel and Spark expression.
- ``control``, ``arithmetic``, ``casts``, ``comparison``, ``lists``, ``text``, ``times``: the operations, by
  families.
- ``expression``: the trees.
- ``kernels``: their evaluation over columns in Arrow, with ``list_items`` and ``result_lists``.
- ``field_code``: the code of functions on fields, for what is no expression.
"""

"""The promise markers of the tests, read from their source without running them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

__all__ = ["held_by_tests"]

_TESTS = Path(__file__).parents[1]


def held_by_tests() -> dict[str, list[str]]:
    """Return the files that name each id in a ``pytest.mark.promise(...)``.

    Tests that are skipped or expected to fail do not count.
    """
    held: dict[str, list[str]] = {}
    for path in sorted(_TESTS.rglob("test_*.py")):
        for id in _promises(ast.parse(path.read_text(encoding="utf-8"))):
            held.setdefault(id, []).append(str(path.relative_to(_TESTS)))
    return held


def _promises(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef) and any(map(_is_waived, node.decorator_list)):
        return
    if isinstance(node, ast.Call) and _is_mark(node.func, "promise"):
        for argument in node.args:
            if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                raise ValueError(f"line {node.lineno}: the id of a promise must be a literal string")
            yield argument.value
        return
    for child in ast.iter_child_nodes(node):
        yield from _promises(child)


def _is_waived(decorator: ast.expr) -> bool:
    mark = decorator.func if isinstance(decorator, ast.Call) else decorator
    return _is_mark(mark, "skip") or _is_mark(mark, "xfail")


def _is_mark(node: ast.expr, name: str) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == name
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "mark"
    )

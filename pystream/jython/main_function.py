"""Recognize scripts that define ``main(factory)``, by their syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator

__all__ = ["defines_main", "imports_from"]

_JAVA_PACKAGE = "org.apache.flink"
_PARAMETER = "factory"


def defines_main(module: ast.Module) -> bool:
    """Return whether a script leaves it to its caller to call ``main`` with an environment factory.

    It does if all of these hold:

    - Its top level has ``def main`` with exactly one required parameter.
    - The parameter is called ``factory``, or the script imports from ``org.apache.flink``.
    - No code at its top level, such as that below ``if __name__ == "__main__"``, calls ``main``.

    Args:
        module: the syntax tree of the script.
    """
    mains = [node for node in module.body if isinstance(node, ast.FunctionDef) and node.name == "main"]
    if not mains or any(_calls_main(node) for statement in module.body for node in _at_top_level(statement)):
        return False
    parameter = _only_required_parameter(mains[-1].args)
    return parameter == _PARAMETER or (parameter is not None and imports_from(module, _JAVA_PACKAGE))


def imports_from(module: ast.Module, package: str) -> bool:
    """Return whether a script imports a package, or a module or name from it."""
    names = (name for node in ast.walk(module) for name in _imported(node))
    return any(f"{name}.".startswith(f"{package}.") for name in names)


def _only_required_parameter(arguments: ast.arguments) -> str | None:
    positional = [*arguments.posonlyargs, *arguments.args]
    required = positional[: len(positional) - len(arguments.defaults)]
    return required[0].arg if len(required) == 1 and None not in arguments.kw_defaults else None


def _at_top_level(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those in it that run when the module is loaded."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _at_top_level(child)


def _calls_main(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "main"


def _imported(node: ast.AST) -> list[str]:
    """Return the names of the modules that a statement imports."""
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []

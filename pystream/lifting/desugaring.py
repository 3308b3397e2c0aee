"""Desugaring of functions that append to a local list and return it: as generators."""

from __future__ import annotations

import ast

__all__ = ["as_generator"]


def as_generator(body: list[ast.stmt]) -> list[ast.stmt] | None:
    """Rewrite a function that returns a list as a generator of its elements.

    Args:
        body: the statements of a function without ``yield``. One of them must set a variable to an empty
            list; the others must only append to it, extend it and return it.

    Returns:
        The statements of the generator, ``None`` if the function is of another form.
    """
    match body[-1]:
        case ast.Return(value=ast.Name(id=name)):
            return _yielding(body, name)
    return None


def _yielding(body: list[ast.stmt], name: str) -> list[ast.stmt] | None:
    created = next((i for i, statement in enumerate(body) if _creates(statement, name)), None)
    if created is None:
        return None
    rewriting = _Rewriting(name)
    before = [rewriting.visit(statement) for statement in body[:created]]
    rewriting.is_created = True
    after = [rewriting.visit(statement) for statement in body[created + 1 :]]
    used = [
        node
        for statement in (*before, *after)
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and node.id == name
    ]
    return None if used or rewriting.returns_other else [*before, *after]


def _creates(statement: ast.stmt, name: str) -> bool:
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=own)], value=value)
            | ast.AnnAssign(target=ast.Name(id=own), value=value)
        ) if own == name:
            return isinstance(value, ast.List) and not value.elts
    return False


class _Rewriting(ast.NodeTransformer):
    """Replaces operations on the list by ``yield`` in a copy of the statements.

    Attributes:
        is_created: whether the statements follow the creation of the list.
        returns_other: whether a statement returns something else than the list, or than an empty one before
            it is created.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.is_created = False
        self.returns_other = False

    def generic_visit(self, node: ast.AST) -> ast.AST:
        copied = type(node)(**dict(ast.iter_fields(node)))
        ast.copy_location(copied, node)
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(copied, field, [self.visit(v) if isinstance(v, ast.AST) else v for v in value])
            elif isinstance(value, ast.AST):
                setattr(copied, field, self.visit(value))
        return copied

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        match node.value:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend" as method),
                args=[value],
                keywords=[],
            ) if name == self._name and not isinstance(value, ast.Starred):
                return _yields(node, value, each=method == "extend")
        return self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        match node:
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add()) if name == self._name:
                return _yields(node, node.value, each=True)
        return self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> ast.AST:
        match node.value:
            case ast.Name(id=name) if name == self._name and self.is_created:
                pass
            case ast.List(elts=[]) if not self.is_created:
                pass
            case _:
                self.returns_other = True
        return ast.copy_location(ast.Return(None), node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node


def _yields(at: ast.stmt, value: ast.expr, *, each: bool) -> ast.Expr:
    given = ast.YieldFrom(value) if each else ast.Yield(value)
    return ast.copy_location(ast.Expr(ast.copy_location(given, at)), at)

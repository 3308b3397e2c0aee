"""Field reads: replace the fields of an element, where a function reads them, by variables."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

from pystream.expressions.expression import Expression, Op
from pystream.lifting.composites import argument
from pystream.lifting.frame import Frame
from pystream.lifting.kinds import NotExact
from pystream.lifting.members import attribute, item, unpacked
from pystream.lifting.source import place_of
from pystream.lifting.values import constant
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo

__all__ = ["FieldReads", "field_names"]


def field_names(parameter: str, t: FieldsTypeInfo[Any], taken: set[str]) -> list[str]:
    """Return the names of the variables that hold fields, which the function does not use."""
    names: list[str] = []
    for field in t.get_field_names():
        name = f"{parameter}_{field}"
        if not name.isidentifier():
            name = f"{parameter}_{len(names)}"
        while name in taken or name == "__debug__":  # which cannot be a parameter
            name += "_"
        taken.add(name)
        names.append(name)
    return names


class FieldReads(ast.NodeTransformer):
    """Replaces reads of fields of the element by variables.

    Attributes:
        whole: the obstacle that the element is used as a whole, ``None`` if it is not.
        by_name: whether fields may be read by their names.

    Args:
        parameter: the name of the element.
        t: its type.
        names: the variables.
        code: the code of the function.
        followed: returns the call with fields that replaces one with the element, ``None`` if there is none.

    Raises:
        NotExact: the element is used in another way.
    """

    def __init__(
        self,
        parameter: str,
        t: FieldsTypeInfo[Any],
        names: Sequence[str],
        code: CodeType,
        followed: Callable[[ast.Call, ast.expr, Sequence[str]], ast.Call | None],
    ) -> None:
        self._parameter = parameter
        self._element = argument(t, 0)
        self._names = names
        self._code = code
        self._followed = followed
        self.whole: NotExact | None = None
        self.by_name: bool = False

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not self._is_element(node.value) or self._is_method(node.attr):
            return self.generic_visit(node)
        self.by_name = True
        return self._variable(node, lambda: attribute(self._element, node.attr))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if not self._is_element(node.value):
            return self.generic_visit(node)
        try:
            index = ast.literal_eval(node.slice)
        except (TypeError, ValueError):
            raise self._escape(node, "reads a field that depends on a value") from None
        self.by_name = self.by_name or not isinstance(index, int)
        return self._variable(node, lambda: item(self._element, constant(index)))

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if not self._is_element(node.value):
            return self.generic_visit(node)
        for target in node.targets:
            if not isinstance(target, (ast.Tuple, ast.List)) or len(target.elts) != len(self._names):
                raise self._escape(node)
        if any(isinstance(part, ast.Starred) for part in ast.walk(node)):
            raise self._escape(node)
        with self._frame_at(node):
            unpacked(self._element, len(self._names))
        parts: list[ast.expr] = [
            ast.copy_location(ast.Name(name, ast.Load()), node.value) for name in self._names
        ]
        node.targets = [self.visit(target) for target in node.targets]
        node.value = ast.copy_location(ast.Tuple(parts, ast.Load()), node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        element = next((value for value in given if self._is_element(value)), None)
        if element is None:
            return self.generic_visit(node)
        try:
            with self._frame_at(node):
                followed = self._followed(node, element, self._names)
        except NotExact as error:
            self.whole, followed = self.whole or error, None
        self.by_name = self.by_name or followed is not None
        return self.generic_visit(followed or node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if self._is_element(node):
            self.whole = self.whole or self._escape(node)
        return node

    def _is_method(self, name: str) -> bool:
        """Return whether an attribute is the method of a named tuple that copies it."""
        t = self._element.type
        return name == "_replace" and isinstance(t, RecordTypeInfo) and t.kind is RecordKind.NAMED_TUPLE

    def _is_element(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == self._parameter

    def _variable(self, node: ast.Attribute | ast.Subscript, read: Callable[[], Expression]) -> ast.Name:
        if not isinstance(node.ctx, ast.Load):
            raise self._escape(node, "changes its element")
        with self._frame_at(node):
            found = read()
        if found.op is not Op.FIELD or found.parts != (self._element,):
            raise self._escape(node)
        (position,) = found.data
        assert isinstance(position, int)
        return ast.copy_location(ast.Name(self._names[position], ast.Load()), node)

    def _frame_at(self, node: ast.stmt | ast.expr) -> Any:
        return Frame(self._code, {}, (), {}).at(node)

    def _escape(self, node: ast.stmt | ast.expr, how: str = "uses its element as a whole") -> NotExact:
        return NotExact(how, place_of(self._code, self._code.co_firstlineno + node.lineno - 1))

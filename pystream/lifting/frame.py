"""Frames of calls: local variables, and evaluated expressions that may raise."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import CellType, CodeType, FunctionType
from typing import Any

from pystream.expressions.expression import Expression, Op
from pystream.lifting.building import call, having_evaluated
from pystream.lifting.composites import conditional
from pystream.lifting.imported import check_global
from pystream.lifting.kinds import NotExact
from pystream.lifting.source import place_of
from pystream.lifting.values import TRUE, Static, Value, as_expression

__all__ = ["Frame", "join", "outer_value"]


def outer_value(name: str, code: CodeType, cells: Sequence[CellType], global_names: Mapping[str, Any]) -> Any:
    """Return the value of a variable outside a function: of a function around it, global or built in.

    Args:
        name: the variable.
        code: the code of the function.
        cells: its variables that belong to functions around it.
        global_names: the global names of its module.

    Raises:
        NotExact: the name is not bound.
    """
    if name in code.co_freevars:
        try:
            return cells[code.co_freevars.index(name)].cell_contents
        except (IndexError, ValueError):
            raise NotExact(f"uses {name}, which is not set") from None
    if name in global_names:
        return global_names[name]
    builtins_: Any = global_names.get("__builtins__", {})
    found = builtins_ if isinstance(builtins_, dict) else vars(builtins_)
    if name in found:
        return found[name]
    raise NotExact(f"uses {name}, which is not defined")


@dataclass(slots=True)
class Frame:
    """One call of a function.

    Attributes:
        code: the code of the function called.
        global_names: the global names of its module.
        cells: its variables that belong to functions around it.
        names: its local variables.
        pending: evaluated expressions that may raise, in order; the result must depend on them.
        own: the names that a comprehension sets, which are local to it even before they are set.
    """

    code: CodeType
    global_names: dict[str, Any]
    cells: tuple[CellType, ...]
    names: dict[str, Value]
    pending: list[Expression] = field(default_factory=list)
    own: frozenset[str] = frozenset()

    @staticmethod
    def of(function: FunctionType, names: dict[str, Value]) -> Frame:
        """Return the frame of a call of a function, given its parameters."""
        return Frame(function.__code__, function.__globals__, function.__closure__ or (), names)

    def branch(self) -> Frame:
        """Return a frame for the statements of a branch."""
        return replace(self, names=dict(self.names), pending=[])

    def comprehension(self, own: Iterable[str]) -> Frame:
        """Return a frame for a comprehension.

        Args:
            own: the names it sets.
        """
        own = frozenset(own)
        names = {name: value for name, value in self.names.items() if name not in own}
        return replace(self, names=names, pending=[], own=self.own | own)

    def look_up(self, name: str) -> Value:
        """Return the value of a name: of a local variable, or a constant.

        Raises:
            NotExact: the name is not bound.
        """
        if name in self.names:
            return self.names[name]
        code = self.code
        if name in self.own or name in code.co_varnames or name in code.co_cellvars:
            raise NotExact(f"uses {name}, which is not set in every case")
        found = outer_value(name, code, self.cells, self.global_names)
        if name not in code.co_freevars and name in self.global_names:
            check_global(self.global_names, name, found)
        return Static(found)

    def set(self, name: str, value: Value) -> None:
        """Set a local variable."""
        self.names[name] = value
        self.evaluated(value)

    def evaluated(self, value: Value) -> None:
        """Record a value that has been computed, on whose errors the result depends.

        Raises:
            NotExact: it is a generator, which may be consumed later, twice or never.
        """
        if not isinstance(value, Static) and as_expression(value).fails:
            self.pending.append(as_expression(value))

    @contextmanager
    def at(self, node: ast.stmt | ast.expr) -> Iterator[None]:
        """Add the place in the user's code to the exceptions raised within."""
        try:
            yield
        except NotExact as error:
            if not error.place:
                error.place = place_of(self.code, self.code.co_firstlineno + node.lineno - 1)
            raise

    def result(self, value: Expression) -> Expression:
        """Return a value that depends on the pending expressions."""
        return having_evaluated(self.pending, value)


def join(frame: Frame, condition: Expression, then: Frame, otherwise: Frame) -> None:
    """Merge the frames of two branches into the enclosing frame: the names that both set, and the errors."""
    names: dict[str, Value] = {}
    joined: set[int] = set()
    for name in then.names.keys() & otherwise.names.keys():
        a, b = then.names[name], otherwise.names[name]
        if a is not b:
            names[name] = conditional(condition, as_expression(a), as_expression(b))
            joined |= {id(a), id(b)}
        else:
            names[name] = a
    frame.evaluated(condition)
    errors = [[part for part in branch.pending if id(part) not in joined] for branch in (then, otherwise)]
    frame.evaluated(conditional(condition, _checked(errors[0]), _checked(errors[1])))
    for name, value in names.items():
        if value is not frame.names.get(name):
            frame.evaluated(value)
    frame.names = names


def _checked(pending: Iterable[Expression]) -> Expression:
    parts = tuple(dict.fromkeys(pending))
    return call(Op.EVALUATED, *parts) if parts else TRUE

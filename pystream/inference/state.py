"""State: what is known of variables, and of parts of them, at one point of a function."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from pystream.inference.unions import joined
from pystream.inference.values import Value

__all__ = ["State"]


@dataclass(slots=True)
class State:
    """The variables at one point of a function.

    Attributes:
        names: the local variables.
        narrowed: what tests have shown of other expressions, such as ``r.name``, by their text.
    """

    names: dict[str, Value]
    narrowed: dict[str, Value] = field(default_factory=dict)

    def copy(self) -> State:
        """Return the same variables, to be followed along one branch."""
        return State(dict(self.names), dict(self.narrowed))

    def set(self, name: str, value: Value) -> None:
        """Assign to a variable, which ends what is known of its parts."""
        self.names[name] = value
        for path in [
            path for path in self.narrowed if path == name or path.startswith((f"{name}.", f"{name}["))
        ]:
            del self.narrowed[path]

    def join(self, other: State) -> State:
        """Return the variables where two branches meet."""
        names = {**self.names, **other.names}
        for name in self.names.keys() & other.names.keys():
            names[name] = joined(self.names[name], other.names[name])
        both = self.narrowed.keys() & other.narrowed.keys()
        return State(names, {path: joined(self.narrowed[path], other.narrowed[path]) for path in both})

    def narrow(self, node: ast.expr, value: Value) -> None:
        """Note what an expression is, until a part of it is assigned to."""
        path = _path(node.target if isinstance(node, ast.NamedExpr) else node)
        if path is not None:
            self.narrowed[path] = value

    def known(self, node: ast.expr) -> Value | None:
        """Return what tests have shown an expression to be."""
        path = _path(node)
        return None if path is None else self.narrowed.get(path)


def _path(node: ast.expr) -> str | None:
    """Return the text of a chain of names, attributes and items at known places."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=owner, attr=name):
            path = _path(owner)
            return None if path is None else f"{path}.{name}"
        case ast.Subscript(value=owner, slice=ast.Constant(value=index)):
            path = _path(owner)
            return None if path is None else f"{path}[{index!r}]"
    return None

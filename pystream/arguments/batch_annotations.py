"""Find the classes of columns, such as ``pd.Series``, in annotations, aliases, unions and type variables.

They are recognized by name, so that neither pandas nor Arrow is imported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from types import UnionType
from typing import Annotated, Any, ForwardRef, Literal, NewType, Union, get_args, get_origin

from typing_extensions import TypeAliasType, TypeVar

from pystream.engine.vectorised.vector_function import Form
from typeinfo.annotations import Bound, Context, Scope, alias_context, module_scope
from typeinfo.errors import TypeInferenceError
from typeinfo.info import TypeInformation

__all__ = ["columnar_class", "form_of", "members_of"]

_OF_LIBRARIES = re.compile(
    r"(?<![\w.])((pd|pandas)\.(Series|DataFrame)|(pa|pyarrow)\.(RecordBatch|Table|\w*Array))\b"
)
"""Matches string annotations that certainly mean a batch, even if their names are unknown."""

_COLUMNAR: dict[tuple[str, str], Form | None] = {
    ("pandas", "Series"): Form.SERIES,
    ("pandas", "DataFrame"): Form.FRAME,
    ("pandas", "Index"): None,
    ("pyarrow", "Array"): Form.ARRAY,
    ("pyarrow", "ChunkedArray"): None,
    ("pyarrow", "RecordBatch"): Form.BATCH,
    ("pyarrow", "Table"): None,
    ("numpy", "ndarray"): None,
}
"""Classes of columns, with the batch format of those that functions may take."""


def form_of(annotation: Any) -> Form | None:
    """Return the batch format of a class: one of the four, or a subclass of ``pa.Array``."""
    cls = _class_of(annotation)
    if any(_name(base) == ("pyarrow", "Array") for base in cls.__mro__):
        return Form.ARRAY
    return _COLUMNAR.get(_name(cls))


def columnar_class(bound: Bound) -> type[Any] | None:
    """Return the class of columns in an annotation: the annotation itself, or one of its arguments."""
    for member in members_of(bound):
        if _is_columnar(member.annotation):
            return _class_of(member.annotation)
        if get_origin(member.annotation) is Literal:
            continue
        for argument in get_args(member.annotation):
            found = columnar_class(Bound(argument, _entered(member.context, member.annotation)))
            if found is not None:
                return found
    return None


def members_of(bound: Bound) -> Iterator[Bound]:
    """Yield the classes in an annotation: the class itself, or the members of a union or a type variable.

    Raises:
        TypeInferenceError: a name is not known, and yet the text can mean nothing but a batch.
    """
    annotation, context = bound.annotation, bound.context
    if any(outer is annotation for outer in context.entered):
        return  # an alias of itself
    inside, origin = _entered(context, annotation), get_origin(annotation)
    alias = annotation if origin is None else origin
    if isinstance(annotation, (str, ForwardRef)):
        meant = [Bound(_evaluated(annotation, context.scope), inside)]
    elif origin is Annotated:
        written, *metadata = get_args(annotation)
        if any(isinstance(item, TypeInformation) for item in metadata):
            return  # the type of one element, of any class
        meant = [Bound(written, inside)]
    elif origin in (Union, UnionType):
        meant = [Bound(member, inside) for member in get_args(annotation)]
    elif isinstance(annotation, TypeVar):
        meant = _bounds(annotation, inside)
    elif isinstance(annotation, NewType):
        scope = module_scope(annotation.__module__ or "")
        meant = [Bound(annotation.__supertype__, replace(inside, scope=scope))]
    elif isinstance(alias, TypeAliasType):
        meant = [Bound(_value(alias), alias_context(annotation, inside))]
    else:
        yield bound
        return
    for member in meant:
        yield from members_of(member)


def _evaluated(reference: str | ForwardRef, scope: Scope) -> Any:
    """Evaluate a string annotation; ``None`` if only a type checker can evaluate it.

    Raises:
        TypeInferenceError: a name is unknown, or the text is not an expression, and it names a batch.
    """
    text = reference.__forward_arg__ if isinstance(reference, ForwardRef) else reference
    try:
        try:
            return scope.evaluate(reference)
        except TypeInferenceError:  # Series[float] exists in pandas' stubs, but not in pandas
            return scope.evaluate(_without_arguments(text, scope))
    except TypeInferenceError:
        if _OF_LIBRARIES.search(text):
            raise
        return None


def _without_arguments(text: str, scope: Scope) -> str:
    """Return an annotation in which classes of columns have no type arguments."""

    class Unsubscripted(ast.NodeTransformer):
        def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
            try:
                is_columnar = _is_columnar(scope.evaluate(ast.unparse(node.value)))
            except TypeInferenceError:
                is_columnar = False
            return node.value if is_columnar else self.generic_visit(node)

    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError:
        return text
    before = ast.dump(tree)
    changed = Unsubscripted().visit(tree)
    return text if ast.dump(changed) == before else ast.unparse(changed)


def _bounds(variable: TypeVar, context: Context) -> list[Bound]:
    """Return the bound or the constraints of a type variable, or the annotations it is bound to here."""
    given = context.variables.get(variable)
    if given is not None:
        return [given]
    if variable.__constraints__:
        return [Bound(constraint, context) for constraint in variable.__constraints__]
    return [] if variable.__bound__ is None else [Bound(variable.__bound__, context)]


def _value(alias: TypeAliasType) -> Any:
    try:
        return alias.__value__
    except NameError:  # evaluated lazily, with names that only type checkers know
        return None


def _entered(context: Context, annotation: Any) -> Context:
    return replace(context, entered=(*context.entered, annotation))


def _class_of(annotation: Any) -> type[Any]:
    """Return the class of an annotation without its type arguments; ``object`` if it is not a class."""
    cls = get_origin(annotation) or annotation
    return cls if isinstance(cls, type) else object


def _is_columnar(annotation: Any) -> bool:
    return any(_name(base) in _COLUMNAR for base in _class_of(annotation).__mro__)


def _name(cls: type[Any]) -> tuple[str, str]:
    return cls.__module__.partition(".")[0], cls.__name__

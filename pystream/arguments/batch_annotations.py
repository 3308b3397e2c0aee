"""Find the classes of columns, of pandas and Arrow, in annotations, aliases, unions and type variables.

Neither library is imported for that: a class of one that is not loaded annotates nothing.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from types import UnionType
from typing import Annotated, Any, ForwardRef, Literal, NewType, Union, get_args, get_origin

from typing_extensions import TypeAliasType, TypeVar

from pystream.engine.vectorised.batch_function import Form
from typeinfo.annotations import Bound, Context, Scope, alias_context, module_scope
from typeinfo.errors import TypeInferenceError
from typeinfo.info import TypeInformation

__all__ = ["columnar_class", "form_of", "loaded_class", "members_of"]

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
    """Return the batch format of a class; ``None`` if the library of the class is not loaded."""
    cls, base = _class_of(annotation), _columnar_base(annotation)
    if base is None:
        return None
    form = _COLUMNAR[base]
    return form if form is Form.ARRAY or cls is loaded_class(*base) else None


def columnar_class(bound: Bound) -> type[Any] | None:
    """Return the class of columns in an annotation: the annotation itself, or one of its arguments."""
    for member in members_of(bound):
        if _columnar_base(member.annotation) is not None:
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
        stands_for = [Bound(_evaluated(annotation, context.scope), inside)]
    elif origin is Annotated:
        written, *metadata = get_args(annotation)
        if any(isinstance(item, TypeInformation) for item in metadata):
            return  # the type of one element, of any class
        stands_for = [Bound(written, inside)]
    elif origin in (Union, UnionType):
        stands_for = [Bound(member, inside) for member in get_args(annotation)]
    elif isinstance(annotation, TypeVar):
        stands_for = _bounds(annotation, inside)
    elif isinstance(annotation, NewType):
        scope = module_scope(annotation.__module__ or "")
        stands_for = [Bound(annotation.__supertype__, replace(inside, scope=scope))]
    elif isinstance(alias, TypeAliasType):
        stands_for = [Bound(_value(alias), alias_context(annotation, inside))]
    else:
        yield bound
        return
    for member in stands_for:
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
                is_columnar = _columnar_base(scope.evaluate(ast.unparse(node.value))) is not None
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


def _class_of(annotation: Any) -> type[Any] | None:
    cls = get_origin(annotation) or annotation
    return cls if isinstance(cls, type) else None


def _columnar_base(annotation: Any) -> tuple[str, str] | None:
    """Return the module and name of the class of columns that a class is or inherits from."""
    cls = _class_of(annotation)
    if cls is None:
        return None
    bases = ((name, loaded_class(*name)) for name in _COLUMNAR)
    return next((name for name, base in bases if base is not None and issubclass(cls, base)), None)


def loaded_class(module: str, name: str) -> Any:
    """Return a class of a library, or ``None`` if the library is not loaded and so cannot have instances."""
    return getattr(sys.modules.get(module), name, None)

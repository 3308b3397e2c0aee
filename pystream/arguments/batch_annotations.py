"""Annotations of parameters that take batches, resolved through names and aliases."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from types import UnionType
from typing import Annotated, Any, ForwardRef, Literal, NewType, TypeVar, Union, get_args, get_origin

from typing_extensions import TypeAliasType

from pystream.engine.vectorised.batch_function import Form
from typeinfo.annotations import Bound, Context, Scope, alias_context, module_scope
from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import TypeInferenceError
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["columnar_class", "form_of", "is_opaque", "loaded_class", "members_of"]

_OF_LIBRARIES = re.compile(
    r"(?<![\w.])((pd|pandas)\.(Series|DataFrame)|(pa|pyarrow)\.(RecordBatch|Table|\w*Array))\b"
)
"""Text that can mean nothing but a batch, even where its names are not known."""

_FORMS = (
    (Form.SERIES, "pandas", "Series"),
    (Form.FRAME, "pandas", "DataFrame"),
    (Form.BATCH, "pyarrow", "RecordBatch"),
)
_COLUMNAR = {
    "pandas": ("Series", "DataFrame", "Index"),
    "pyarrow": ("Array", "ChunkedArray", "RecordBatch", "Table"),
    "numpy": ("ndarray",),
}


def form_of(annotation: Any) -> Form | None:
    """Return the form of batch of a class; a class of a library that is not loaded has none."""
    cls = _class_of(annotation)
    if cls is None:
        return None
    for form, module, name in _FORMS:
        if cls is loaded_class(module, name):
            return form
    array = loaded_class("pyarrow", "Array")
    return Form.ARRAY if array is not None and issubclass(cls, array) else None


def columnar_class(bound: Bound) -> type[Any] | None:
    """Return a class of columns that occurs in an annotation: itself, or one of its arguments."""
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
    """Yield the classes of an annotation: one, or those of a union or of a type variable.

    Raises:
        TypeInferenceError: a name is not known, and yet the text can mean nothing but a batch.
    """
    annotation, context = bound.annotation, bound.context
    if any(outer is annotation for outer in context.entered):
        return  # an alias of itself
    inside, origin = _entered(context, annotation), get_origin(annotation)
    alias = annotation if origin is None else origin
    if isinstance(annotation, (str, ForwardRef)):
        stands_for = [Bound(_looked_up(annotation, context.scope), inside)]
    elif origin is Annotated:
        written, *metadata = get_args(annotation)
        if any(isinstance(item, TypeInformation) for item in metadata):
            return  # the type of one element, of whatever class
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


def is_opaque(type_info: TypeInformation[Any]) -> bool:
    """Tell whether values of a type, or parts of them, may be of any class, such as one of columns."""
    return isinstance(type_info, (PickledBytesTypeInfo, CustomTypeInfo)) or any(
        is_opaque(slot.type) for slot in type_info.slots()
    )


def _evaluated(reference: str | ForwardRef, scope: Scope) -> Any:
    """Evaluate a string annotation; pandas' stubs know ``Series[float]``, pandas itself does not.

    Raises:
        TypeInferenceError: a name is not known, or the text is no expression.
    """
    try:
        return scope.evaluate(reference)
    except TypeInferenceError:
        written = _text(reference)
        plain = _unsubscripted(written, scope)
        if plain == written:
            raise
        return scope.evaluate(plain)


def _looked_up(reference: str | ForwardRef, scope: Scope) -> Any:
    try:
        return _evaluated(reference, scope)
    except TypeInferenceError:
        if _OF_LIBRARIES.search(_text(reference)):
            raise
        return None  # names for type checkers alone, which need not be those of a batch


def _unsubscripted(text: str, scope: Scope) -> str:
    """Return an annotation without the arguments of classes of columns."""

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


def _text(reference: str | ForwardRef) -> str:
    return reference.__forward_arg__ if isinstance(reference, ForwardRef) else reference


def _bounds(variable: TypeVar, context: Context) -> list[Bound]:
    """Return the annotations that a type variable is bound to here, or its bound or constraints."""
    given = context.variables.get(variable)
    if given is not None:
        return [given]
    if variable.__constraints__:
        return [Bound(constraint, context) for constraint in variable.__constraints__]
    return [] if variable.__bound__ is None else [Bound(variable.__bound__, context)]


def _value(alias: TypeAliasType) -> Any:
    try:
        return alias.__value__
    except NameError:  # evaluated only now, and of names for type checkers alone
        return None


def _entered(context: Context, annotation: Any) -> Context:
    return replace(context, entered=(*context.entered, annotation))


def _class_of(annotation: Any) -> type[Any] | None:
    cls = get_origin(annotation) or annotation
    return cls if isinstance(cls, type) else None


def _is_columnar(annotation: Any) -> bool:
    cls = _class_of(annotation)
    bases = (loaded_class(module, name) for module, names in _COLUMNAR.items() for name in names)
    return cls is not None and any(base is not None and issubclass(cls, base) for base in bases)


def loaded_class(module: str, name: str) -> Any:
    """Return a class of a library, ``None`` where that is not loaded: nothing can be of it then."""
    return getattr(sys.modules.get(module), name, None)

"""Which type an operator's results have: the one declared, else the one its function's annotations give."""

from __future__ import annotations

from typing import Any

from typeinfo.functions import result_type

from pystream.errors import PlanError
from pystream.plan.function import describe_function
from typeinfo.basic import BasicType, BasicTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo
from typeinfo.info import TypeInformation, require_type
from typeinfo.pickled import PICKLED_BYTE_ARRAY, PickledBytesTypeInfo
from typeinfo.temporal import TemporalTypeInfo

__all__ = ["element_type"]

_PYTHON_CLASS = {
    BasicType.STRING: "str",
    BasicType.CHAR: "str",
    BasicType.BYTE: "int",
    BasicType.SHORT: "int",
    BasicType.INT: "int",
    BasicType.LONG: "int",
    BasicType.BIG_INT: "int",
    BasicType.FLOAT: "float",
    BasicType.DOUBLE: "float",
}


def element_type(
    func: Any,
    method: str,
    base: type[Any],
    output_type: TypeInformation[Any] | None,
    *,
    many: bool,
) -> tuple[TypeInformation[Any], str]:
    """Return the type of an operator's results and where it comes from.

    Args:
        func: the user's function or function object.
        method: the method a function object is called by.
        base: the generic base class of such objects, whose last argument is the result.
        output_type: the declared type, or ``None``.
        many: whether the function gives an iterable of results.

    Raises:
        PlanError: the declared type contradicts the function's annotations.
    """
    inferred = result_type(func, method, base=base, unwrap_iterable=many)
    if output_type is None:
        if inferred.type is None:
            return PICKLED_BYTE_ARRAY, f"no output_type, and {inferred.reason}"
        return inferred.type, f"annotation of {describe_function(func)}"
    declared = require_type(output_type, "output_type")
    if inferred.type is not None and not _agree(declared, inferred.type):
        raise PlanError(
            f"output_type {declared} contradicts the annotation of {describe_function(func)}, which gives "
            f"{inferred.type}; mend one of them"
        )
    return declared, "output_type"


def _agree(a: TypeInformation[Any], b: TypeInformation[Any]) -> bool:
    """Tell whether two types may describe the same Python values; widths and nulls are left to run time."""
    a, b = _bare(a), _bare(b)
    if isinstance(a, PickledBytesTypeInfo) or isinstance(b, PickledBytesTypeInfo):
        return True
    if isinstance(a, (RowTypeInfo, TupleTypeInfo)) and isinstance(b, (RowTypeInfo, TupleTypeInfo)):
        return _all_agree(a, b)
    if isinstance(a, RowTypeInfo) and isinstance(b, RecordTypeInfo):
        return a.field_names is None or list(a.field_names) == list(b.field_names)
    if isinstance(a, ArrayTypeInfo) and isinstance(b, ArrayTypeInfo) and not (_bytes(a) or _bytes(b)):
        return _all_agree(a, b)
    if isinstance(a, MapTypeInfo) and isinstance(b, MapTypeInfo):
        return _all_agree(a, b)
    if isinstance(a, TemporalTypeInfo) and isinstance(b, TemporalTypeInfo):
        return a.kind is b.kind
    if isinstance(a, BasicTypeInfo) and isinstance(b, BasicTypeInfo):
        return _python_class(a) == _python_class(b)
    return a == b


def _all_agree(a: TypeInformation[Any], b: TypeInformation[Any]) -> bool:
    ours, theirs = a.slots(), b.slots()
    return len(ours) == len(theirs) and all(_agree(x.type, y.type) for x, y in zip(ours, theirs, strict=True))


def _bare(type_info: TypeInformation[Any]) -> TypeInformation[Any]:
    if isinstance(type_info, OptionalTypeInfo):
        return _bare(type_info.value_type)
    return type_info.value_type if isinstance(type_info, LiteralTypeInfo) else type_info


def _bytes(type_info: ArrayTypeInfo[Any]) -> bool:
    return isinstance(type_info, PrimitiveArrayTypeInfo) and type_info.is_bytes


def _python_class(type_info: BasicTypeInfo[Any]) -> str:
    return _PYTHON_CLASS.get(type_info.basic_type, type_info.basic_type.value)

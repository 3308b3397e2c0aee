"""Functions of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlglot import exp

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.functions import texts as functions
from pystream.table.evaluation.functions.mathematics import in_base_16
from pystream.table.evaluation.kinds import Kind
from pystream.table.evaluation.operands import arguments, integer, text
from pystream.table.evaluation.values import Rule, Scope, Value, constant, strict

__all__ = ["NAMED_TEXTS", "TEXTS"]

_BLANK = constant(" ", DataTypes.STRING())


class _Signature(NamedTuple):
    """How a function is called.

    Attributes:
        function: the function of values that are not null.
        arguments: the names of the arguments in the tree.
        result: the type of its results.
        may_be_null: whether it returns null for values that are not.
    """

    function: Callable[..., Any]
    arguments: Sequence[str]
    result: DataType = DataTypes.STRING()
    may_be_null: bool = False


_FUNCTIONS: Mapping[type[exp.Expr], _Signature] = {
    exp.Ascii: _Signature(functions.ascii_code, ["this"], DataTypes.INT()),
    exp.EndsWith: _Signature(str.endswith, ["this", "expression"], DataTypes.BOOLEAN()),
    exp.Initcap: _Signature(functions.capitalized, ["this"]),
    exp.Left: _Signature(functions.left, ["this", "expression"]),
    exp.Length: _Signature(len, ["this"], DataTypes.INT()),
    exp.Lower: _Signature(str.lower, ["this"]),
    exp.Overlay: _Signature(functions.overlaid, ["this", "expression", "from_", "for_"]),
    exp.Repeat: _Signature(functions.repeated, ["this", "times"]),
    exp.Replace: _Signature(str.replace, ["this", "expression", "replacement"]),
    exp.Reverse: _Signature(functions.reversed_text, ["this"]),
    exp.Right: _Signature(functions.right, ["this", "expression"]),
    exp.StartsWith: _Signature(str.startswith, ["this", "expression"], DataTypes.BOOLEAN()),
    exp.Translate: _Signature(functions.translated, ["this", "from_", "to"]),
    exp.Upper: _Signature(str.upper, ["this"]),
}
_COUNTS = ("times", "from_", "for_", "start", "length", "position")
"""The arguments that are integers; those of LEFT and RIGHT are, too."""

_TRIMS: Mapping[str, Callable[[str, str], str]] = {
    "": str.strip,
    "BOTH": str.strip,
    "LEADING": str.lstrip,
    "TRAILING": str.rstrip,
}
_DIGESTS = {"SHA224": "sha224", "SHA256": "sha256", "SHA384": "sha384", "SHA512": "sha512"}
_LENGTHS = (224, 256, 384, 512)


def _call(scope: Scope, node: exp.Func) -> Value:
    signature = _FUNCTIONS[type(node)]
    takes_count = isinstance(node, exp.Left | exp.Right)
    values = []
    for name in signature.arguments:
        part = node.args.get(name)
        if part is not None:
            is_count = name in _COUNTS and not isinstance(node, exp.Translate)
            is_count = is_count or (takes_count and name == "expression")
            values.append((integer if is_count else text)(scope, part))
    return strict(signature.function, signature.result, *values, may_be_null=signature.may_be_null)


def _concatenated(scope: Scope, node: exp.DPipe | exp.Concat) -> Value:
    parts = [node.left, node.right] if isinstance(node, exp.DPipe) else node.expressions
    values = [text(scope, part) for part in parts]
    return strict(functions.concatenated, DataTypes.STRING(), *values)


def _joined(scope: Scope, node: exp.ConcatWs) -> Value:
    separator, *texts = [text(scope, part) for part in node.expressions]
    evaluate = partial(functions.joined, separator.evaluate, tuple(value.evaluate for value in texts))
    return Value(evaluate, DataTypes.STRING(separator.data_type.is_nullable))


def _substring(scope: Scope, node: exp.Substring) -> Value:
    first, count = node.args.get("start"), node.args.get("length")
    if first is None:
        raise NotEvaluatedError(node, "SUBSTRING takes two or three arguments")
    value, start = text(scope, node.this), integer(scope, first)
    if count is None:
        return strict(functions.rest, DataTypes.STRING(), value, start)
    return strict(functions.part, DataTypes.STRING(), value, start, integer(scope, count), may_be_null=True)


def _trimmed(scope: Scope, node: exp.Trim) -> Value:
    characters = node.expression
    given = _BLANK if characters is None else text(scope, characters)
    trim = _TRIMS[(node.args.get("position") or "").upper()]
    return strict(trim, DataTypes.STRING(), text(scope, node.this), given)


def _trimmed_by_name(scope: Scope, node: exp.Anonymous) -> Value:
    value, *characters = [text(scope, part) for part in arguments(node, 1, 2)]
    trim = {"BTRIM": str.strip, "LTRIM": str.lstrip, "RTRIM": str.rstrip}[node.name.upper()]
    return strict(trim, DataTypes.STRING(), value, *(characters or [_BLANK]))


def _padded(scope: Scope, node: exp.Pad) -> Value:
    function = functions.left_padded if node.args.get("is_left") else functions.right_padded
    pattern = node.args.get("fill_pattern")
    if pattern is None:
        raise NotEvaluatedError(node, "LPAD and RPAD take three arguments")
    value, filler = text(scope, node.this), text(scope, pattern)
    return strict(
        function, DataTypes.STRING(), value, integer(scope, node.expression), filler, may_be_null=True
    )


def _position(scope: Scope, node: exp.StrPosition) -> Value:
    if node.args.get("occurrence"):
        raise NotEvaluatedError(node, "the occurrence of INSTR is not supported")
    value, wanted = text(scope, node.this), text(scope, node.args["substr"])
    start = node.args.get("position")
    if start is None:
        return strict(functions.position, DataTypes.INT(), value, wanted)
    return strict(functions.located, DataTypes.INT(), value, wanted, integer(scope, start))


def _split_index(scope: Scope, node: exp.Anonymous) -> Value:
    value, separator, index = arguments(node, 3)
    operands = text(scope, value), text(scope, separator), integer(scope, index)
    return strict(functions.split_part, DataTypes.STRING(), *operands, may_be_null=True)


def _digest(algorithm: str, scope: Scope, node: exp.Func) -> Value:
    return strict(partial(functions.digest, algorithm), DataTypes.STRING(), text(scope, node.this))


def _sha2(scope: Scope, node: exp.SHA2) -> Value:
    length = node.args.get("length")
    if not (isinstance(length, exp.Literal) and length.is_int and int(length.name) in _LENGTHS):
        raise NotEvaluatedError(node, "SHA2 takes the length 224, 256, 384 or 512 as a literal")
    return _digest(f"sha{length.name}", scope, node)


def _digest_by_name(scope: Scope, node: exp.Anonymous) -> Value:
    (value,) = arguments(node, 1)
    algorithm = _DIGESTS[node.name.upper()]
    return strict(partial(functions.digest, algorithm), DataTypes.STRING(), text(scope, value))


def _hexadecimal(scope: Scope, node: exp.Hex) -> Value:
    value = scope.value(node.this)
    if value.kind == Kind.TEXT:
        return strict(functions.hex_of_text, DataTypes.STRING(), value)
    return strict(in_base_16, DataTypes.STRING(), integer(scope, node.this))


def _character(scope: Scope, node: exp.Chr) -> Value:
    if len(node.expressions) != 1:
        raise NotEvaluatedError(node, "CHR takes one argument")
    (code,) = node.expressions
    return strict(functions.character, DataTypes.STRING(), integer(scope, code))


def _by_name(function: Callable[[str], str], scope: Scope, node: exp.Anonymous) -> Value:
    (value,) = arguments(node, 1)
    return strict(function, DataTypes.STRING(), text(scope, value))


def _decoded(scope: Scope, node: exp.FromBase64) -> Value:
    return strict(functions.from_base64, DataTypes.STRING(), text(scope, node.this))


def _chosen(scope: Scope, node: exp.Elt) -> Value:
    index = integer(scope, node.this)
    texts = tuple(text(scope, part).evaluate for part in node.expressions)
    return Value(partial(functions.chosen, index.evaluate, texts), DataTypes.STRING())


def _is_digits(scope: Scope, node: exp.Anonymous) -> Value:
    (value,) = arguments(node, 1)
    evaluate = partial(functions.is_digits, text(scope, value).evaluate)
    return Value(evaluate, DataTypes.BOOLEAN(nullable=False))


TEXTS: Mapping[type[exp.Expr], Rule] = {
    **dict.fromkeys(_FUNCTIONS, _call),
    exp.Chr: _character,
    exp.Concat: _concatenated,
    exp.ConcatWs: _joined,
    exp.DPipe: _concatenated,
    exp.Elt: _chosen,
    exp.FromBase64: _decoded,
    exp.Hex: _hexadecimal,
    exp.MD5: partial(_digest, "md5"),
    exp.Pad: _padded,
    exp.SHA: partial(_digest, "sha1"),
    exp.SHA2: _sha2,
    exp.StrPosition: _position,
    exp.Substring: _substring,
    exp.Trim: _trimmed,
}
"""The rules for what the parser knows."""

NAMED_TEXTS: Mapping[str, Rule] = {
    **dict.fromkeys(_DIGESTS, _digest_by_name),
    **dict.fromkeys(("BTRIM", "LTRIM", "RTRIM"), _trimmed_by_name),
    "IS_DIGIT": _is_digits,
    "SPLIT_INDEX": _split_index,
    "TO_BASE64": partial(_by_name, functions.to_base64),
    "URL_ENCODE": partial(_by_name, functions.url_encoded),
}
"""The rules for other functions, by name."""

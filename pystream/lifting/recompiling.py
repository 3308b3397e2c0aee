"""Recompiling: compile changed statements of a function in its place."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from types import CodeType

from pystream.lifting.source import FunctionSource, future_flags

__all__ = ["recompiled"]


def recompiled(
    code: CodeType,
    source: FunctionSource,
    fields: Mapping[int, Sequence[str]],
    body: list[ast.stmt],
    others: Iterable[str] = (),
) -> CodeType:
    """Compile statements as a function with the outer variables, place and names of the original.

    Args:
        code: the code of the original.
        source: its source.
        fields: the parameters in place of others, keyed by the positions of these.
        body: the statements.
        others: outer variables that the original does not have.
    """
    own = source.arguments
    positional = [*own.posonlyargs, *own.args]
    names = [name for at, parameter in enumerate(positional) for name in fields.get(at, [parameter.arg])]
    arguments = ast.arguments(
        posonlyargs=[],
        args=list(map(ast.arg, names)),
        vararg=_bare(own.vararg),
        kwonlyargs=[ast.arg(parameter.arg) for parameter in own.kwonlyargs],
        kw_defaults=[None] * len(own.kwonlyargs),
        kwarg=_bare(own.kwarg),
        defaults=[],
    )
    inner = ast.FunctionDef("_", arguments, body, [])
    outer = ast.FunctionDef("_outer", _parameters([*code.co_freevars, *others]), [inner], [])
    module = ast.fix_missing_locations(ast.Module([outer], []))
    ast.increment_lineno(module, source.first_line - 1)
    flags = future_flags(code)
    whole = compile(module, code.co_filename, "exec", flags=flags, dont_inherit=True)
    compiled = _inner_code(_inner_code(whole))
    compiled = _qualified(compiled, compiled.co_qualname, code.co_qualname)
    return compiled.replace(co_name=code.co_name, co_firstlineno=code.co_firstlineno)


def _parameters(names: Iterable[str]) -> ast.arguments:
    return ast.arguments(
        posonlyargs=[], args=[ast.arg(name) for name in names], kwonlyargs=[], kw_defaults=[], defaults=[]
    )


def _qualified(code: CodeType, prefix: str, name: str) -> CodeType:
    """Return code, and that of functions within, with another beginning of its qualified name."""
    constants = tuple(
        _qualified(one, prefix, name) if isinstance(one, CodeType) else one for one in code.co_consts
    )
    return code.replace(co_qualname=name + code.co_qualname.removeprefix(prefix), co_consts=constants)


def _bare(parameter: ast.arg | None) -> ast.arg | None:
    return None if parameter is None else ast.arg(parameter.arg)


def _inner_code(code: CodeType) -> CodeType:
    return next(constant for constant in code.co_consts if isinstance(constant, CodeType))

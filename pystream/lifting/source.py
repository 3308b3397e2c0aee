"""Syntax trees of functions, verified to compile to their code."""

from __future__ import annotations
import __future__

import ast
import inspect
import io
import linecache
import os
import textwrap
import tokenize
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import NamedTuple

from typeinfo.notebook import cell_name

__all__ = ["FunctionSource", "future_flags", "place_of", "source_of"]

_FUTURE = 0  # the bits of a code object that say which future features it was compiled with
for _name in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _name).compiler_flag
_LIMIT = 200  # lines of a function

_Definition = ast.FunctionDef | ast.AsyncFunctionDef


class FunctionSource(NamedTuple):
    """A function as it was written.

    Positions in the tree are those in its file, but that lines count from the first one of the function.

    Attributes:
        arguments: its parameters.
        body: its statements; a lambda's is one that returns.
        first_line: the number, in its file, of the line that the tree counts as the first.
    """

    arguments: ast.arguments
    body: list[ast.stmt]
    first_line: int


def place_of(code: CodeType, line: int | None = None) -> str:
    """Return the place of code, or of a line of it: ``app.py:12``."""
    file = cell_name(code.co_filename) or os.path.basename(code.co_filename)
    return f"{file}:{code.co_firstlineno if line is None else line}"


def future_flags(code: CodeType) -> int:
    """Return the future features that code was compiled with, as flags for ``compile``."""
    return code.co_flags & _FUTURE


def source_of(function: FunctionType) -> FunctionSource | None:
    """Return a function's source, ``None`` if it is missing or does not match the code.

    The tree found is compiled again and its instructions compared with the function's, so that a file changed
    since, or another lambda on the same line, is never taken for it.
    """
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not 0 < code.co_firstlineno <= len(lines):
        return None
    candidates = _lambdas if code.co_name == "<lambda>" else _definitions
    for tree, text, margins in candidates(lines[code.co_firstlineno - 1 :], code):
        if any(_same(compiled, code) for compiled in _compiled(text, code, _imported(function))):
            _move(tree, margins)
            return FunctionSource(tree.args, _body(tree), code.co_firstlineno)
    return None


class _Margins(NamedTuple):
    """The numbers of bytes by which lines of a tree's text are shorter than those of the file."""

    first: int
    others: int


def _move(tree: ast.AST, margins: _Margins) -> None:
    """Move the columns of a tree to those in the file."""
    first, others = margins
    for node in ast.walk(tree):
        if isinstance(node, (ast.expr, ast.stmt, ast.arg, ast.keyword)):
            assert node.end_col_offset is not None
            node.col_offset += first if node.lineno == 1 else others
            node.end_col_offset += first if node.end_lineno == 1 else others


def _body(tree: ast.Lambda | _Definition) -> list[ast.stmt]:
    if not isinstance(tree, ast.Lambda):
        return tree.body
    return [ast.copy_location(ast.Return(tree.body), tree.body)]


def _definitions(lines: list[str], code: CodeType) -> Iterator[tuple[_Definition, str, _Margins]]:
    try:
        block = "".join(inspect.getblock(lines))
        text = textwrap.dedent(block)
        (tree,) = ast.parse(text).body
    except (SyntaxError, ValueError, IndexError, tokenize.TokenError):
        return
    if isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef)):
        margin = len(block) - len(block.lstrip(" \t"))
        yield tree, _without_decorators(tree, text), _Margins(margin, margin)


def _without_decorators(tree: _Definition, text: str) -> str:
    return "".join(text.splitlines(keepends=True)[tree.lineno - 1 :])


def _lambdas(lines: list[str], code: CodeType) -> Iterator[tuple[ast.Lambda, str, _Margins]]:
    """Yield each lambda that starts on the first line, at each length it may have."""
    first = lines[0]
    start = first.find("lambda")
    while start >= 0:
        for text in _texts([first[start:], *lines[1:_LIMIT]]):
            try:
                tree = ast.parse(f"({text}\n)", mode="eval").body
            except SyntaxError:
                continue
            margin = len(first[:start].encode()) - 1
            if isinstance(tree, ast.Lambda) and _covers(tree, margin, code):
                yield tree, f"({text}\n)", _Margins(margin, 0)
        start = first.find("lambda", start + 1)


def _covers(tree: ast.Lambda, margin: int, code: CodeType) -> bool:
    """Return whether the instructions on the first line of code stand where a tree does."""
    places = [place for place in code.co_positions() if place[0] == code.co_firstlineno and place[3]]
    end = tree.end_col_offset if tree.end_lineno == 1 else None
    return all(
        start is not None and tree.col_offset <= start - margin and (end is None or start - margin < end)
        for _, _, start, _ in places
    )


def _texts(lines: list[str]) -> Iterator[str]:
    """Yield candidates for the source of the lambda that lines begin with.

    It ends at a bracket or comma outside it, or at the end of a line: unless it stands in brackets itself,
    which are not seen from here.
    """
    depth, lambdas = 0, 0
    readline = io.StringIO("".join(lines)).readline
    try:
        for token in tokenize.generate_tokens(readline):
            if token.type == tokenize.NAME and token.string == "lambda" and not depth:
                lambdas += 1
            elif token.type == tokenize.OP:
                if token.string in "([{":
                    depth += 1
                elif token.string in ")]}":
                    depth -= 1
                elif token.string == ":" and not depth:
                    lambdas -= 1
            is_comma = token.type == tokenize.OP and token.string == "," and not depth and lambdas <= 0
            ends = depth < 0 or lambdas < 0 or is_comma or token.type == tokenize.ENDMARKER
            if ends or (token.type == tokenize.NEWLINE and not depth):
                row, column = token.start
                yield "".join([*lines[: row - 1], lines[row - 1][:column] if row <= len(lines) else ""])
            if ends:
                return
    except (tokenize.TokenError, IndentationError):
        return


def _imported(function: FunctionType) -> list[list[str]]:
    """Return the names a function uses that its module may have imported: those, or only the surer ones.

    Calls of methods of such names are compiled to other instructions than those of other names. An object
    other than a module, class or function tells only the module of its class: it may be made here.
    """
    values = function.__globals__
    used = {name: values[name] for name in function.__code__.co_names if name in values}
    found = [
        name
        for name, value in used.items()
        if isinstance(value, ModuleType) or getattr(value, "__module__", None) != values.get("__name__")
    ]
    surer = [name for name in found if isinstance(used[name], (ModuleType, FunctionType, type))]
    return [names for names in ([found] if surer == found else [found, surer]) if names]


def _compiled(text: str, code: CodeType, imported: list[list[str]]) -> Iterator[CodeType]:
    """Yield the code that text compiles to, as it would within functions that have its outer variables."""
    free = code.co_freevars
    if free:
        inner = f"return {text}" if code.co_name == "<lambda>" else text
        text = f"def _({', '.join(free)}):\n{textwrap.indent(inner, ' ')}"
    for heading in ("", *(f"import {', '.join(names)}\n" for names in imported)):
        try:
            module = compile(
                heading + text, code.co_filename, "exec", flags=future_flags(code), dont_inherit=True
            )
        except (SyntaxError, ValueError):
            return
        for outer in _named(module, "_") if free else (module,):
            yield from _named(outer, code.co_name)


def _named(code: CodeType, name: str) -> Iterator[CodeType]:
    return (c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name)


def _same(a: CodeType, b: CodeType) -> bool:
    """Return whether two code objects have the same instructions, names and constants."""
    return (
        a.co_code == b.co_code
        and a.co_names == b.co_names
        and a.co_varnames == b.co_varnames
        and a.co_argcount == b.co_argcount
        and a.co_freevars == b.co_freevars
        and len(a.co_consts) == len(b.co_consts)
        and all(map(_same_constant, a.co_consts, b.co_consts))
    )


def _same_constant(a: object, b: object) -> bool:
    if isinstance(a, CodeType) and isinstance(b, CodeType):
        return _same(a, b)
    return type(a) is type(b) and repr(a) == repr(b)

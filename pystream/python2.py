"""Recognize scripts written for Python 2, by the errors that they cause in Python 3."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Final, NamedTuple

from pystream import compat

__all__ = ["python2_message"]


class _Syntax(NamedTuple):
    """A construct of Python 2.

    Attributes:
        name: what it is.
        remedy: what to write instead.
        message: a pattern of the error's message.
        line: a pattern of the line that the error is in.
    """

    name: str
    remedy: str
    message: str
    line: str


_ANY: Final = ""
_INVALID: Final = r"^invalid syntax$"
_SYNTAX: Final = (
    _Syntax("a print statement", "print(value)", "call to 'print'", _ANY),
    _Syntax("an exec statement", "exec(code)", "call to 'exec'", _ANY),
    _Syntax("a parameter that is a tuple", "def f(pair): a, b = pair", "cannot be parenthesized", _ANY),
    _Syntax("'except E, e'", "except E as e", "multiple exception types", r"^\s*except\b.*,\s*\w+\s*:"),
    _Syntax("'raise E, value'", "raise E(value)", _INVALID, r"^\s*raise\s+[\w.]+\s*,"),
    _Syntax("an expression in backquotes", "repr(value)", _INVALID, r"`.+`"),
    _Syntax("the operator '<>'", "!=", _INVALID, r"<>"),
    _Syntax("a number of octal digits", "0o777", "leading zeros in decimal", _ANY),
    _Syntax("a number with an L", "it without", r"invalid \w+ literal", r"\b(0[xX][\da-fA-F]+|\d+)[lL]\b"),
    _Syntax("a ur'…' literal", "r'…'", _INVALID, r"\b[uU][rR]['\"]"),
    _Syntax("a mix of tabs and spaces", "spaces only", "inconsistent use of tabs", _ANY),
)
_NAMES: Final = {
    "basestring": "str",
    "cmp": "(a > b) - (a < b)",
    "execfile": "exec(open(path).read())",
    "file": "open",
    "long": "int",
    "raw_input": "input",
    "reduce": "functools.reduce",
    "reload": "importlib.reload",
    "unichr": "chr",
    "unicode": "str",
    "xrange": "range",
}
_MODULES: Final = {
    "ConfigParser": "configparser",
    "Queue": "queue",
    "StringIO": "io",
    "__builtin__": "builtins",
    "cPickle": "pickle",
    "cStringIO": "io",
    "httplib": "http.client",
    "urllib2": "urllib.request",
    "urlparse": "urllib.parse",
}
_ATTRIBUTES: Final = {
    "decode": "the text without it",
    "has_key": "key in mapping",
    "iteritems": "items()",
    "iterkeys": "keys()",
    "itervalues": "values()",
    "next": "next(iterator)",
}
_JAVA: Final = ("java", "javax")
_LINE: Final = re.compile(r'^\s*File "([^"]+)", line (\d+)', re.MULTILINE)
_MISSING: Final = re.compile(r"name '(\w+)' is not defined")
_NO_ATTRIBUTE: Final = re.compile(
    r"'(?:str|dict|defaultdict|collections\.\w+|generator|\w*iterator|_io\.\w+|_csv\.reader)' object "
    r"has no attribute '(\w+)'"
)
_HOW: Final = "pystream runs Python 3; a tool such as 2to3 or futurize converts a whole script"


def python2_message(error: BaseException, script: str) -> str | None:
    """Return one line that says what in a script is of Python 2 and how to mend it, if that is its error.

    Names and attributes count only in a program that has imported an older API of Flink.

    Args:
        error: the error that has ended the script, or the failure of a job.
        script: its path, for errors without a place.
    """
    for cause in _chain(error):
        if isinstance(cause, SyntaxError):
            found = next((one for one in _SYNTAX if _matches(one, cause)), None)
            if found is not None:
                place = f"{cause.filename or script}, line {cause.lineno}"
                return f"{place}: {found.name} is Python 2; write {found.remedy}. {_HOW}"
        elif isinstance(cause, ModuleNotFoundError):
            root = (cause.name or "").partition(".")[0]
            if root in _JAVA:
                place = _place(error, cause, script)
                return (
                    f"{place}: {cause.name} is a package of Java, which cannot be imported; use Python's own"
                )
            if root in _MODULES:
                return _renamed(_place(error, cause, script), root, _MODULES[root])
        elif isinstance(cause, NameError | AttributeError) and _uses_older_api():
            pattern, table = (
                (_MISSING, _NAMES) if isinstance(cause, NameError) else (_NO_ATTRIBUTE, _ATTRIBUTES)
            )
            name = pattern.search(str(cause))
            if name is not None and name[1] in table:
                return _renamed(_place(error, cause, script), name[1], table[name[1]])
    return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in seen:
        seen.append(cause)
        yield cause
        cause = cause.__cause__


def _matches(syntax: _Syntax, error: SyntaxError) -> bool:
    line = re.search(syntax.line, error.text or "")
    return line is not None and re.search(syntax.message, error.msg) is not None


def _renamed(place: str, name: str, remedy: str) -> str:
    return f"{place}: {name} is Python 2; write {remedy}. {_HOW}"


def _place(error: BaseException, cause: BaseException, script: str) -> str:
    """Return file and line of an error of this process, or those in the message about a worker."""
    traceback = cause.__traceback__
    if error is not cause or traceback is None:
        lines = _LINE.findall(str(error))
        return "{}, line {}".format(*lines[-1]) if lines else script
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return f"{traceback.tb_frame.f_code.co_filename}, line {traceback.tb_lineno}"


def _uses_older_api() -> bool:
    return any(name in sys.modules for name in compat.installed() or ())

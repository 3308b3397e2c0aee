"""Errors that come from Python 2 are reported in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pystream.python2 import python2_message

HEAD = """\
from org.apache.flink.api.common.functions import MapFunction


class Changed(MapFunction):
    def map(self, value):
        return {in_map}


def main(factory):
    value = {in_main}
    env = factory.get_execution_environment()
    env.from_elements(3).map(Changed()).output()
    env.execute()
"""


def run(script: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pystream", "run", "--local", script.name],
        capture_output=True,
        text=True,
        cwd=script.parent,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        check=False,
    )


def said_by(script: Path, text: str) -> str:
    """Return the only line that the command says about a script."""
    script.write_text(text)
    done = run(script)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("pystream: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


SYNTAX = {
    'print "x"': "a print statement is Python 2; write print(value)",
    "print value,": "a print statement",
    "exec code": "an exec statement is Python 2; write exec(code)",
    "def f(self, (a, b)): pass": "a parameter that is a tuple",
    "f = lambda (a, b): a": "a parameter that is a tuple",
    "try: pass\nexcept ValueError, e: pass": "'except E, e' is Python 2; write except E as e",
    "raise ValueError, 'x'": "'raise E, value' is Python 2; write raise E(value)",
    "x = `1`": "an expression in backquotes is Python 2; write repr(value)",
    "x = 1 <> 2": "the operator '<>' is Python 2; write !=",
    "x = 0777": "a number of octal digits is Python 2; write 0o777",
    "x = 12L": "a number with an L is Python 2",
    "x = ur'a'": "a ur'…' literal is Python 2",
    "if True:\n        x = 1\n\ty = 2": "a mix of tabs and spaces is Python 2",
}


@pytest.mark.parametrize("code", SYNTAX)
def test_syntax(code: str) -> None:
    with pytest.raises(SyntaxError) as caught:
        compile(f"{code}\n", "job.py", "exec")
    said = python2_message(caught.value, "job.py")
    assert said is not None
    assert said.startswith(f"job.py, line {code.count(chr(10)) + 1}: {SYNTAX[code]}")
    assert "2to3" in said


@pytest.mark.parametrize("code", ["x = (1", "x = 1L2", "f('<>' 1)", "x = ('`a`'", "if x\n  1"])
def test_other_errors_of_syntax(code: str) -> None:
    with pytest.raises(SyntaxError) as caught:
        compile(f"{code}\n", "job.py", "exec")
    assert python2_message(caught.value, "job.py") is None


@pytest.mark.promise("beh:jython.python27")
def test_syntax_of_a_script(tmp_path: Path) -> None:
    said = said_by(tmp_path / "job.py", "def main(factory):\n    print 'x'\n")
    assert said.startswith("pystream: job.py, line 2: a print statement is Python 2; ")


def test_syntax_of_a_module_that_the_script_imports(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("\nprint 'x'\n")
    assert "helper.py, line 2: a print statement" in said_by(tmp_path / "job.py", "import helper")


@pytest.mark.promise("beh:jython.python27")
@pytest.mark.parametrize(
    ("place", "code", "said"),
    [
        ("in_map", "unicode(3)", "unicode is Python 2; write str"),
        ("in_map", "{1: 2}.has_key(1)", "has_key is Python 2; write key in mapping"),
        ("in_map", "__import__('urllib2')", "urllib2 is Python 2; write urllib.request"),
        ("in_main", "unicode(3)", "unicode is Python 2; write str"),
        ("in_main", "[n for n in xrange(value)]", "xrange is Python 2; write range"),
        ("in_main", "{1: 2}.has_key(1)", "has_key is Python 2; write key in mapping"),
        ("in_main", "'a'.decode('utf-8')", "decode is Python 2; write the text without it"),
        ("in_main", "iter([1]).next()", "next is Python 2; write next(iterator)"),
        ("in_main", "__import__('urllib2')", "urllib2 is Python 2; write urllib.request"),
    ],
)
def test_names(tmp_path: Path, place: str, code: str, said: str) -> None:
    parts = {"in_map": "value", "in_main": "0", place: code.replace("value", "3")}
    line = {"in_map": 6, "in_main": 10}[place]
    assert f"job.py, line {line}: {said}" in said_by(tmp_path / "job.py", HEAD.format(**parts))


def test_packages_of_java(tmp_path: Path) -> None:
    said = said_by(tmp_path / "job.py", "\nfrom java.util import ArrayList\n")
    assert "job.py, line 2: java is a package of Java" in said


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("unicode(3)", "NameError"),  # in a program without an older API
        ("from org.apache.flink import util\nstr.nothing", "AttributeError"),
        ("from org.apache.flink import util\nnothing", "NameError"),
        ("import nothing", "ModuleNotFoundError"),
        ("from org.apache.flink import util\nclass Mine: pass\nMine().next()", "AttributeError"),
    ],
)
def test_other_errors_have_a_traceback(tmp_path: Path, code: str, said: str) -> None:
    script = tmp_path / "job.py"
    script.write_text(code)
    done = run(script)
    assert done.returncode == 1
    assert f"{said}: " in done.stderr
    assert "pystream: " not in done.stderr

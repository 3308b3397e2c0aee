"""Which scripts leave it to their caller to call main(factory)."""

from __future__ import annotations

import ast

import pytest

from pystream.jython.main_function import defines_main

JAVA = "from org.apache.flink.api.common.functions import MapFunction\n"


@pytest.mark.parametrize(
    "script",
    [
        "def main(factory): pass",
        "def main(factory, count=1, *rest, verbose=False, **more): pass",
        "def main(first, second): pass\ndef main(factory): pass",
        "@decorated\ndef main(factory): pass",
        f"{JAVA}def main(flink): pass",
        "import org.apache.flink.util\ndef main(flink): pass",
        "import org.apache.flink\ndef main(flink): pass",
        f"def main(flink):\n    {JAVA}",
        "def main(factory): pass\ndef again(): main(None)",
        "def main(factory): pass\nclass A:\n    def main(self): main(self)",
        "def main(factory): pass\nrun = lambda: main(1)",
        "def main(factory): pass\nself.main(1)",
    ],
)
def test_scripts_whose_main_is_called(script: str) -> None:
    assert defines_main(ast.parse(script))


@pytest.mark.parametrize(
    "script",
    [
        "",
        "def start(factory): pass",
        "class A:\n    def main(factory): pass",
        "if True:\n    def main(factory): pass",
        "def main(): pass",
        "def main(factory=None): pass",
        "def main(factory, name): pass",
        "def main(factory, *, name): pass",
        "def main(*factory): pass",
        "async def main(factory): pass",
        "def main(arguments): pass",
        "from organisation import flink\ndef main(flink): pass",
        "from org.apache.flinkish import a\ndef main(flink): pass",
        "from . import org\ndef main(flink): pass",
        "def main(factory): pass\nmain(1)",
        "def main(factory): pass\nif __name__ == '__main__':\n    main(1)",
        "def main(factory): pass\ntry:\n    x = [main(n) for n in (1,)]\nfinally:\n    pass",
        f"{JAVA}def main(flink): pass\nclass A:\n    done = main(1)",
        f"{JAVA}def main(argv): pass\nif __name__ == '__main__':\n    exit(main([]))",
    ],
)
def test_other_scripts(script: str) -> None:
    assert not defines_main(ast.parse(script))

"""The map of modules in the docstring of the package: complete, and in the order of imports."""

from __future__ import annotations

import re

import grimp

import pystream.lifting

PACKAGE = "pystream.lifting"


def test_no_module_imports_one_that_the_map_lists_before_it() -> None:
    listed = [f"{PACKAGE}.{name}" for name in re.findall(r"``(\w+)``", pystream.lifting.__doc__ or "")]
    graph = grimp.build_graph("pystream", cache_dir=None)
    assert sorted(listed) == sorted(graph.find_children(PACKAGE))
    wrong = [
        f"{importer} imports {imported}"
        for position, importer in enumerate(listed)
        for imported in sorted(graph.find_modules_directly_imported_by(importer) & set(listed[:position]))
    ]
    assert wrong == []

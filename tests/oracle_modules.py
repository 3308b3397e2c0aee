"""Load modules below ``tests/oracle``, which is no package: PyFlink runs its programs, too."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

__all__ = ["ORACLE", "oracle_module"]

ORACLE = Path(__file__).parent / "oracle"


def oracle_module(path: str) -> ModuleType:
    """Load a module under a name of its own.

    Args:
        path: the path below ``tests/oracle``, without the suffix.
    """
    name = f"oracle_{path.replace('/', '_')}"
    spec = importlib.util.spec_from_file_location(name, ORACLE / f"{path}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module

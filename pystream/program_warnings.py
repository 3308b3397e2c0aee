"""Warnings located at the user's line, not at one in this package."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from typing import Final

__all__ = ["warn_program"]

_PACKAGE: Final = str(Path(__file__).parent) + os.sep


def warn_program(message: str) -> None:
    """Issue a ``UserWarning`` at the innermost line outside this package."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)

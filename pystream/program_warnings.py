"""The line of the user's program that is running or has failed, and warnings located at it."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from traceback import walk_tb
from types import FrameType, TracebackType
from typing import Final

import typeinfo

__all__ = ["program_frame", "program_place", "warn_program"]

_PACKAGES: Final = tuple(f"{Path(file).parent}{os.sep}" for file in (__file__, typeinfo.__file__))

_MODULES: Final = ("pystream.", "typeinfo.")


def program_frame() -> tuple[FrameType | None, int]:
    """Return the frame of the innermost caller outside these packages, if there is one, and its stack level.

    The level counts from the caller of this function, which is at 1, as ``warnings.warn`` counts.
    """
    frame: FrameType | None = sys._getframe(1)
    level = 1
    while frame is not None and _is_ours(frame):
        frame, level = frame.f_back, level + 1
    return frame, level


def _is_ours(frame: FrameType) -> bool:
    if frame.f_code.co_filename == "<string>":  # the constructor of a dataclass, for one
        return str(frame.f_globals.get("__name__")).startswith(_MODULES)
    return frame.f_code.co_filename.startswith(_PACKAGES)


def program_place(traceback: TracebackType | None) -> str:
    """Return the file and line of the innermost frame of a traceback that is outside these packages."""
    places = [(frame.f_code.co_filename, line) for frame, line in walk_tb(traceback) if not _is_ours(frame)]
    return "{}, line {}".format(*places[-1]) if places else "the program"


def warn_program(message: str, category: type[Warning] = UserWarning) -> None:
    """Issue a warning at the innermost line outside these packages."""
    _, level = program_frame()
    warnings.warn(message, category, stacklevel=level)

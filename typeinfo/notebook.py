"""Output for IPython and notebooks: names of cells, tracebacks of errors, and lines that change in place."""

from __future__ import annotations

import re
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["CellLine", "cell_name", "in_kernel", "in_shell", "rendered"]

_PLACE = re.compile(r'(?<=File ")[^"\n]+(?=", line \d)')


def in_shell() -> bool:
    """Return whether this process is an interactive one of IPython, of a terminal or a notebook."""
    return _shell() is not None


def in_kernel() -> bool:
    """Return whether this process is the kernel of a notebook."""
    return getattr(_shell(), "kernel", None) is not None


def cell_name(filename: str) -> str | None:
    """Return the name of the cell that IPython has compiled as a file, such as ``In[5]``.

    It is ``None`` for a file that is not a cell.
    """
    shell = _shell()
    named = None if shell is None else shell.compile.format_code_name(filename)
    return None if named is None else str(named[1])


class CellLine:
    """A text file whose last line is shown below the cell, in place of the line before."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self._line: Any = None

    def write(self, text: str) -> None:
        """Show a line; the carriage return and the line end around it are dropped."""
        if shown := text.strip("\r\n"):
            data = {"text/plain": shown}
            if self._line is None:
                display: Any = import_module("IPython.display").display
                self._line = display(data, raw=True, display_id=True)
            else:
                self._line.update(data, raw=True)

    def flush(self) -> None:
        """Do nothing, as lines are shown at once."""


def rendered(error: BaseException) -> list[str]:
    """Return the lines that IPython shows for an error: the frames of the program, and the message.

    Frames of IPython are left out, and all from the first one on in the package of the error or in this one.
    """
    frames = []
    for frame in traceback.extract_tb(error.__traceback__):
        folders = set(map(str, Path(frame.filename).parents))
        if folders & {_folder(__name__), _folder(type(error).__module__)}:
            break
        if _folder("IPython") not in folders:
            frames.append(frame)
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(frames)]
    text = "".join([*lines, *traceback.format_exception_only(error)])
    return [_PLACE.sub(lambda place: cell_name(place[0]) or place[0], text).rstrip()]


def _folder(module: str) -> str:
    """Return the folder of the package that a module is in."""
    return str(Path(sys.modules[module.partition(".")[0]].__file__ or "").parent)


def _shell() -> Any:
    """Return the shell of IPython, if it runs here."""
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()

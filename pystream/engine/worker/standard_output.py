"""Write text to standard output in any encoding."""

from __future__ import annotations

from typing import TextIO

__all__ = ["write"]


def write(text: str, file: TextIO | None = None) -> None:
    """Write text; characters that the encoding cannot represent are escaped.

    Args:
        text: the text.
        file: another stream, such as standard error.
    """
    try:
        print(text, end="", flush=True, file=file)
    except UnicodeEncodeError as error:
        escaped = text.encode(error.encoding, "backslashreplace").decode(error.encoding)
        print(escaped, end="", flush=True, file=file)

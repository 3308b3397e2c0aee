"""Writing text to the program's standard output, whatever its encoding."""

from __future__ import annotations

__all__ = ["write"]


def write(text: str) -> None:
    """Write text; characters that the encoding of standard output lacks are written as escapes."""
    try:
        print(text, end="", flush=True)
    except UnicodeEncodeError as error:
        print(text.encode(error.encoding, "backslashreplace").decode(error.encoding), end="", flush=True)

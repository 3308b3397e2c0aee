"""Write text to standard output in any encoding."""

from __future__ import annotations

__all__ = ["write"]


def write(text: str) -> None:
    """Write text; characters that the encoding cannot represent are escaped."""
    try:
        print(text, end="", flush=True)
    except UnicodeEncodeError as error:
        print(text.encode(error.encoding, "backslashreplace").decode(error.encoding), end="", flush=True)

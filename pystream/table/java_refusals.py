"""The methods of PyFlink's table environment that need Java, refused by name."""

from __future__ import annotations

from typing import NoReturn

from pystream.errors import ArgumentTypeError, UnsupportedOperationError
from typeinfo.arguments import checks_arguments

__all__ = ["JavaRefusals"]


@checks_arguments(ArgumentTypeError)
class JavaRefusals:
    """Functions written in Java; each method raises an error."""

    def create_java_function(
        self, path: str, function_class_name: str, ignore_if_exists: bool | None = None
    ) -> NoReturn:
        """Refuse a function written in Java.

        Raises:
            UnsupportedOperationError: always.
        """
        raise _of_function("create_java_function", function_class_name)

    def create_java_temporary_function(self, path: str, function_class_name: str) -> NoReturn:
        """Refuse a function written in Java.

        Raises:
            UnsupportedOperationError: always.
        """
        raise _of_function("create_java_temporary_function", function_class_name)

    def create_java_temporary_system_function(self, name: str, function_class_name: str) -> NoReturn:
        """Refuse a function written in Java.

        Raises:
            UnsupportedOperationError: always.
        """
        raise _of_function("create_java_temporary_system_function", function_class_name)


def _of_function(call: str, class_name: str) -> UnsupportedOperationError:
    return UnsupportedOperationError(
        f"{call}: {class_name!r} is written in Java, which does not run here; write the function in Python, "
        "with udf, and name it by create_temporary_system_function"
    )

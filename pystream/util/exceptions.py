"""The exceptions of tables and catalogs under the names of PyFlink; they are errors of pystream as well."""

from __future__ import annotations

from pystream.errors import PlanError

__all__ = [
    "CatalogException",
    "DatabaseAlreadyExistException",
    "DatabaseNotEmptyException",
    "DatabaseNotExistException",
    "FunctionAlreadyExistException",
    "FunctionNotExistException",
    "JavaException",
    "ModelAlreadyExistException",
    "ModelNotExistException",
    "PartitionAlreadyExistsException",
    "PartitionNotExistException",
    "PartitionSpecInvalidException",
    "TableAlreadyExistException",
    "TableException",
    "TableNotExistException",
    "TableNotPartitionedException",
]


class JavaException(PlanError):  # noqa: N818 - the name of PyFlink
    """The base class of the exceptions of tables and catalogs, by the name that programs catch it by."""


class TableException(JavaException):
    """A table is wrong."""


class CatalogException(JavaException):
    """A catalog refuses an operation."""


class DatabaseAlreadyExistException(JavaException):
    """There is already a database of a name."""


class DatabaseNotEmptyException(JavaException):
    """A database that is dropped is not empty."""


class DatabaseNotExistException(JavaException):
    """There is no database of a name."""


class FunctionAlreadyExistException(JavaException):
    """There is already a function of a name."""


class FunctionNotExistException(JavaException):
    """There is no function of a name."""


class ModelAlreadyExistException(JavaException):
    """There is already a model of a name."""


class ModelNotExistException(JavaException):
    """There is no model of a name."""


class PartitionAlreadyExistsException(JavaException):
    """There is already a partition of these values."""


class PartitionNotExistException(JavaException):
    """There is no partition of these values."""


class PartitionSpecInvalidException(JavaException):
    """The columns of a partition are not those that its table is partitioned by."""


class TableAlreadyExistException(JavaException):
    """There is already a table or view of a name."""


class TableNotExistException(JavaException):
    """There is no table or view of a name."""


class TableNotPartitionedException(JavaException):
    """A table that is asked for its partitions is not partitioned."""

"""Families of Arrow types with the same values in different layouts."""

from __future__ import annotations

from typing import TypeGuard

import pyarrow as pa

__all__ = ["is_bytes", "is_list", "is_text", "plain_type"]


def plain_type(dt: pa.DataType) -> pa.DataType:
    """Return the type of an array without dictionary, run-end and extension encodings."""
    if pa.types.is_dictionary(dt) or pa.types.is_run_end_encoded(dt):
        return plain_type(dt.value_type)
    if isinstance(dt, pa.BaseExtensionType):
        return plain_type(dt.storage_type)
    return dt


def is_text(dt: pa.DataType) -> bool:
    """Return whether an Arrow type holds strings, in any layout."""
    return pa.types.is_string(dt) or pa.types.is_large_string(dt) or pa.types.is_string_view(dt)


def is_bytes(dt: pa.DataType) -> bool:
    """Return whether an Arrow type holds bytes, in any layout."""
    types = pa.types
    return (
        types.is_binary(dt)
        or types.is_large_binary(dt)
        or types.is_binary_view(dt)
        or types.is_fixed_size_binary(dt)
    )


def is_list(dt: pa.DataType) -> TypeGuard[pa.ListType]:
    """Return whether an Arrow type holds lists, in any layout."""
    types = pa.types
    return (
        types.is_list(dt)
        or types.is_large_list(dt)
        or types.is_fixed_size_list(dt)
        or types.is_list_view(dt)
        or types.is_large_list_view(dt)
    )

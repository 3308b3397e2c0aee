"""CSV."""

from collections.abc import Mapping, Sequence
from typing import Any

from pyarrow import DataType, Table

class ReadOptions:
    def __init__(
        self,
        use_threads: bool | None = None,
        *,
        block_size: int | None = None,
        column_names: Sequence[str] | None = None,
    ) -> None: ...

class ParseOptions:
    def __init__(self, delimiter: str | None = None, *, quote_char: str | bool | None = None) -> None: ...

class ConvertOptions:
    def __init__(
        self,
        check_utf8: bool | None = None,
        *,
        column_types: Mapping[str, DataType] | None = None,
        strings_can_be_null: bool | None = None,
    ) -> None: ...

def read_csv(
    input_file: Any,
    read_options: ReadOptions | None = None,
    parse_options: ParseOptions | None = None,
    convert_options: ConvertOptions | None = None,
) -> Table: ...

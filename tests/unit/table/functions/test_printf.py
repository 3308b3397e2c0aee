"""Conversions of PRINTF that are refused, instead of null."""

from __future__ import annotations

import pytest

from pystream.table.functions.errors import ConversionError
from pystream.table.functions.values.printf import JavaValue, printed


@pytest.mark.parametrize("conversion", ["%h", "%H", "%a", "%tY", "%-10Tm"])
def test_conversions_that_are_not_supported_are_refused(conversion: str) -> None:
    with pytest.raises(ConversionError, match=f"{conversion.lstrip('%-10')} is not supported; use %s"):
        printed([JavaValue(str, 64)], f"a{conversion}", 0)

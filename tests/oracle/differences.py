"""Where pystream differs from PyFlink on purpose: the reason, and the outcome expected instead."""

from __future__ import annotations

from typing import Any

ERROR: dict[str, Any] = {"error": "PyStreamError", "message": "", "raised": "java"}

DIFFERENCES: dict[str, dict[str, dict[str, Any]]] = {}


def programs() -> set[str]:
    """List the ids of the programs that differ."""
    return {program for outcomes in DIFFERENCES.values() for program in outcomes}


def expected(program: str) -> dict[str, Any] | None:
    """Give the outcome expected of a program that differs, None for all others."""
    for outcomes in DIFFERENCES.values():
        if program in outcomes:
            return outcomes[program]
    return None

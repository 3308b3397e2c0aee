"""Check each case with each checker of its folder, in one run per checker."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.typing.checkers import CASES, FOLDERS, Case, Checker, cases


@pytest.mark.parametrize(
    ("checker", "case"),
    [
        pytest.param(checker, case, id=f"{checker}-{case}")
        for checker, folders in FOLDERS.items()
        for folder in folders
        for case in cases(folder)
    ],
)
def test_a_checker_reports_exactly_the_expected_errors(checker: str, case: Case, run: Checker) -> None:
    failures = case.failures(run(checker))
    assert not failures, "\n".join(failures)


def test_messages_of_the_plugin_name_only_public_classes(run: Checker) -> None:
    internal = re.compile(
        r"\b(BatchFunction|FlatBatchFunction|_WindowOperations|StreamEnds|StreamPartitions|OperatorSettings|AppendingState"
        r"|KeyedTimerService|Aggregator|Reducer)\b"
    )
    found = [str(d) for d in run("mypy-plugin").diagnostics if internal.search(d.message)]
    assert found == []


def test_the_plugin_reports_an_error_of_a_lambda_once(run: Checker) -> None:
    by_line: dict[tuple[Path, int], list[str]] = {}
    for diagnostic in run("mypy-plugin").diagnostics:
        by_line.setdefault((diagnostic.path, diagnostic.line), []).append(diagnostic.message)
    repeated = ("Incompatible return value type", "Cannot infer type of lambda")
    twice = [
        messages
        for messages in by_line.values()
        if len(messages) > 1 and any(message.startswith(repeated) for message in messages)
    ]
    assert twice == []


def test_cases_expect_errors_by_message_instead_of_ignoring_them() -> None:
    ignoring = [path.name for path in CASES.glob("*/*.py") if "type: ignore" in path.read_text()]
    assert ignoring == []

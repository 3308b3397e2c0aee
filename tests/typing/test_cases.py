"""Each case under each checker that should know it; one run a checker."""

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
def test_case(checker: str, case: Case, run: Checker) -> None:
    complaints = case.complaints(run(checker))
    assert not complaints, "\n".join(complaints)


def test_the_plugin_names_public_classes(run: Checker) -> None:
    internal = re.compile(
        r"\b(BatchFunction|FlatBatchFunction|_Windows|StreamEnds|StreamPartitions|OperatorSettings|AppendingState"
        r"|KeyedTimerService|Aggregator|Reducer)\b"
    )
    found = [str(d) for d in run("mypy-plugin").diagnostics if internal.search(d.message)]
    assert found == []


def test_the_plugin_reports_a_lambda_once(run: Checker) -> None:
    said: dict[tuple[Path, int], list[str]] = {}
    for diagnostic in run("mypy-plugin").diagnostics:
        said.setdefault((diagnostic.path, diagnostic.line), []).append(diagnostic.message)
    repeated = ("Incompatible return value type", "Cannot infer type of lambda")
    twice = [
        messages
        for messages in said.values()
        if len(messages) > 1 and any(message.startswith(repeated) for message in messages)
    ]
    assert twice == []


def test_every_mistake_has_its_words() -> None:
    silenced = [path.name for path in CASES.glob("*/*.py") if "type: ignore" in path.read_text()]
    assert silenced == []

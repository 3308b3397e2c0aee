"""The page on static types quotes the message of mypy for each classic mistake."""

from __future__ import annotations

import pytest

from tests.typing.checkers import ROOT, Checker
from tests.typing.classic.table import own_messages, titles

PAGE = ROOT / "docs" / "typing.md"


@pytest.fixture(scope="module")
def messages(run: Checker) -> dict[str, str]:
    return own_messages(run("mypy-plugin"))


def test_each_mistake_is_caught(messages: dict[str, str]) -> None:
    assert messages.keys() == titles().keys()
    assert len(messages) >= 20


@pytest.mark.parametrize(("name", "title"), titles().items())
def test_the_page_quotes_the_message_of_mypy(name: str, title: str, messages: dict[str, str]) -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith(f"| {title} |")]
    assert len(rows) == 1
    assert f"`{messages[name]}`".replace("|", "\\|") in rows[0]

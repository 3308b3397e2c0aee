"""KnownEpochs: an attempt does not begin before an epoch that is known to be committed."""

from __future__ import annotations

import pytest

from pystream.hosts.unbounded.known_epochs import KnownEpochs
from pystream.hosts.unbounded.lost_state import StateLostError


def test_an_attempt_begins_after_the_last_epoch_that_the_process_knows() -> None:
    known = KnownEpochs("words", "/jobs/words")
    known.check(-1)
    known.note(38)
    known.note(7)
    for committed in (38, 39):
        known.check(committed)
    with pytest.raises(
        StateLostError,
        match=r"'words' .* this process shows that epoch 38 is committed, .* /jobs/words ends with epoch 37",
    ):
        known.check(37)
    with pytest.raises(StateLostError, match=r"epoch 38 .* /jobs/words has none at all"):
        known.check(-1)

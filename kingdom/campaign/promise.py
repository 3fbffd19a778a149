"""Checking that the seed gives the dice that were promised in the newest kept reports."""

from __future__ import annotations

from kingdom.campaign import store, taken_back
from kingdom.campaign.campaign import Place
from kingdom.campaign.errors import fault
from kingdom.campaign.settings import FILE
from kingdom.campaign.store import Kept
from kingdom.engine import dice
from kingdom.engine.regex import regex

_DIGITS = regex(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


def prove_seed(campaign: Place, turn: Kept) -> None:
    """Raise Faults if the reports of a kept turn promise dice for the next one that today's seed does not give.

    The report of a campaign that was over promises none, but still shows a key of its own turn.
    """
    promised = _told(turn)
    if promised and promised.isdisjoint(_given(campaign, turn)):
        number = turn.record.turn
        raise fault("seed_changed", campaign.folder / FILE, turn=number, following=number + 1)


def _told(turn: Kept) -> set[str]:
    """Return the keys and commitments in the first report that has any; altered reports are passed over."""
    texts_first = sorted(turn.record.files, key=lambda name: (not name.endswith(".txt"), name))
    for name in texts_first:  # a text is a tenth of its page
        data = store.read(turn.folder / name) if name.startswith("reports/") else b""
        secrets = _DIGITS.findall(data) if store.digest_of(data) == turn.record.files[name] else []
        if secrets:
            return {digits.decode() for digits in secrets}
    return set()


def _given(campaign: Place, turn: Kept) -> set[str]:
    """Return the turn's keys and the commitments to the next turn that today's seed gives, for every possible attempt."""
    number = turn.record.turn
    # not the next turn's: that may have been changed since, as all were told
    seed = campaign.settings.seed_of(number)
    attempts = range(1, taken_back.attempt_of(campaign.folder, number + 1) + 1)
    seats = (*campaign.seats, dice.GM)
    keys = {dice.key_of(seed, number, seat, turn.record.attempt) for seat in seats}
    return keys | {
        dice.commitment_of(dice.key_of(seed, number + 1, seat, attempt)) for seat in seats for attempt in attempts
    }

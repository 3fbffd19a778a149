"""The chapters of a chronicle: a kept turn's news, messages and entries for each reader. Nothing is worked out again.

A reader is a seat, or EVERYBODY for what everybody was told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store, substitute_orders
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.store import Kept
from kingdom.engine.game import Letter
from kingdom.engine.ledger import Entry
from kingdom.engine.step import AnyState
from kingdom.orders import rule_changes
from kingdom.orders.tables import Tables

EVERYBODY = "all"  # the reader of notices and messages that everybody may read
OF_THE_GM = ("tell", "ruling", "voided")  # kinds of notices in which the GM speaks
NOT_TOLD = ("refusal", "check")  # kinds that have a place of their own in the report


Beside: TypeAlias = Mapping[int, Sequence[Letter]]  # turn -> messages that were not sent with orders
NOTHING_BESIDE: Beside = MappingProxyType({})


class Chapter(NamedTuple):
    """One kept turn. told: reader -> (whether it is from the GM, the text) for each piece of news. entries: seat -> its part of the ledger.

    refused: seat -> (order, reason) of each refused order. changed: how the rules differ from the turn before.
    """

    turn: Kept
    state: AnyState
    rules: Tables
    entries: Mapping[str, Sequence[Entry]]
    told: Mapping[str, Sequence[tuple[bool, str]]]
    refused: Mapping[str, Sequence[tuple[str, str]]]
    letters: Sequence[Letter]
    changed: Sequence[str]

    @property
    def number(self) -> int:
        """The turn."""
        return self.turn.record.turn


def chapters(campaign: Campaign, beside: Beside = NOTHING_BESIDE, newest: int | None = None) -> Iterator[Chapter]:
    """Yield every kept turn, from the first on, up to `newest`. Raises Faults if one was altered."""
    before: Tables | None = None
    known: dict[str, Tables] = {}
    for number in range((campaigns.newest(campaign) if newest is None else newest) + 1):
        turn = campaigns.kept(campaign, number)
        digest = turn.record.files.get("rules.yaml", "")
        rules = known.get(digest) or campaigns.rules_of(campaign, turn)
        known = {digest: rules}
        chapter = _chapter(campaign, turn, rules, before)
        yield chapter._replace(letters=[*chapter.letters, *beside.get(number, ())])
        before = rules


def _chapter(campaign: Campaign, turn: Kept, rules: Tables, before: Tables | None) -> Chapter:
    entries: dict[str, list[Entry]] = {}
    for entry in campaigns.decode_entries(store.file_of(turn, "ledger.csv"), turn.folder / "ledger.csv"):
        entries.setdefault(entry.kingdom, []).append(entry)
    told: dict[str, list[tuple[bool, str]]] = {}
    refused: dict[str, list[tuple[str, str]]] = {}
    for notice in turn.record.notices:
        facts, kind = notice["facts"], notice["kind"]
        if kind == "refusal":
            refused.setdefault(notice["seat"], []).append((facts["order"], facts["reason"]))
        elif kind not in NOT_TOLD and facts.get("text"):
            told.setdefault(notice["seat"], []).append((kind in OF_THE_GM, str(facts["text"])))
    changed = rule_changes.told(before, rules) if before else []
    return Chapter(
        turn,
        campaigns.state_of(campaign, turn),
        rules,
        entries,
        told,
        refused,
        substitute_orders.written_in(campaign, turn, rules.rules) if turn.record.messages else (),
        changed,
    )

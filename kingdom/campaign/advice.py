"""Advice for a seat's next turn: the game's best plans, and what they come to in words.

Worked out from what the seat knows, and kept in the cache until that, or the rules, change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256

import msgspec

from kingdom import __version__
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.preview import Start
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.step import Facts, Orders
from kingdom.orders import cache, orders_file
from kingdom.render import terminal

FELT = 0.01  # a chance of a danger that is told
THREATENS = 0.05  # one that is told to who files orders without asking for it


class Plan(NamedTuple):
    """A plan in words. name: its aim; what: what that means; price: in the game's coin; effects: sentences, what answers a danger first;
    lines: its orders in the short form, without whose and when they are; text: the same as a file."""

    name: str
    what: str
    price: str
    effects: list[str]
    lines: list[str]
    text: str

    @property
    def title(self) -> str:
        """Return its aim and its price."""
        return f"{self.name} ({self.what}), {self.price}"


def plans(campaign: Campaign, start: Start, seat: str) -> list[Facts]:
    """Return the game's plans for the seat's next turn, the best first; none where the game has no advice or the seat nothing to order."""
    game, (rules, state, _) = campaign.game, start
    over = campaigns.over(campaign, state.turn + 1, state)
    if game.advice is None or over or seat not in game.seats(state):
        return []
    known = game.known(state, seat, rules.rules)
    made_of = sha256(f"{__version__} {game.name} {seat} {rules.digest} ".encode() + msgspec.json.encode(known))
    name = f"kingdom-advice-{made_of.hexdigest()}"
    kept = cache.get(name)
    if kept is not None:
        found: list[Facts] = msgspec.json.decode(kept)
        return found
    found = game.advice(known, seat, rules.rules)
    cache.put(name, msgspec.json.encode(found))
    return found


def told(campaign: Campaign, start: Start, seat: str) -> list[Plan]:
    """Return the plans in words, as mails, pages and forms have them; none where the GM switched advice off."""
    return (
        [said(campaign, start, seat, plan) for plan in plans(campaign, start, seat)] if campaign.settings.advice else []
    )


def weighed(campaign: Campaign, start: Start, seat: str, orders: Orders) -> list[str]:
    """Return what of orders, in the long form, hangs on a die, and what they do to dangers and checks, in sentences; nothing where the game
    does not say it."""
    game, (rules, state, _) = campaign.game, start
    if game.weighed is None or seat not in game.seats(state):
        return []
    known = game.known(state, seat, rules.rules)
    thrown = game.gambles(known, seat, rules.rules, orders) if game.gambles else []
    return [*thrown, *_chances(game.weighed(known, seat, rules.rules, orders))]


def dangers(campaign: Campaign, start: Start, seat: str, orders: Orders) -> list[str]:
    """Return what dangers orders, in the long form, leave or make within the next turns, a sentence; nothing where there are none."""
    game, (rules, state, _) = campaign.game, start
    if game.threatened is None or seat not in game.seats(state):
        return []
    left = game.threatened(game.known(state, seat, rules.rules), seat, rules.rules, orders, THREATENS)
    return [*left["warned"], *_chances({**left, "checks": []})]


def said(campaign: Campaign, start: Start, seat: str, plan: Facts) -> Plan:
    """Return a plan of the game in words."""
    game = campaign.game
    filing = orders_file.read(plan["orders"].encode(), "", game, start.names, seat, start.state.turn + 1)
    orders = {key: value for key, value in (filing.orders or {}).items() if key not in ("kingdom", "turn")}
    lines = orders_file.write_short(orders, game).splitlines()
    price = f"brings {-plan['cost']}" if plan["cost"] < 0 else f"{plan['cost']}"
    return Plan(plan["aim"], plan["what"], f"{price} {game.coin}".rstrip(), list(_effects(plan)), lines, plan["orders"])


def _effects(plan: Facts) -> Iterator[str]:
    """What it does to dangers, to checks and to the sheet, a sentence each."""
    if plan.get("warning"):
        yield plan["warning"]
    yield from _chances(plan)
    if plan.get("saves"):
        yield plan["saves"]
    moved = [f"{row['account'].replace('_', ' ')} {row['before']} to {row['after']}" for row in plan["numbers"]]
    if moved:  # what is announced stands on both sides, since it is no work of these orders
        yield f"Without these orders and with them, before any die of the turn, its events' too: {', '.join(moved)}."
    else:
        yield "These orders move no number."


def _chances(plan: Facts) -> Iterator[str]:
    """What it does to dangers and to checks, a sentence each."""
    if dangers := [row for row in plan["dangers"] if max(row["before"], row["after"]) >= FELT]:
        listed = ", ".join(f"{row['what'].replace('_', ' ')} {_to(row)}" for row in dangers)
        yield f"Within {plan['turns']} turns, if nothing more is ordered: {listed}."
    if plan["checks"]:
        checks = [f"{row['what'].title()} {_to(row)}" for row in plan["checks"]]
        yield f"Checks succeed: {', '.join(checks)}."


def _to(row: Mapping[str, float]) -> str:
    was, now = terminal.percent(row["before"]).strip(), terminal.percent(row["after"]).strip()
    return was if was == now else f"{was} to {now}"

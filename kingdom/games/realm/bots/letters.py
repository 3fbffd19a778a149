"""Letters of bots: they propose what fits what they do, and answer a proposal by yes, no or terms, by what they order in that turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kingdom.engine.game import Letter
from kingdom.games.realm.bots.marshal import hosts, strength
from kingdom.games.realm.bots.worth import Weights
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World
from kingdom.games.realm.steps.land.ground import borders_of

# what a letter proposes -> words that say so; the first that is found counts
PROPOSALS = {
    "peace": ("peace", "truce", "armies at home", "do not attack", "don't attack"),
    "passage": ("passage", "pass through", "cross your land", "cross our land", "way through"),
    "trade": ("caravan", "trade", "merchant"),
}
ANSWERS = ("yes", "no", "terms")  # what an answer begins with, which is not answered again
READ = 2000  # characters of a letter that are read
EVERY = 8  # turns between two letters to the neighbours about peace, or about passage

Message = dict[str, str]


def proposal_of(text: str) -> str:
    """Return what a letter proposes, "" for nothing that a bot knows of, and for an answer."""
    said = text[:READ].lower()
    if said.lstrip().startswith(tuple(f"{word}{sign}" for word in ANSWERS for sign in ":,.")):
        return ""
    return next((name for name, words in PROPOSALS.items() if any(word in said for word in words)), "")


def written(
    known: World, seat: str, rules: Rules, weights: Weights, orders: Mapping[str, Any], got: Sequence[Letter]
) -> list[Message]:
    """Return the messages of a turn, as orders hold them: an answer to each sender who proposed something, and its own proposals.

    orders: the other orders of the turn. got: what was written to the seat, or to all, in the last one.
    """
    asked = {
        letter.sender: what for letter in got if (what := proposal_of(letter.text)) and letter.sender in known.kingdoms
    }
    mail = [
        {"to": to, "text": _ANSWER[what](to, known, seat, rules, weights, orders)}
        for to, what in asked.items()
        if to != seat
    ]
    answered = {message["to"] for message in mail}
    return mail + [
        message for message in _proposed(known, seat, rules, weights, orders) if message["to"] not in answered
    ]


def _proposed(known: World, seat: str, rules: Rules, weights: Weights, orders: Mapping[str, Any]) -> Iterator[Message]:
    """A caravan is announced, a war too; now and then neighbours hear what it would agree to."""
    wars = _attacked(orders)
    for order in orders.get("special", ()):
        if order["edict"] == "trade_route":
            text = f"We send a caravan to {order['hex']} for a trade route between us. Will you let it in?"
            yield {"to": order["to"], "text": text}
    for other in sorted(wars):
        yield {"to": other, "text": "Our armies march against you. Give us land at the border, and they will go home."}
    near = sorted(borders_of(known, seat))
    due = {0: "peace", EVERY // 2: "passage"}.get(known.turn % EVERY, "")
    for other in near if due and weights.trade else ():
        if other not in wars:
            yield {"to": other, "text": TEXTS[due]}


TEXTS = {
    "peace": "Our lands touch now. We propose peace: no army of ours attacks you, and none of yours attacks us. Do you agree?",
    "passage": "May our caravans and armies have passage through your land, as yours may through ours?",
}


def _attacked(orders: Mapping[str, Any]) -> set[str]:
    """Return the seats that the armies are sent against."""
    return {order["target"] for order in orders.get("armies", ()) if order.get("target") not in (None, "monsters")}


def _to_trade(to: str, known: World, seat: str, rules: Rules, weights: Weights, orders: Mapping[str, Any]) -> str:
    kingdom = known.kingdoms[seat]
    if orders.get("doors", {}).get(to) == "closed" or to in kingdom.doors:
        return "No: our doors are closed to your trade."
    if not weights.trade:
        return "No: we live by what we have, and send no caravans."
    if _trades(kingdom, to, orders):
        return "Yes: there is a route between us, or a caravan on its way to one."
    cost = rules.trade_route.bp_per_turn if rules.trade_route else 0
    return f"Terms: your caravan is let in if you send it and pay its {cost} BP a turn. We send none now."


def _trades(kingdom: Kingdom, to: str, orders: Mapping[str, Any]) -> bool:
    """Whether there is a route to that kingdom or from it, or a caravan for one."""
    sent = any(order["edict"] == "trade_route" and order["to"] == to for order in orders.get("special", ()))
    let_in = any(
        key.startswith("trade_route") and answer == "accept" for key, answer in orders.get("answers", {}).items()
    )
    tied = any(route.to == to for route in kingdom.routes.values())
    return sent or let_in or tied or any(guest.by == to for guest in kingdom.guests.values())


def _to_peace(to: str, known: World, seat: str, rules: Rules, weights: Weights, orders: Mapping[str, Any]) -> str:
    if to in _attacked(orders):
        return "No: our armies are on the march against you."
    if weights.war:
        return "Terms: as long as your armies are as strong as ours, they meet no attack."
    return "Yes: no army of ours attacks you in this turn, and none is sent against you."


def _to_passage(to: str, known: World, seat: str, rules: Rules, weights: Weights, orders: Mapping[str, Any]) -> str:
    near = sum(host.acr for host in hosts(known, seat, rules) if host.seat == to)
    if near > strength(known.kingdoms[seat].armies, rules):
        return "Terms: your caravans may pass; your armies near our land are stronger than ours, so let them turn back first."
    return "Yes: pass through, and attack nothing on your way."


_ANSWER = {"trade": _to_trade, "peace": _to_peace, "passage": _to_passage}

"""Royal Progress, to be played by tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from kingdom.campaign import substitute_orders
from kingdom.engine.dice import Dice
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.kit.drawn import Draw
from kingdom.games.royal_progress.bots import likely
from kingdom.games.royal_progress.game import GAME
from kingdom.games.royal_progress.state import OVER, PLAY
from kingdom.games.royal_progress.steps import Refused, Trial, ended
from kingdom.games.royal_progress.steps.actions import Doing, act, use
from kingdom.games.royal_progress.steps.moving import kings_step
from kingdom.orders import orders_file as reader
from kingdom.orders import tables
from tests.games.royal_progress.kit import RULES, opened

SEED = "a public seed"
CAMPAIGN = """\
name: The summer of the King
game: royal_progress
seed: {seed}
public_seed: true
rules: {{pace: {pace}}}
players:
  alice: {{}}
  bob: {{}}
  carol: {{}}
"""
ALICE = {
    2: "plans:\n  - actions: [B knight 3 3 3, C]\n  - actions: [{do: C, prefer: [{min: 2}, any]}, C]\nmessages: {bob: Leave me the bishop?}\n",
    3: "plans:\n  - actions: [C, A bishop to Tonbridge]\nstanding:\n  pair: {prefer_types: [titles, land], then: most_crowns}\n",
}


def campaigns(folder: Path) -> list[Path]:
    """One at the pace of laps, in which alice writes her first orders herself, and one turn by turn; bots file the rest."""
    return [_campaign(folder / "lap", "lap", 9), _campaign(folder / "strict", "strict", 8)]


def _campaign(folder: Path, pace: str, turns: int) -> Path:
    files = {"campaign.yaml": CAMPAIGN.format(seed=SEED, pace=pace), "table.yaml": "clockwise: alice bob carol\n"}
    files |= {f"kingdoms/{seat}.yaml": f"name: {seat.title()}\n" for seat in ("alice", "bob", "carol")}
    rules = replace(tables.load(GAME).rules, pace=pace)
    table = opened(3, SEED, rules)
    for turn in range(1, turns + 1):
        filed = {}
        for seat in table.seats:
            bot = GAME.bots["random" if seat == "carol" else "chamberlain"]
            text = substitute_orders.text_of(GAME, bot, table, seat, rules, SEED).decode()
            if seat == "alice" and turn in ALICE:
                text = f"kingdom: alice\nturn: {turn}\n{ALICE[turn]}"
            files[f"orders/{turn:04}/{seat}.yaml"] = text
            names = {**GAME.names(rules), "seats": list(table.seats)}
            filed[seat] = reader.read(text.encode(), f"{seat}.yaml", GAME, names, seat, turn).orders
        table = resolve(GAME, table, filed, Dice(SEED, turn), rules).after
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def hidden(result: Result, seat: str, rules: Any) -> Result:
    """The cards that nobody saw lie elsewhere: those of the others' hands and of the decks change places."""
    return result._replace(
        before=otherwise(result.before, seat),
        after=otherwise(result.after, seat),
        orders={other: orders for other, orders in result.orders.items() if other == seat},
        notices=[note for note in result.notices if note.seat in (seat, "all") or note.facts.get("sender") == seat],
        rolls=[roll for roll in result.rolls if roll.kingdom == seat],
    )


def otherwise(table: Any, seat: str) -> Any:
    """The same table to that seat, with every hidden card another one where that is possible."""
    if table.phase == OVER or table.ended:
        return replace(table, turn=table.turn)
    unseen = sorted(card for other, of in table.seats.items() if other != seat for card in _unseen(of))
    pool = [*table.deck, *unseen]
    pool = pool[len(unseen) :] + pool[: len(unseen)]
    deck, pool = pool[: len(table.deck)], pool[len(table.deck) :]
    seats = {}
    for other, of in table.seats.items():
        if other == seat:
            seats[other] = of
            continue
        count = len(_unseen(of))
        seats[other] = replace(
            of, hand=tuple(sorted((*of.seen, *pool[:count]))), standing={"no_plan": {"do": ["c", "d"]}}
        )
        pool = pool[count:]
    return replace(table, seats=seats, deck=tuple(sorted(deck)), gift_deck=tuple(reversed(table.gift_deck)))


def _unseen(of: Any) -> list[str]:
    hand = list(of.hand)
    for card in of.seen:
        hand.remove(card)
    return hand


def over(table: Any) -> Any:
    """All three rounds were played."""
    return replace(table, phase=OVER)


# --- for tests/games/test_offers.py


def draws(known: Any, seat: str, rules: Any, chance: Any) -> Draw:
    """What draws orders at random for the seat."""
    return Draw(chance, {**GAME.names(rules), "seats": list(known.seats)}, likely(known, seat, rules))


ALTERNATIVES = ("plans",)  # the first that is legal counts: each is judged alone


def offered_as(key: str, order: Any, known: Any, seat: str) -> Any:
    """The order as its offer has it; None where it is of a kind that is not offered: wishes, preferences, messages."""
    if key == "discard":
        return [order] if isinstance(order, dict) else order
    if key != "plans":
        return order if order is True else None
    actions = [_plain(action) for action in order["actions"]]
    ability = _plain_use(order.get("ability"))
    if None in (ability, *actions) or _is_not_looked_at(known, seat, ability, actions):
        return None
    return {**({"ability": ability} if ability else {}), "actions": actions}


NEEDS = {"ride": ("move",), "mischief": ("move",), "seal": ("courtier", "card"), "patronage": ("courtier", "card"), "whisper": ("courtier", "of")}  # fmt: skip


def _plain_use(order: dict[str, Any] | None) -> dict[str, Any] | None:
    """The use of an ability with what it needs and nothing else, {} for none; None where it hangs on a wish."""
    if not order:
        return {}
    ability = RULES.courtiers[order["use"]].ability
    return None if ability == "purse" else {key: order[key] for key in ("use", *NEEDS.get(ability, ())) if key in order}


def _plain(action: dict[str, Any]) -> dict[str, Any] | None:
    """The action in the one way in which it is offered; None where it hangs on a wish or on a card that is drawn."""
    if action["do"] == "c":
        return (
            None if "two" in action or action.get("prefer", []) not in ([], ["any"]) else {"do": "c", "prefer": ["any"]}
        )
    if action["do"] == "b" and action.get("each"):
        return {"do": "b", "each": sorted(action["each"], key=lambda card: (card["courtier"], card["card"]))}
    if action["do"] == "b":
        cards = action.get("cards", [])
        if "drawn" in (action.get("courtier"), *cards):
            return None
        return {**action, "cards": [*cards[:1], *sorted(cards[1:], reverse=True)]}
    return action


def _is_not_looked_at(known: Any, seat: str, ability: dict[str, Any], actions: list[Any]) -> bool:
    """Whether the round ends before the second action, so that the engine takes whatever it is."""
    if known.phase != PLAY:
        return False
    turn, doing = Trial(RULES), Doing()
    table = kings_step(known, turn, seat)
    if len(actions) != 2:
        return ended(table, RULES)
    try:
        if not ended(table, RULES) and ability:
            table = use(table, turn, seat, ability, doing)
        return ended(table, RULES) or ended(act(table, turn, seat, actions[0], doing), RULES)
    except Refused:
        return False

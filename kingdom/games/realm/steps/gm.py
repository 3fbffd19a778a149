"""The GM's own orders and messages, carried out before everything else in the order listed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kingdom.engine.dice import GM
from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders
from kingdom.games.kit import rulings
from kingdom.games.realm import effects
from kingdom.games.realm.hexmap import finds
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts, raw_consumption
from kingdom.games.realm.state import Hex, Kingdom, Modifier, Request, World, replace, with_kingdoms
from kingdom.games.realm.steps.events import gm_events
from kingdom.games.realm.steps.exploring.monsters import monsters
from kingdom.games.realm.steps.gm_kingdoms import add, give, hex_problem, kingdom_problem, rename, retire, take
from kingdom.games.realm.steps.shared import book, listed, orders_of, with_revealed, with_unrest
from kingdom.games.realm.types import Turn

if TYPE_CHECKING:
    from kingdom.games.realm.orders.rulings import GmGrant, GmReveal, GmSet, GmVoid

CAUSES = {
    "grant": "a GM's grant or fine",
    "set": "an account set by the GM",
    "reveal": "a hex revealed by the GM",
}
REFUSALS = {
    "gm_not_in_play": "There is no kingdom {kingdom} in play (GM orders); in play: {kingdoms}.",
    "gm_unknown_hex": "There is no hex {hex} on the map (GM orders); its labels run from {first} to {last}.",
    "gm_below_zero": "{account} is never below 0 (GM orders); set it to 0 or more.",
    "gm_stores_room": "The granaries of {kingdom} have room for {room} BP in all (GM orders); give stores no more.",
    "gm_void_nothing": "{kingdom} filed no order {named} (GM orders); name one that it filed: {filed}.",
    "gm_no_such_request": "{kingdom} has no open request {number}, it has {count} (GM orders); the oldest is 1. "
    "Your words go out all the same.",
    "gm_finished_already": "The campaign ends with this turn already (GM orders); leave the order out.",
    "gm_answer_to_all": "An answer goes to the kingdom that asked (GM orders); name it in `to`.",
}
_NO_SUCH_REQUEST = "gm_no_such_request"
NEVER_BELOW_0 = ("unrest", "stores", "consumption")


def gm_orders(world: World, turn: Turn) -> World:
    """Carry out the GM's orders, open this turn's requests, send the GM's messages and answers, then close old
    requests."""
    world = rulings.carried_out(world, turn, _ACTS)
    return _without_old_requests(_tell(_with_requests(world, turn), turn, turn.orders.get(GM, {})), turn)


def _grant(world: World, turn: Turn, order: GmGrant) -> World | Refusal:
    how = f"{order['by']:+}"
    return _moved(world, turn, order, order["grant"], "grant", lambda now: now + order["by"], how)


def _set(world: World, turn: Turn, order: GmSet) -> World | Refusal:
    return _moved(world, turn, order, order["set"], "set", lambda now: order["to"], f"set to {order['to']}")


def _moved(
    world: World,
    turn: Turn,
    order: GmGrant | GmSet,
    seat: str,
    word: str,
    value: Callable[[int], int],
    how: str,
) -> World | Refusal:
    """The world with one account of one kingdom moved; a derived account moves by a lasting modifier on the sheet."""
    account = order["account"]
    if refusal := kingdom_problem(world, seat):
        return refusal
    before = world.kingdoms[seat]
    if word == "set" and account in NEVER_BELOW_0 and value(0) < 0:
        return Refusal("gm_below_zero", {"account": account})
    room = effects.stores_room(before, turn.rules)
    if account == "stores" and value(before.stores) > room:
        return Refusal("gm_stores_room", {"kingdom": seat, "room": room})
    kingdom = _with_account(before, world.hexes, account, value, order["reason"], word, turn)
    book(turn, seat, kingdom, world.hexes, word, order["reason"])
    if account == "treasury" and kingdom.treasury != value(before.treasury):
        how += f", of which the treasury had {before.treasury - kingdom.treasury} (ruling consumption)"
    turn.tell(
        seat, "ruling", account=account, reason=order["reason"], text=f"The GM: {account} {how}: {order['reason']}."
    )
    return with_kingdoms(world, {seat: kingdom})


def _with_account(
    kingdom: Kingdom,
    hexes: dict[str, Hex],
    account: str,
    value: Callable[[int], int],
    reason: str,
    word: str,
    turn: Turn,
) -> Kingdom:
    if account == "unrest":
        unrest = value(kingdom.unrest)
        # the GM moves Unrest in an anarchy turn too; an Unrest that is set below the limit calls the anarchy off
        called_off = word == "set" and kingdom.anarchy == turn.number and unrest < turn.rules.anarchy.unrest
        if called_off:
            kingdom = replace(kingdom, anarchy=0)
        if kingdom.anarchy == turn.number:
            return replace(kingdom, unrest=max(0, unrest))
        return with_unrest(kingdom, unrest - kingdom.unrest, turn.number, turn.rules)
    if account == "stores":
        return replace(kingdom, stores=max(0, value(kingdom.stores)))
    if account == "treasury":  # a fine takes no more than there is; only `set` makes a debt
        least = value(kingdom.treasury) if word == "set" else min(0, kingdom.treasury)
        return replace(kingdom, treasury=max(least, value(kingdom.treasury)))
    now = (
        raw_consumption(kingdom, hexes, turn.rules)
        if account == "consumption"
        else accounts(kingdom, hexes, turn.rules)[account]
    )
    modifier = Modifier(account, value(now) - now, word, reason, lasting=True)
    return replace(kingdom, modifiers=kingdom.modifiers + (modifier,)) if modifier.by else kingdom


def _reveal(world: World, turn: Turn, order: GmReveal) -> World | Refusal:
    label, to = order["reveal"], order["to"]
    refusal = hex_problem(world, label) or (None if to == "all" else kingdom_problem(world, to))
    if refusal:
        return refusal
    seats = [to] if to != "all" else [seat for seat, kingdom in world.kingdoms.items() if not kingdom.destroyed]
    return with_kingdoms(world, {seat: _revealed(seat, label, order["reason"], world, turn) for seat in seats})


def _revealed(seat: str, label: str, reason: str, world: World, turn: Turn) -> Kingdom:
    kingdom = world.kingdoms[seat]
    found = ", ".join(finds(world.hexes[label], turn.rules)) or "nothing hidden"
    turn.tell(seat, "ruling", hex=label, reason=reason, text=f"The GM reveals {label}, {found}: {reason}.")
    if label in kingdom.revealed:
        return kingdom
    return book(turn, seat, with_revealed(kingdom, label), world.hexes, "reveal", f"{label}: {reason}")


def _void(world: World, turn: Turn, order: GmVoid) -> World | Refusal:
    """Drop one order of a kingdom; the later ones of a list keep their numbers."""
    seat, dropped = order["void"]["kingdom"], order["void"]["order"]
    refusal = kingdom_problem(world, seat)
    shorter = None if refusal else without(turn.orders.get(seat, {}), dropped)
    if shorter is None:
        filed = ", ".join(turn.orders.get(seat, {})) or "none"
        return refusal or Refusal("gm_void_nothing", {"kingdom": seat, "named": dropped, "filed": filed})
    turn.orders = {**turn.orders, seat: shorter}
    turn.tell(seat, "voided", order=dropped, reason=order["reason"], text=f"The GM voids {dropped}: {order['reason']}.")
    return world


def without(orders: Orders, path: str) -> Orders | None:
    """The orders without the one at that path (`build[0]`, `edicts.holiday`, `capital`); None where there is none."""
    key, dot, word = path.partition(".")
    if not dot:
        return rulings.without(orders, path)
    inside = orders.get(key)
    if not isinstance(inside, dict) or word not in inside:
        return None
    return {**orders, key: {other: each for other, each in inside.items() if other != word}}


def _with_requests(world: World, turn: Turn) -> World:
    """Add this turn's requests after the older ones; each stays open until the GM answers it."""
    changed = {}
    for seat, kingdom in world.kingdoms.items():
        texts = [] if kingdom.destroyed else listed(orders_of(turn, seat, kingdom).get("requests"), "requests")
        if texts:
            more = tuple(Request(turn.number, text) for _, text in texts)
            changed[seat] = replace(kingdom, requests=kingdom.requests + more)
    return with_kingdoms(world, changed)


def _tell(world: World, turn: Turn, given: Orders) -> World:
    """Send the GM's messages and close the requests that they answer. Request numbers are those before any was
    answered. A message to a request that does not exist is sent all the same."""
    answered: dict[str, set[int]] = {}
    for path, order in listed(given.get("tell"), "tell"):
        to, number = order["to"], order.get("answers", 0)
        if refusal := tell_problem(world, to, number):
            turn.refuse_with(GM, path, refusal)
            if refusal.code == _NO_SUCH_REQUEST:  # the player took the request back; the words still go out
                turn.tell(to, "tell", text=order["text"], answers="")
            continue
        request = world.kingdoms[to].requests[number - 1].text if number else ""
        turn.tell(to, "tell", text=order["text"], answers=request)
        if number:
            answered.setdefault(to, set()).add(number)
    return with_kingdoms(world, {seat: _answered(world.kingdoms[seat], numbers) for seat, numbers in answered.items()})


def tell_problem(world: World, to: str, number: int) -> Refusal | None:
    """Why the GM can't send that message or answer."""
    if to == "all":
        return Refusal("gm_answer_to_all", {}) if number else None
    awaited = to in world.kingdoms and world.kingdoms[to].absent  # a kingdom that has not joined yet gets a report
    refusal = None if awaited else kingdom_problem(world, to)
    if refusal is None and number and not 1 <= number <= len(world.kingdoms[to].requests):
        return Refusal(_NO_SUCH_REQUEST, {"kingdom": to, "number": number, "count": len(world.kingdoms[to].requests)})
    return refusal


def _answered(kingdom: Kingdom, numbers: set[int]) -> Kingdom:
    left = tuple(request for number, request in enumerate(kingdom.requests, 1) if number not in numbers)
    return replace(kingdom, requests=left)


def closing_turn(request: Request, rules: Rules) -> int:
    """The turn whose GM step closes a request that nobody answered; 0 where it stays open. Ruling: requests."""
    turns = rules.requests.turns if rules.requests else 0
    return request.turn + turns if turns else 0


def _without_old_requests(world: World, turn: Turn) -> World:
    """Close the requests that waited too long, and tell their players and the GM. Ruling: requests."""
    changed = {}
    for seat, kingdom in world.kingdoms.items():
        old = [request for request in kingdom.requests if 0 < closing_turn(request, turn.rules) <= turn.number]
        for request in old:
            waited, asked = turn.number - request.turn, " ".join(request.text.split())
            turns = f"{waited} turn{'s' if waited > 1 else ''}"
            told = f'of turn {request.turn} was not answered in {turns} and is closed (ruling requests): "{asked}"'
            turn.tell(seat, "news", text=f"Your request to the GM {told} You can ask again.")
            turn.tell(GM, "news", text=f"The request of {kingdom.name} {told}")
        if old:
            changed[seat] = replace(kingdom, requests=tuple(one for one in kingdom.requests if one not in old))
    return with_kingdoms(world, changed)


_ACTS: dict[str, Callable[[World, Turn, Any], World | Refusal]] = {  # Any: each takes its own kind of ruling
    "grant": _grant, "set": _set, "reveal": _reveal, "void": _void,
    "give": give, "take": take, "rename": rename, "add": add, "retire": retire,
    "monsters": monsters,
    "event": gm_events.event, "end": gm_events.end, "ban": gm_events.ban, "allow": gm_events.allow, "chance": gm_events.chance,
    "finish": rulings.finish("gm_finished_already", lambda turn, text, reason: turn.tell("all", "ruling", reason=reason, text=text)),
}  # fmt: skip

"""The orders `doors`, whose trade a kingdom lets in from now on, and `smuggle`, goods past the customs of a neighbour instead of the own
trade there; and the question after a raid, whether the doors close to who raided a route of its own. Edict step 7; rulings: trade, smuggling, raid.

What smugglers bring is thrown for in the Income phase (steps/income.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders
from kingdom.games.realm.orders.kind import Each, Entries, Now, held, named, played
from kingdom.games.realm.orders.words import a_kingdom
from kingdom.games.realm.state import Kingdom, Pending, Route, World, counted, replace, with_kingdoms
from kingdom.games.realm.steps.land.ground import borders_of, hexes_beside
from kingdom.games.realm.steps.shared import word_settled
from kingdom.games.realm.steps.trade.open_routes import Raider, parties_to, partners
from kingdom.games.realm.types import Turn
from kingdom.games.realm.visibility.known import others
from kingdom.orders import kit
from kingdom.orders.kit import Candidate
from kingdom.orders.schema import ListOf, MapOf, Word

OPEN, CLOSED = "open", "closed"

Door = tuple[str, str]  # a seat, and whether its trade is let in


class Smuggle(Each[str]):
    """`smuggle: borderia`."""

    key, name, step, section = "smuggle", "smuggling", "doors", "special"
    shape = ListOf("where to smuggle", a_kingdom("a kingdom"), short="words")
    refusals = {
        "smuggle_off": "Neighbours do not trade in this campaign, so nothing is smuggled across borders "
        "(ruling smuggling); leave the order out.",
        "smuggle_no_border": "{to} has no border with this kingdom (ruling smuggling: across a shared border only); "
        "name one that touches yours (now: {touching}).",
    }

    def candidates(self, now: Now) -> Iterator[Candidate]:
        touching = borders_of(now.state, now.seat)
        for other in sorted(other for other in touching if self.objection(now, other) is None):
            along = hexes_beside(now.state, now.seat, other)
            yield Candidate(f"smuggle {other}", other, f"Smuggle goods to {named(other, now.state)}",
                            uses={f"smuggle {other}": 1}, needs=[[held(label) for label in along]])  # fmt: skip

    def objection(self, now: Now, order: str) -> kit.Objection:
        rules = now.rules
        if rules.trade is None or rules.smuggling is None:
            return Refusal("doors_off", {})
        if not rules.trade.between_neighbours:
            return Refusal("smuggle_off", {})
        touching = borders_of(now.state, now.seat)
        if order not in touching:
            return Refusal("smuggle_no_border", {"to": order, "touching": ", ".join(sorted(touching)) or "none"})
        return None

    def carry_out(self, now: Now, order: str, turn: Turn) -> World:
        return now.state  # the smugglers are on their way

    def smugglers(self, world: World, turn: Turn) -> set[tuple[str, str]]:
        """Return (who smuggles, where to), for every order that can be carried out with the borders as they are now."""
        moments = [Now(world, seat, turn.rules) for seat, kingdom in world.kingdoms.items() if not kingdom.destroyed]
        return {
            (now.seat, other)
            for now in moments
            for _, other in self.ordered(now, turn)
            if self.objection(now, other) is None
        }

    def deals_with(self, order: str) -> Sequence[str]:
        return (order,)

    def left_out(self, now: Now, orders: Sequence[str]) -> Iterator[str]:
        yield "What smugglers bring home (ruling smuggling)."


SMUGGLE = Smuggle()


class Doors(Entries[str]):
    """`doors: {borderia: closed}`."""

    key, name, step, section = "doors", "doors", "doors", "special"
    shape = MapOf("which kingdoms' trade may come in", a_kingdom("a kingdom"), Word("its door", (OPEN, CLOSED)))
    refusals = {
        "doors_off": "Trade is not among the rules that this campaign plays by (Trade Route); leave the order out.",
        "doors_to": "There is no other kingdom {to} in play (Trade Route); name one that is.",
    }

    def candidates(self, now: Now) -> Iterator[Candidate]:
        """Yield both doors of each other kingdom: first those beside the own land, and of a kingdom's doors first the one that is new."""
        touching, shut = borders_of(now.state, now.seat), now.state.kingdoms[now.seat].doors
        for other in sorted(now.state.kingdoms, key=lambda other: other not in touching):
            for door in (OPEN, CLOSED) if other in shut else (CLOSED, OPEN):
                text = f"{'Open' if door == OPEN else 'Close'} the doors to the trade of {named(other, now.state)}"
                yield Candidate(f"doors {other} {door}", (other, door), text, uses={f"door {other}": 1})

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield what is new, for the kingdoms that the seat knows."""
        known, shut = others(now.before or now.state, now.seat, now.rules), now.state.kingdoms[now.seat].doors
        for candidate in self.candidates(now):
            other, door = candidate.order
            if other in known and (other in shut) == (door == OPEN):
                yield candidate._replace(text=candidate.text + " again" * (door == OPEN))

    def objection(self, now: Now, order: Door) -> kit.Objection:
        to, _ = order
        if now.rules.trade is None:
            return Refusal("doors_off", {})
        if to == now.seat or to not in now.state.kingdoms or now.state.kingdoms[to].destroyed:
            return Refusal("doors_to", {"to": to})
        return None

    def carry_out(self, now: Now, order: Door, turn: Turn) -> World:
        kingdom, (to, door) = now.state.kingdoms[now.seat], order
        if kingdom.lets_in(to) == (door == OPEN):
            return now.state
        rest = tuple(other for other in kingdom.doors if other != to)
        kingdom = shut_out(kingdom, to) if door == CLOSED else replace(kingdom, doors=rest)
        if to in borders_of(now.state, now.seat) or to in partners(kingdom):
            how = "closes its doors to" if door == CLOSED else "opens its doors again to"
            turn.tell(to, "news", text=f"{kingdom.name} {how} your trade.")
        return with_kingdoms(now.state, {now.seat: kingdom})

    def shows(self, now: Now) -> int:
        """Return how many of them a text form shows: one, where neighbours trade and there are any."""
        trade = now.rules.trade
        return int(trade is not None and trade.between_neighbours and bool(borders_of(now.state, now.seat)))

    def deals_with(self, order: Door) -> Sequence[str]:
        return order[:1]

    def against(self, now: Now, foes: Collection[str]) -> dict[str, str]:
        """Shut out the foes, and let in who is none any more; what was shut after a raid is another question."""
        kingdom, foes = now.state.kingdoms[now.seat], foes if now.rules.trade else ()
        new = {by: CLOSED for by in sorted(foes) if kingdom.lets_in(by) and not now.state.kingdoms[by].destroyed}
        raided = self.key in kingdom.counted
        return new | {other: OPEN for other in kingdom.doors if other not in foes and not raided}

    def lets_in(self, kingdom: Kingdom, other: str, orders: Orders) -> bool:
        """Whether the kingdom lets the trade of another in, behind its orders."""
        filed = dict(order for _, order in self.filed(orders))
        return filed.get(other, OPEN if kingdom.lets_in(other) else CLOSED) == OPEN


DOORS = Doors()


def doors(world: World, turn: Turn) -> World:
    """Edict step 7: which smugglers find no border to cross, and whose trade is let in from now on."""
    return played(world, turn, SMUGGLE, DOORS)


def stopped_by_doors(turns: str) -> str:
    """Say how long a route has brought nothing, since one of its two kingdoms does not let the other's trade in."""
    return f"closed doors have stopped its trade for {turns}"


# --- the question after a raid ----------------------------------------------------------------------------------------


def asked_about_doors(
    founder: str, key: str, route: Route, raiders: tuple[Raider, ...], kingdoms: Mapping[str, Kingdom], turn: Turn
) -> dict[str, Kingdom]:
    """Who has to do with the route learns which of the others raids it, and is asked whether its doors close to that one."""
    default = turn.rules.raid.own_doors if turn.rules.raid else None
    changed: dict[str, Kingdom] = {}
    if default is None:
        return changed
    parties = parties_to(founder, route)
    for raider in dict.fromkeys(one.seat for one in raiders if one.seat in parties):
        for seat in parties:
            host = changed.get(seat, kingdoms[seat])
            asked = not host.lets_in(raider) or any(pending.about == raider for pending in host.pending)
            if seat == raider or asked:
                continue
            host, question = counted(host, DOORS.key)
            names = f"{key} of {kingdoms[founder].name} with {kingdoms[route.to].name}"
            text = f"{kingdoms[raider].name} raids {names}, a route of its own: do your doors close to its trade?"
            pending = Pending(question, text, (CLOSED, OPEN), default, about=raider)
            changed[seat] = replace(host, pending=(*host.pending, pending))
    return changed


def close_doors(world: World, turn: Turn) -> World:
    """The start of a turn: doors close to who raided a route of its own, unless the answer is another."""
    changed: dict[str, Kingdom] = {}
    for seat, kingdom in world.kingdoms.items():
        asked = turn.before.kingdoms[seat].pending if seat in turn.before.kingdoms and not kingdom.destroyed else ()
        for pending in asked:
            raider = pending.about
            # one alone is foreseen without others
            there = raider in world.kingdoms and not world.kingdoms[raider].destroyed
            closes = there and kingdom.lets_in(raider)
            if closes and word_settled(turn, seat, pending.key, pending.default) == CLOSED:
                kingdom = changed[seat] = shut_out(kingdom, raider)
                own = f"Your doors are closed to the trade of {world.kingdoms[raider].name}, which raided a route of its own"
                theirs = f"{kingdom.name} closes its doors to your trade, since you raided a route of your own"
                turn.tell(seat, "news", text=f"{own} (ruling raid).")
                turn.tell(raider, "news", text=f"{theirs} (ruling raid).")
    return with_kingdoms(world, changed)


def shut_out(kingdom: Kingdom, other: str) -> Kingdom:
    """The kingdom that lets the trade of that one in no more."""
    return replace(kingdom, doors=tuple(sorted({*kingdom.doors, other})))

"""The order `doors`: whose trade a kingdom lets in from now on. Edict step 7; ruling: trade."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.orders.kind import Entries, Now, named
from kingdom.games.realm.orders.words import a_kingdom
from kingdom.games.realm.state import World, replace, with_kingdoms
from kingdom.games.realm.steps.land.ground import borders_of
from kingdom.games.realm.steps.trade.open_routes import partners
from kingdom.games.realm.types import Turn
from kingdom.games.realm.visibility.known import others
from kingdom.orders import kit
from kingdom.orders.kit import Candidate
from kingdom.orders.schema import MapOf, Word

OPEN, CLOSED = "open", "closed"

Door = tuple[str, str]  # a seat, and whether its trade is let in


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
        if (to in kingdom.doors) == (door == CLOSED):
            return now.state
        rest = tuple(other for other in kingdom.doors if other != to)
        kingdom = replace(kingdom, doors=tuple(sorted((*rest, to))) if door == CLOSED else rest)
        if to in borders_of(now.state, now.seat) or to in partners(kingdom):
            how = "closes its doors to" if door == CLOSED else "opens its doors again to"
            turn.tell(to, "news", text=f"{kingdom.name} {how} your trade.")
        return with_kingdoms(now.state, {now.seat: kingdom})

    def shows(self, now: Now) -> int:
        """Return how many doors a text form shows: one, where neighbours trade and there are any."""
        trade = now.rules.trade
        return int(trade is not None and trade.between_neighbours and bool(borders_of(now.state, now.seat)))

    def deals_with(self, order: Door) -> Sequence[str]:
        return order[:1]


DOORS = Doors()

"""Letters of bots: proposals that fit their orders, complaints about wrongs, and answers to proposals and questions, yes, no or
terms, that fit their orders of that turn. A bot does not repeat a letter within the turns whose letters it reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kingdom.engine.game import Letter
from kingdom.games.realm.bots.agenda import Agenda
from kingdom.games.realm.bots.marshal import attacked, hosts, strength
from kingdom.games.realm.bots.reading import asks, labels_in, names, proposal_of
from kingdom.games.realm.bots.worth import Weights
from kingdom.games.realm.bots.wrongs import HELPERS, helpers, knows_both, stands_by
from kingdom.games.realm.orders.customs import DOORS
from kingdom.games.realm.orders.kind import named
from kingdom.games.realm.state import Kingdom
from kingdom.games.realm.steps.land.ground import borders_of
from kingdom.games.realm.steps.war.movement import ATTACK, MONSTERS

EVERY = 8  # turns between two letters to neighbours on the same subject, peace or passage

Message = dict[str, str]


class Writer:
    """A bot writing the letters of a turn. orders: its other orders of the turn; letters: those of the last turns, including
    its own."""

    def __init__(self, agenda: Agenda, weights: Weights, orders: Mapping[str, Any], letters: Sequence[Letter]):
        self.known, self.seat, self.rules, self.kingdom = agenda.known, agenda.seat, agenda.rules, agenda.kingdom
        self.book, self.weights, self.orders, self.letters = agenda.book, weights, orders, letters
        self.attacked = _attacked(orders, self.kingdom)
        self.said = {(letter.to, letter.text) for letter in letters if letter.sender == self.seat}

    def written(self) -> list[Message]:
        """Return the messages as orders hold them: an answer to each sender who proposed or asked something, and its own letters."""
        mail = self.answers()
        answered = {message["to"] for message in mail}
        more = dict.fromkeys((*self.of_wrongs(), *self.proposed(answered)))
        told = self.said | {(message["to"], message["text"]) for message in mail}
        return mail + [{"to": to, "text": text} for to, text in more if not _is_told(to, text, told)]

    # --- answers

    def answers(self) -> list[Message]:
        """Return an answer to each who proposed or asked something in the last turn."""
        asked = {
            letter.sender: letter.text
            for letter in self.letters
            if letter.turn >= self.known.turn and letter.sender != self.seat and letter.sender in self.known.kingdoms
            if proposal_of(letter.text) or asks(letter.text)
        }
        return [{"to": to, "text": said} for to, text in asked.items() if (said := self.answer(to, text))]

    def answer(self, to: str, text: str) -> str:
        """Return the answer to a letter that proposes or asks something, "" for none."""
        to_proposal = {"peace": self._to_peace, "passage": self._to_passage, "trade": self._to_trade}
        if what := proposal_of(text):
            return to_proposal[what](to)
        if names(text, "help", "join", "aid", "ally", "alliance"):
            return self._to_help(to)
        if labels_in(text):
            return self.about_land(to, labels_in(text))
        if names(text, "attack", "war", "march", "armies", "army"):
            return self._of_armies(to)
        fallback = "Terms: ask us for peace, passage, trade, help against somebody, or about a hex by its number."
        return "" if (to, fallback) in self.said else fallback

    def _to_trade(self, to: str) -> str:
        if not DOORS.lets_in(self.kingdom, to, self.orders):
            return f"No: our doors are closed to your trade. {self.price(to)}".strip()
        if not self.weights.trade:
            return "No: we live by what we have, and send no caravans."
        if _trades(self.kingdom, to, self.orders):
            return "Yes: there is a route between us, or a caravan on its way to one."
        cost = self.rules.trade_route.bp_per_turn if self.rules.trade_route else 0
        return f"Terms: your caravan is let in if you send it and pay its {cost} BP a turn. We send none now."

    def _to_peace(self, to: str) -> str:
        if self.price(to):
            return f"Terms: {self.price(to)}"
        if to in self.attacked:
            return "No: our armies are on the march against you."
        if self.weights.war and to not in self.book.promised:
            return "Terms: as long as your armies are as strong as ours, they meet no attack."
        return "Yes: no army of ours attacks you in this turn, and none is sent against you."

    def _of_armies(self, to: str) -> str:
        """An answer to a question about armies: `Will you attack us?`, `Do your armies march against us?`."""
        if self.price(to):
            return f"Terms: {self.price(to)}"
        if to in self.attacked:
            return "Yes: our armies are on the march against you."
        return "No: no army of ours attacks you in this turn, and none is sent against you."

    def price(self, to: str) -> str:
        """Return the price of peace for a kingdom that took land or attacks, in words; "" for none."""
        own = sorted(label for label, by in self.book.mine.items() if by == to)
        here = sorted(label for label, seats in attacked(self.kingdom).items() if to in seats)
        if own:
            return f"give up {' and '.join(own)}, which you took from us (`abandon`), and nothing stands between us."
        if here:
            return f"your armies attack us at {' and '.join(here)}. Send them home first."
        if to in self.book.wrongs:
            return "give up the land that you took from others by arms (`abandon`), and nothing stands between us."
        return ""

    def _to_passage(self, to: str) -> str:
        if self.price(to):
            return f"No: {self.price(to)}"
        near = sum(host.acr for host in hosts(self.known, self.seat, self.rules) if host.seat == to)
        if near > strength(self.kingdom.armies, self.rules):
            return "Terms: your caravans may pass; your armies near our land are stronger than ours, so let them turn back first."
        return "Yes: pass through, and attack nothing on your way."

    def _to_help(self, to: str) -> str:
        by = self.book.joined.get(to) or self.book.near.get(to)
        if by and (to in self.book.joined or self.may_join(to, by)):
            return f"Yes: we stand by you against {named(by, self.known)} until your land is back."
        return "No: we join no war, but for a neighbour who lost three hexes to somebody's armies within twelve turns, near our land."

    def about_land(self, to: str, labels: Sequence[str]) -> str:
        """Return the answer to a question about hexes: the bot sells none, and wants stolen ones back."""
        if any(self.book.mine.get(label) == to for label in labels):
            return f"Terms: {self.price(to)}"
        own = [label for label in labels if label in self.kingdom.hexes]
        return f"No: we keep {' and '.join(own)} at any price." if own else f"No: we do not hold {labels[0]}."

    # --- what it says unasked

    def of_wrongs(self) -> Iterator[tuple[str, str]]:
        """Yield (to, text) of letters about wrongs: to those who took its land, about broken promises, and about wars that it
        joins."""
        for by in sorted(set(self.book.mine.values())):
            yield by, f"Our land is ours: {self.price(by)}"
        for by in self.book.broken:
            for other in knows_both(self.known, self.seat, by):
                yield other, f"{named(by, self.known)} gave us its word not to attack us, and broke it."
        for victim, by in sorted(self.book.near.items()):
            if victim not in self.book.joined and self.may_join(victim, by):
                for other in (victim, *(other for other in knows_both(self.known, victim, by) if other != self.seat)):
                    yield other, stands_by(victim, by)

    def may_join(self, victim: str, by: str) -> bool:
        """Whether the bot has armies to send, and fewer than HELPERS have said that they join that war."""
        said = helpers(victim, by, self.letters)
        return len(said) < HELPERS and self.seat not in said and strength(self.kingdom.armies, self.rules) >= 1

    def proposed(self, answered: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield (to, text) of its own letters: it announces a caravan or a war, and now and then proposes an agreement to
        neighbours."""
        for order in self.orders.get("special", ()):
            if order["edict"] == "trade_route" and order["to"] not in answered:
                text = f"We send a caravan to {order['hex']} for a trade route between us. Will you let it in?"
                yield order["to"], text
        for other in sorted(self.attacked - set(answered)):
            if not self.price(other):
                yield other, "Our armies march against you. Give us land at the border, and they will go home."
        due = {0: "peace", EVERY // 2: "passage"}.get(self.known.turn % EVERY, "")
        for other in sorted(borders_of(self.known, self.seat)) if due and self.weights.trade else ():
            if other not in self.attacked and other not in answered and not self.is_wary_of(other):
                yield other, TEXTS[due]

    def is_wary_of(self, other: str) -> bool:
        """Whether that kingdom took land lately, or has an army in sight near the bot's land."""
        took = any(taking.by == other for taking in self.kingdom.takings.values()) or bool(self.price(other))
        return took or any(host.seat == other for host in hosts(self.known, self.seat, self.rules))


def _is_told(to: str, text: str, told: Iterable[tuple[str, str]]) -> bool:
    """Whether `to` was already told this text, or the same text after other first words (`Terms: give up 0403`)."""
    body = text.partition(": ")[2] or text
    return any(other == to and before.endswith(body) for other, before in told)


TEXTS = {
    "peace": "Our lands touch now. We propose peace: no army of ours attacks you, and none of yours attacks us. Do you agree?",
    "passage": "May our caravans and armies have passage through your land, as yours may through ours?",
}


def _attacked(orders: Mapping[str, Any], kingdom: Kingdom) -> set[str]:
    """Return the seats that armies are sent against this turn, or still attack by an earlier order."""
    told = {order["army"] for order in orders.get("armies", ()) if "then" in order}
    standing = {army.target for name, army in kingdom.armies.items() if army.deed == ATTACK and name not in told}
    sent = {order.get("target", "") for order in orders.get("armies", ())}
    return (sent | standing) - {"", MONSTERS}


def _trades(kingdom: Kingdom, to: str, orders: Mapping[str, Any]) -> bool:
    """Whether a route ties the two kingdoms, or a caravan is on its way for one."""
    sent = any(order["edict"] == "trade_route" and order["to"] == to for order in orders.get("special", ()))
    let_in = any(
        key.startswith("trade_route") and answer == "accept" for key, answer in orders.get("answers", {}).items()
    )
    tied = any(route.to == to for route in kingdom.routes.values())
    return sent or let_in or tied or any(guest.by == to for guest in kingdom.guests.values())

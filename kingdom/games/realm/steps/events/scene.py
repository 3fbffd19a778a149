"""One event as it acts on one kingdom: its dice, what it moves and books, its answer and its checks.

effects.py carries out the outcomes of the tables. Rulings: event_timing, event_lasting, event_answers, check, affordable (a
loss stops at 0), anarchy (no change of Unrest), secondary_territory (checks about a cut-off hex).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from kingdom.games.realm import effects
from kingdom.games.realm.rules import event_tables as tables
from kingdom.games.realm.rules.building_tables import PlagueBonus
from kingdom.games.realm.rules.event_tables import EventKind
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import SECONDARY, in_force
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Event, Hex, Kingdom, Modifier, Pending, World, in_service, replace
from kingdom.games.realm.steps.events.lasting import changes_end, most_unrest, with_change
from kingdom.games.realm.steps.events.words import demanded, titled
from kingdom.games.realm.steps.land.losing import extra_unrest
from kingdom.games.realm.steps.shared import Check, affordable, attempt, book, in_anarchy, settled, with_unrest
from kingdom.games.realm.types import Turn

Account = TypeVar("Account", bound=str)  # a closed list of accounts, or any


class Scene(Struct, frozen=True):
    """An event at work. before: the kingdom as the event found it. land: label -> hex, the hexes that events changed in
    this step; they replace the world's, and every change is written there. They move no account. about: how its rolls
    are named."""

    seat: str
    kingdom: Kingdom
    world: World
    turn: Turn
    key: str
    event: Event
    before: Kingdom
    land: dict[str, Hex]

    @property
    def kind(self) -> EventKind:
        """The event's kind in the tables."""
        return self.turn.rules.event_kinds[self.event.kind]

    @property
    def about(self) -> str:
        """The name of its checks; the names of its other rolls begin with it."""
        return f"{self.event.kind}-{self.event.hex}" if self.event.hex else self.event.kind

    @property
    def title(self) -> str:
        """The event with its place, for a person."""
        return titled(self.event, self.turn.rules)

    def hex(self, label: str) -> Hex | None:
        """The hex as it is now, None for a label off the map."""
        return self.land.get(label) or self.world.hexes.get(label)

    def roll(self, what: str, sides: int) -> int | None:
        """Roll the kingdom's own die; None if the turn is only foreseen."""
        return self.turn.roll(self.seat, f"{self.about}-{what}", sides)

    def exploding(self, what: str, sides: int) -> int | None:
        """Roll a die whose highest face is added and rolled again."""
        total = 0
        while True:
            face = self.roll(what, sides)
            if face is None:
                return None
            total += face
            if face < sides or sides < 2:
                return total

    def told(self, text: str) -> Scene:
        """Tell the kingdom."""
        self.turn.tell(self.seat, "news", event=self.key, text=f"{self.title}: {text}.")
        return self

    def booked(self, kingdom: Kingdom, detail: str) -> Scene:
        """The scene with this kingdom; the difference is booked under the event."""
        if kingdom is self.kingdom:
            return self
        book(self.turn, self.seat, kingdom, self.world.hexes, self.event.kind, detail)
        return replace(self, kingdom=kingdom)

    def fact(self, **facts: int | str) -> Scene:
        """The scene with these facts added to the event."""
        return replace(self, event=replace(self.event, facts={**self.event.facts, **facts}))

    # --- accounts

    def moved(self, by: Mapping[Account, int], detail: str) -> Scene:
        """Move accounts: BP and Unrest once, all others by modifiers under the event's name."""
        kingdom, instead = self.kingdom, 0
        for account, points in by.items():
            if account == "treasury":
                least = min(0, kingdom.treasury)
                kingdom = replace(kingdom, treasury=max(least, kingdom.treasury + points))
            elif account == "unrest":
                kingdom = self._with_unrest(kingdom, points)
            elif changes_end(self.turn.rules):
                kingdom, unrest = with_change(kingdom, self.modifier(account, points), self.kind, self.turn)
                instead = max(instead, unrest)
            else:
                modifier = self.modifier(account, points, lasting=True)
                name = (modifier.event, modifier.account, modifier.text)
                same = [
                    each for each in kingdom.modifiers if each.lasting and (each.event, each.account, each.text) == name
                ]
                rest = tuple(each for each in kingdom.modifiers if each not in same)
                modifier = replace(modifier, by=modifier.by + sum(each.by for each in same))
                kingdom = replace(kingdom, modifiers=rest + ((modifier,) if modifier.by else ()))
        if instead:
            kingdom = self._with_unrest(kingdom, instead)
            detail += ", Unrest in place of what it may take no more (ruling event_lasting)"
        return self.booked(kingdom, f"{self.title}: {detail}")

    def _with_unrest(self, kingdom: Kingdom, by: int) -> Kingdom:
        """The kingdom with its Unrest changed. From its second turn an ongoing event adds at most what the ruling
        event_going_on allows a turn."""
        most = most_unrest(self.event, self.turn.number, self.turn.rules)
        if by > 0 and most:
            by = max(0, min(by, most - (kingdom.unrest - self.before.unrest)))
        return with_unrest(kingdom, by, self.turn.number, self.turn.rules)

    def modifier(
        self, account: str, by: int, lasting: bool = False, ends: int = 0, hex: str = "", partner: str = ""
    ) -> Modifier:
        """A modifier of this event. A modifier of a settlement's own account ends with the settlement."""
        new = Modifier(account, by, self.event.kind, self.title, lasting, self.key, hex=hex, partner=partner, ends=ends)
        if account not in SECONDARY:
            return new
        text = f"{self.title} ({account})"
        return replace(new, account=SECONDARY[account], text=text, settlement=self.event.settlement, part=account)

    def passing(self, by: Mapping[Account, int], detail: str) -> Scene:
        """The scene with these points until the next Event phase."""
        new = tuple(self.modifier(account, points, hex=self.event.hex) for account, points in by.items())
        if not new:
            return self
        return self.booked(replace(self.kingdom, modifiers=self.kingdom.modifiers + new), f"{self.title}: {detail}")

    def points(self, account: str, die: int, explodes: bool = False) -> int | None:
        """Points of an account by a die; a die below 0 takes them off. In an anarchy turn Unrest does not move, so it
        is not rolled."""
        if account == "unrest" and in_anarchy(self.kingdom, self.turn):
            return None
        points = self.exploding(account, abs(die)) if explodes else self.roll(account, abs(die))
        return None if points is None else points if die > 0 else -points


# --- answers ----------------------------------------------------------------------------------------------------------


REFUSALS = {
    "event_answer_unaffordable": "{answer} costs {cost} BP and the treasury holds {treasury} (ruling affordable); {default} is "
    "taken instead. Keep {cost} BP for it.",
}
NOTHING, ADVENTURERS, CHECK, ATTEND, DECLINE, TEAR_DOWN = (
    "none",
    "adventurers",
    "check",
    "attend",
    "decline",
    "tear_down",
)


def questions(kingdom: Kingdom, rules: Rules) -> list[Pending]:
    """The questions to the kingdom about its standing events."""
    found = [question(key, event, rules) for key, event in kingdom.events.items() if event.kind in rules.event_kinds]
    return [each for each in found if each]


def question(key: str, event: Event, rules: Rules) -> Pending | None:
    """The question about one event, None if there is nothing to choose."""
    kind = rules.event_kinds[event.kind]
    if event.done:
        return None
    if any(isinstance(each, tables.PicksHost) for each in kind.set_up):
        text = f"{titled(event, rules)}: attend the feast for {event.facts['cost']} BP?"
        return Pending(key, text, (DECLINE, ATTEND), DECLINE)
    choices = [NOTHING]
    if event.facts.get("demand") == "tear_down" and not event.settlement:
        choices.append(TEAR_DOWN)
    if kind.on_request:
        choices.append(CHECK)
    figures: dict[str, tuple[int, ...]] = {}
    ruling = rules.event_answers
    if ruling and kind.adventurers and (ruling.again or "hired" not in event.facts) and _has_checks(kind):
        choices.append(ADVENTURERS)
        figures[ADVENTURERS] = tuple(sorted(map(int, ruling.bonus_by_bp)))
    if len(choices) == 1:
        return None
    return Pending(key, f"{titled(event, rules)}: {_asked(event, choices, rules)}?", tuple(choices), NOTHING, figures)


def _has_checks(kind: tables.EventKind) -> bool:
    threatens = (tables.ThreatenLots, tables.ThreatenHexes)
    return bool(kind.checks) or any(isinstance(each, threatens) for each in kind.always.do)


def _asked(event: Event, choices: list[str], rules: Rules) -> str:
    parts = []
    if "demand" in event.facts:
        parts.append(f"they demand that you {demanded(event).replace(':', '')}")
    if CHECK in choices:
        parts.append("quiet them by a check")
    if ADVENTURERS in choices:
        ruling, kind = in_force(rules.event_answers), rules.event_kinds[event.kind]
        several = 0 < ruling.checks < len(kind.checks) or (ruling.checks and not kind.checks)
        bonus, which = ruling.bonus_by_bp, " for one check" if several else ""
        parts.append(f"hire adventurers{which} ({', '.join(f'{by:+} for {bp} BP' for bp, by in bonus.items())})")
    return ", or ".join(parts) or "do it"


def answered(scene: Scene) -> tuple[str, int]:
    """(word, figure) of the valid answer to the event; the default if the kingdom was not asked or did not answer."""
    answer = settled(scene.turn, scene.seat, scene.key, NOTHING)
    return (answer, 0) if isinstance(answer, str) else next(iter(answer.items()))


def paid(scene: Scene) -> Scene:
    """The scene after paying for the answer. An answer that can't be paid is refused and counts for nothing."""
    word, figure = answered(scene)
    cost = {ADVENTURERS: figure, ATTEND: int(scene.event.facts.get("cost", 0))}.get(word, 0)
    if word == TEAR_DOWN:
        cost = scene.turn.rules.free_buildings.demolition_cost
    if not cost or in_anarchy(scene.kingdom, scene.turn):
        return scene
    if not affordable(scene.kingdom, cost):
        default = DECLINE if word == ATTEND else NOTHING
        facts = {"answer": word, "cost": cost, "treasury": scene.kingdom.treasury, "default": default}
        scene.turn.refuse(scene.seat, f"answers.{scene.key}", "event_answer_unaffordable", **facts)
        # from here on the orders hold the default answer
        orders = scene.turn.orders.get(scene.seat, {})
        answers = {**orders.get("answers", {}), scene.key: default}
        scene.turn.orders = {**scene.turn.orders, scene.seat: {**orders, "answers": answers}}
        return scene
    if word != ADVENTURERS:
        return scene
    kingdom = replace(scene.kingdom, treasury=scene.kingdom.treasury - cost)
    return scene.booked(kingdom, f"{scene.title}: adventurers hired (ruling event_answers)").fact(hired=cost)


def hired_bonus(scene: Scene) -> int:
    """The bonus of adventurers hired this turn to a check of the event."""
    word, figure = answered(scene)
    ruling = scene.turn.rules.event_answers
    return (
        ruling.bonus_by_bp.get(str(figure), 0)
        if ruling and word == ADVENTURERS and scene.event.facts.get("hired")
        else 0
    )


def helps(number: int, rules: Rules) -> bool:
    """Whether adventurers help in the check of that number; checks count from 0 in the order of helped_first. Ruling:
    event_answers."""
    most = rules.event_answers.checks if rules.event_answers else 0
    return number < most or not most


def helped_first(values: Mapping[str, int], checks: Sequence[str]) -> list[int]:
    """The order in which adventurers help in these checks: the check of the lowest attribute first."""
    return sorted(range(len(checks)), key=lambda number: values[checks[number]])


# --- checks -----------------------------------------------------------------------------------------------------------


LAW_AND_CRIME = {"law": 1, "crime": -1}  # whether it adds to a check or takes off


class Bonus(Struct, frozen=True):
    """A term of an event's check."""

    by: int
    what: str


def attempted(scene: Scene, attribute: str, about: str = "", label: str = "", helped: bool = True) -> Check:
    """Make a check of the event. about: the part of it that is checked, such as a lot, if not its whole hex; label: the
    hex that is checked; helped: hired adventurers help."""
    name = f"{scene.about}-{about.lower()}" if about and about != scene.event.hex else scene.about
    bonus = sum(each.by for each in bonuses(scene.event, scene.kingdom, scene.turn.rules))
    bonus += hired_bonus(scene) if helped else 0
    place = label or scene.event.hex
    unrest = extra_unrest(scene.kingdom, place) if place else 0
    return attempt(scene.turn, scene.seat, scene.kingdom, scene.world.hexes, attribute, name, bonus, unrest)


def failures(scene: Scene) -> int | None:
    """How many of its checks fail; None where the turn is only foreseen."""
    values = accounts(scene.kingdom, scene.world.hexes, scene.turn.rules)
    order = helped_first(values, scene.kind.checks)
    checks = [
        attempted(scene, attribute, helped=helps(order.index(number), scene.turn.rules))
        for number, attribute in enumerate(scene.kind.checks)
    ]
    return None if any(each.success is None for each in checks) else sum(not each.success for each in checks)


def bonuses(event: Event, kingdom: Kingdom, rules: Rules) -> list[Bonus]:
    """The bonuses in its checks, apart from the attribute, Unrest and adventurers."""
    kind = rules.event_kinds[event.kind]
    found = [Bonus(-_count(event, kingdom, kind.harder_by), "what makes it harder")]
    found.append(Bonus(_count(event, kingdom, kind.easier_by), "what makes it easier"))
    if kind.law_and_crime:
        found.append(Bonus(_law_and_crime(event.settlement, kingdom, rules), "Law and Crime of the settlement"))
    if kind.plague:
        here = [effect for _, hex, effect in effects.standing(kingdom, rules) if hex == event.hex]
        against = sum(each.stability for each in here if isinstance(each, PlagueBonus))
        found.append(Bonus(against, "what is built against plagues"))
    if kind.goes_on:
        found += [Bonus(each.by, each.text) for each in kingdom.modifiers if each.account == "continuing_event_checks"]
    return [each for each in found if each.by]


def _count(event: Event, kingdom: Kingdom, names: Sequence[str]) -> int:
    """How many of these stand in the event's hex and settlement, or in the whole kingdom if it strikes the whole
    kingdom. A damaged building does not count."""
    if not names:
        return 0
    towns = {name: each for name, each in kingdom.settlements.items() if not event.hex or each.hex == event.hex}
    built = [built for label, built in kingdom.hexes.items() if not event.hex or label == event.hex]
    count = sum(each.count(name) for each in built for name in names)
    for town, settlement in towns.items():
        damaged = kingdom.damaged.get(town, ())
        count += sum(each.id in names and each.lot not in damaged for each in in_service(settlement))
        count += len(kingdom.blocked.get(town, ())) if "squatter_lot" in names else 0
    return count + (sum(route.open for route in kingdom.routes.values()) if "trade_route" in names else 0)


def _law_and_crime(name: str, kingdom: Kingdom, rules: Rules) -> int:
    """The settlement's own Law less its Crime, from its buildings and from events there."""
    damaged, settlement = kingdom.damaged.get(name, ()), kingdom.settlements[name]
    kinds = [rules.buildings[each.id].settlement for each in in_service(settlement) if each.lot not in damaged]
    total: int = sum(sign * getattr(kind, word) for kind in kinds for word, sign in LAW_AND_CRIME.items())
    here = [each for each in kingdom.modifiers if each.settlement == name]
    return total + sum(LAW_AND_CRIME.get(each.part, 0) * each.by for each in here)

"""Wishes of the management phase: what is built, claimed and occupied, alone or as lists of which the first that is possible is done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kingdom.engine.offer import LIST
from kingdom.games.kings_pouch.orders import managing
from kingdom.games.kings_pouch.orders.managing import claim_cost, on_show, to_build, to_claim, to_occupy, unclaimed
from kingdom.games.kings_pouch.page.deeds import (
    ARMY,
    CLAIMED,
    GOLD,
    MANAGE,
    MARKERS,
    PRESTIGE,
    UNSURE,
    Button,
    Choice,
    Deed,
    button,
    discount,
    free,
    option,
    ranks,
)  # fmt: skip
from kingdom.games.kings_pouch.page.placing import all_effects
from kingdom.games.kings_pouch.report import counted_by, slots_text, table_text
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Marked, Purse, Table, replace
from kingdom.games.kings_pouch.steps import said
from kingdom.games.kings_pouch.steps.land import army_for, castles, connected, discounted, land, within_reach
from kingdom.games.kings_pouch.steps.rounds import value_of
from kingdom.orders.kit import Candidate
from kingdom.orders.kit.pages import slot

NEARER = "nearer"  # the fact that land may come nearer in the turn, as its distance leads over own land
TWINS = ("_1", "_2")  # what tells characters of one kind apart
_LONGEST = 5  # alternatives of a list that can be filled in; a longer one is a line of one's own
_CHOICES = ("First choice", "or else", "or then", "or at last", "or finally")


class Wishes:
    """The wishes of a seat, from what it knows. deeds: word -> deed, of each alternative."""

    def __init__(self, seen: Table, seat: str, rules: Rules):
        self.seen, self.seat, self.rules = seen, seat, rules
        self.lord = seen.lords[seat]
        self.effects = all_effects(self.lord, rules)
        self.deeds: dict[str, Deed] = {}
        self.offers: dict[str, list[Button]] = {"build": [], "claim": [], "occupy": []}
        self.options: dict[str, list[Choice]] = {"build": [], "claim": [], "occupy": []}
        self._build()
        self._claim()
        self._occupy()

    def of(self, action: str) -> list[Button]:
        """The buttons of an action, then its list to fill in."""
        options = self.options[action]
        return [*self.offers[action], *([self._list(action, options)] if options else [])]

    def _add(self, candidate: Candidate, more: str, deed: Deed, short: str, at: str = "") -> None:
        """An alternative: a button for it alone, and a choice in lists. short: the choice, as things stand."""
        action, (wanted,) = next(iter(candidate.order.items()))
        word = candidate.id.removeprefix(f"{action} ")
        self.deeds[candidate.id] = deed
        means = {"means": wanted} if action == "occupy" else {}
        self.options[action].append(option(word, short, **means))
        shown = button(managing.MANAGE, candidate, MANAGE, more=more, first=[candidate.id])
        self.offers[action].append({**shown, "at": at} if at else shown)

    def _list(self, action: str, options: list[Choice]) -> Button:
        count = min(len(options), _LONGEST)
        names = [f"choice{number}" for number in range(1, count + 1)]
        unsure = NEARER if action == "occupy" and self.rules.distance.via == "own" else UNSURE
        fields = ranks(names, _CHOICES, options, "nothing more", least=1)
        fields[0]["on_map"] = True
        return {
            "id": f"{action} list", "rank": MANAGE, "key": "manage", "how": LIST, "value": {action: [slot(name) for name in names]},
            "text": {"build": "Build", "claim": "Claim", "occupy": "Occupy"}[action] + " the first of a list that is possible", "fields": fields,
            "ranked": {"by": names, "of": {alternative["value"]: f"{action} {alternative['value']}" for alternative in options}, "unsure": unsure},
        }  # fmt: skip

    # --- prices

    def _most(self, does: str, action: str) -> int:
        return sum(effect.n for effect in self.effects if effect.does == does and effect.what == action)

    def _paid(self, action: str, coin: str, costs: Iterable[int], by: str = "") -> Deed:
        """What an action takes: one that is free where there is one, else its price. costs: by the counter `by`, or one alone."""
        levels = list(costs)
        cuts = range(self._most("discount", action) + 1)
        prices = {
            "|".join([*([str(level)] if by else []), str(cut)]): discounted(
                cost, action, Purse("", discount={action: cut}), self.rules
            )
            for level, cost in enumerate(levels)
            for cut in cuts
        }
        lost = {level: price * self.rules.donation.prestige for level, price in prices.items()}
        counters = [*([by] if by else []), discount(action)]
        paid = {
            "sized": [
                {"counter": coin, "by": counters, "costs": prices},
                {"counter": PRESTIGE, "by": counters, "costs": lost},
            ]
        }
        if not self._most("free", action):
            return paid
        once = {"takes": [f"a free action: {action}"]} if self.rules.free_action.per == "round" else {}
        return {"first": [{"costs": {free(action): 1}, **once}, paid]}

    # --- buildings

    def _build(self) -> None:
        seen, rules = self.seen, self.rules
        own = {rules.buildings[building].name for building in self.lord.buildings}
        if seen.round > rules.rounds.building or self.lord.site:
            return
        for card in on_show(seen):
            rule = rules.buildings[card]
            if rule.name in own:
                continue
            more = f"{rule.prestige} prestige at the end; {'; '.join(slots_text(rule))}"
            deed = {"takes": ["the building of this round"], **self._paid("construct", GOLD, [rule.cost])}
            self._add(
                to_build(card, rules),
                more,
                deed,
                f"{rule.name} ({rule.colour}): {rule.cost} gold",
            )

    # --- characters

    def _claim(self) -> None:
        seen, rules = self.seen, self.rules
        first = claim_cost(seen, self.seat, rules)
        price = self._paid(
            "claim", GOLD, [first + rules.claim.per_marker * more for more in range(self.lord.markers + 1)], CLAIMED
        )
        free_characters = unclaimed(seen)
        for who in free_characters:
            character = rules.characters[who]
            worth = self._worth(who)
            more = f"{counted_by(character.by)}, {table_text(character.table)}"
            deed = {
                "costs": {MARKERS: 1},
                "takes": [f"the {character.name}"],
                "all": ["price of a character", {"adds": {CLAIMED: 1}}],
            }
            self._add(
                to_claim(who, rules),
                f"now {worth} prestige; {more}",
                deed,
                f"{character.name}: now {worth} prestige",
            )
        self.deeds["price of a character"] = price
        for word in dict.fromkeys(who[:-2] for who in free_characters if who[-2:] in TWINS):
            self.deeds[f"claim {word}"] = {"first": [f"claim {who}" for who in free_characters if who[:-2] == word]}
            self.options["claim"].append(option(word, f"{said(word).capitalize()}, either"))

    def _worth(self, who: str) -> int:
        """What a marker there would bring if the next council were now."""
        seen = self.seen
        then = replace(
            seen,
            councils=min(seen.councils + 1, len(self.rules.council.rounds)),
            claimed={**seen.claimed, who: Marked(self.seat)},
        )
        return value_of(then, self.seat, who, self.rules)

    # --- territories

    def _occupy(self) -> None:
        seen, seat, rules = self.seen, self.seat, self.rules
        homes, mine = castles(seen), connected(seen, seat, rules)
        near = within_reach(seen, seat, rules) if rules.distance.via == "own" else list(land(rules, len(seen.lords)))
        for place in near:
            held = seen.territories.get(place)
            owner = homes.get(place) or (held.owner if held else "")
            if owner == seat or owner in self.lord.attacked and place in homes:
                continue
            army = army_for(seen, seat, place, rules)
            beside = [
                other for other in land(rules, len(seen.lords))[place] if other not in homes or homes[other] == seat
            ]
            deed = {"needs": [beside], **self._paid("occupy", ARMY, [army])}
            if place in homes:
                gain, whose = rules.castle_attack.prestige, f"the castle of {owner}"
                deed |= {"takes": [whose], **({"least": {MARKERS: 1}} if rules.castle_attack.needs_marker else {})}
            else:
                gain, whose = (rules.occupy.taken, f"from {owner}") if held else (rules.occupy.empty, "empty")
                deed |= {
                    "takes": [said(place)],
                    "costs": {MARKERS: 1},
                    "gives": [place, *self._rejoined(place, mine)],
                }
            deed["adds"] = {PRESTIGE: gain}
            self._target(place, owner if place in homes else "", whose, army, gain, deed)

    def _target(self, place: str, castle: str, whose: str, army: int, gain: int, deed: Deed) -> None:
        name, candidate = said(place), to_occupy(self.seen, place)
        if castle:
            self._add(candidate, f"{name}; {gain} prestige", deed, f"{whose}: {army} army", name)
        else:
            self._add(candidate, f"{whose}; {gain} prestige", deed, f"{name}, {whose}: {army} army", name)

    def _rejoined(self, place: str, mine: set[str]) -> Iterator[str]:
        """Own land that is cut off now, and connected again with that territory."""
        near, seen, edge = land(self.rules, len(self.seen.lords)), {place}, [place]
        while edge:
            for other in near[edge.pop()]:
                held = self.seen.territories.get(other)
                if other not in seen and other not in mine and held and held.owner == self.seat:
                    seen.add(other)
                    edge.append(other)
                    yield other


def held(seen: Table, seat: str, rules: Rules) -> list[str]:
    """The facts of land that is connected, each by its territory, and whether distances may change."""
    return [
        *sorted(connected(seen, seat, rules)),
        *([NEARER] if rules.distance.via == "own" else []),
    ]

"""What a plan may be made of as the table lies: an ability, if any, and two actions; and which of them can follow which.

Each action is listed in one way of writing it: cards behind the open one from the highest down. Not listed, though it may be
ordered: what is laid of a card that an ability has yet to draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, groupby, product
from typing import Any, NamedTuple, TypeAlias

from kingdom.games.royal_progress import words
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Table, figure, known_cards, suit
from kingdom.games.royal_progress.steps import Refused, Trial, ended, named
from kingdom.games.royal_progress.steps.abilities import use
from kingdom.games.royal_progress.steps.actions import Doing, act
from kingdom.games.royal_progress.steps.moving import kings_step, room, ways
from kingdom.games.royal_progress.steps.preferences import wished
from kingdom.games.royal_progress.words import AbilityForm, ActionForm, PlanForm, Wish, WishedCard
from kingdom.orders import kit
from kingdom.orders.kit import Gap, Pick
from kingdom.render.plain_text import counted

# --- abilities


class Use(NamedTuple):
    """The use of an ability, None for none, in words. table: as it lies behind it. doing: what it means for the actions."""

    value: str | None
    table: Table
    doing: Doing
    order: AbilityForm | None = None


Uses: TypeAlias = Callable[[Table, str, Rules], list[Use]]


def uses(table: Table, seat: str, rules: Rules) -> list[Use]:
    """None, then each use that is legal."""
    legal = [Use(None, table, Doing())]
    for name, courtier in table.courtiers.items() if rules.abilities.used else ():
        if courtier.control != seat or courtier.used:
            continue
        for order, text in _ways_to_use(name, table, seat, rules):
            doing = Doing()
            try:
                legal.append(Use(f"{name}: {text}", use(table, Trial(rules), seat, order, doing), doing, order))
            except Refused:
                continue
    return legal


def _ways_to_use(user: str, table: Table, seat: str, rules: Rules) -> Iterator[tuple[AbilityForm, str]]:
    """Yield what may be done by the ability of a courtier: the order, and what it does in words."""
    ability = rules.courtiers[user].ability
    if ability in ("clear_inns", "blessing"):
        yield {"use": user}, "full places stop nobody" if ability == "clear_inns" else "draw a card"
    for card in sorted(set(table.offer)) if ability == "purse" else ():
        wish: WishedCard = {"suit": suit(card), "card": figure(card)}
        yield {"use": user, "prefer": [wish, words.ANY]}, f"take {card}, or any"
    for card in sorted(set(table.seats[seat].hand)) if ability == "seal" else ():
        yield {"use": user, "courtier": suit(card), "card": figure(card)}, f"lay {card}"
    for name, courtier in table.courtiers.items():
        farther = {"ride": 0, "mischief": 1}.get(ability)
        for place in ways(table, name, rules, farther) if farther is not None else ():
            yield {"use": user, "move": [name, place]}, f"{name} to {named(place, rules)}"
        for symbols in sorted(set(courtier.piles.get(seat, ()))) if ability == "patronage" else ():
            yield {"use": user, "courtier": name, "card": symbols}, f"open {name} {symbols}"
        for rival, pile in courtier.piles.items() if ability == "whisper" else ():
            yield {"use": user, "courtier": name, "of": rival}, f"send {name} {pile[0]} back to {rival}"


# --- actions


class Action(NamedTuple):
    """An action in words, and the order."""

    value: str
    order: ActionForm


def moves(table: Table, rules: Rules, full: bool = False) -> list[Action]:
    """Each step of one who is on the road; full: into full places, too."""
    return [
        Action(f"{name} to {named(place, rules)}", {"do": words.MOVE, "courtier": name, "to": place})
        for name in table.courtiers
        for place in ways(table, name, rules, full=full)
    ]


@lru_cache(maxsize=500)  # most tables that are looked at have the same hands
def _laid(hand: tuple[str, ...]) -> tuple[tuple[set[str], Action], ...]:
    """(the courtiers on whom it lays, the action) of each way to lay cards of a hand."""
    of, listed = dict[str, list[int]](), list[tuple[set[str], Action]]()
    for card in sorted(known_cards(hand), key=lambda card: (suit(card), -figure(card))):
        of.setdefault(suit(card), []).append(figure(card))
    for name, symbols in of.items():
        for cards in sorted({cards for count in range(len(symbols)) for cards in combinations(symbols, count + 1)}):
            for open_card in sorted(set(cards)):
                at = cards.index(open_card)
                pile = [open_card, *cards[:at], *cards[at + 1 :]]
                order: ActionForm = {"do": words.LAY, "courtier": name, "cards": [*pile]}
                listed.append(({name}, Action(f"{name} {', '.join(map(str, pile))}", order)))
    for one, other in combinations(of, 2):
        for first, second in product(sorted(set(of[one])), sorted(set(of[other]))):
            order = {"do": words.LAY, "each": [{"courtier": one, "card": first}, {"courtier": other, "card": second}]}
            listed.append(({one, other}, Action(f"{one} {first} and {other} {second}", order)))
    return tuple(listed)


def lays(table: Table, seat: str, rules: Rules) -> list[Action]:
    """Each way to lay cards of the hand."""
    arrived = {
        name for name, courtier in table.courtiers.items() if courtier.arrived and not rules.cards_at_court.allowed
    }
    return [action for names, action in _laid(table.seats[seat].hand) if not names & arrived]


def discards(table: Table, seat: str) -> list[Action]:
    """Each courtier on whom the seat has an open card."""
    mine = [name for name, courtier in table.courtiers.items() if seat in courtier.piles]
    return [Action(name, {"do": words.DISCARD, "courtier": name}) for name in mine]


# --- plans: a candidate for each two kinds of actions


WORDS = {words.MOVE: "move", words.LAY: "lay", words.TAKE: "take", words.DISCARD: "discard on"}
PAIRS = [*combinations_with_replacement(WORDS, 2)]  # never back in the alphabet (ruling two_actions)
TAKEN = Action("", {"do": words.TAKE, "prefer": [words.ANY]})  # whichever card


class Begun(NamedTuple):
    """A use and a first action that the engine allows, and the table behind them. through: into a full place, so that he must go on."""

    use: Use
    action: Action
    table: Table
    through: bool = False


Followed: TypeAlias = list[tuple[Begun, list[Action]]]  # with the second actions that are legal then


def plans(
    table: Table, seat: str, rules: Rules, abilities: Uses, pairs: Sequence[tuple[str, str]]
) -> Iterator[kit.Candidate]:
    """Every two actions, and an ability before them, that are legal as the table lies when the seat's turn at it comes."""
    table = kings_step(table, Trial(rules), seat)
    if ended(table, rules):
        return
    followers = _Followers(seat, rules)
    listed = abilities(table, seat, rules)
    for kind, of_kind in groupby(pairs, key=lambda pair: pair[0]):
        begun = [first for use in listed for first in _begun(kind, use, seat, rules)]
        for _, second in of_kind:
            followed = [(first, actions) for first in begun if (actions := followers.of(second, first))]
            if followed:
                yield _candidate(kind, second, followed, table.offer, rules)


def _begun(kind: str, use: Use, seat: str, rules: Rules) -> Iterator[Begun]:
    """Yield each first action of that kind behind the use."""
    table, before = use.table, use.doing
    if kind == words.TAKE:
        yield from [Begun(use, TAKEN, table)] if table.offer or before.later else ()
        return
    of_kind = {
        words.MOVE: lambda: moves(table, rules, True),
        words.LAY: lambda: lays(table, seat, rules),
        words.DISCARD: lambda: discards(table, seat),
    }
    for action in of_kind[kind]():
        doing = Doing(before.unblocked, before.drawn)
        doing.passes = (
            action.order["do"] == words.MOVE and not before.unblocked and not room(table, action.order["to"], rules)
        )
        yield Begun(use, action, act(table, Trial(rules), seat, action.order, doing), doing.passes)


class _Followers:
    """The second actions behind first ones; moves are looked at once for the same places."""

    def __init__(self, seat: str, rules: Rules):
        self.seat, self.rules = seat, rules
        self._moves: dict[tuple[object, ...], list[Action]] = {}

    def of(self, kind: str, first: Begun) -> list[Action]:
        """Return the legal actions of that kind. Who was moved into a full place goes on (ruling passing)."""
        table, unblocked = first.table, first.use.doing.unblocked
        if kind == words.MOVE:
            places = (unblocked, *(courtier.place for courtier in table.courtiers.values()))
            if places not in self._moves:
                self._moves[places] = moves(table, self.rules, unblocked)
            return [move for move in self._moves[places] if not first.through or _mover(move) == _mover(first.action)]
        if first.through:
            return []
        if kind == words.TAKE:
            return [TAKEN] if table.offer or first.action is TAKEN else []
        return lays(table, self.seat, self.rules) if kind == words.LAY else discards(table, self.seat)


def _mover(action: Action) -> object:
    return action.order.get("courtier")


def _candidate(kind: str, second: str, followed: Followed, offer: tuple[str, ...], rules: Rules) -> kit.Candidate:
    """Return the plans of these two kinds of actions."""
    taking, of = Taking(offer, rules), {"first": kind, "second": second}
    picks = _picks(kind, second, followed, taking)
    actions = [taking.order(name) if of[name] == words.TAKE else Gap(name) for name in of]
    first_word, second_word = WORDS[kind].split()[0], WORDS[second].split()[0]
    text = f"{first_word.capitalize()}, then {second_word}" + (" again" if kind == second else "")
    example = next((pair for pair in followed if bool(pair[0].use.value) == (kind == second)), followed[0])
    return kit.Candidate(
        f"plan {kind}{second}", {**({"ability": Gap("use")} if "use" in picks else {}), "actions": actions}, text, picks,
        said=f"{text}: " + ", ".join(f"{{{name}}}" for name in picks),
        group=f"{first_word.capitalize()}, then something", checked=True, shown=_shown(*example),
    )  # fmt: skip


def _picks(kind: str, second: str, followed: Followed, taking: Taking) -> dict[str, Pick]:
    """Return what is picked for such a plan: the ability, the first action, the second one, each beside those before it."""
    behind = {(first.use.value, first.action.value): [of.value for of in actions] for first, actions in followed}
    by_use = dict[str | None, list[str]]()
    for ability, value in behind:
        by_use.setdefault(ability, []).append(value)
    picks = dict[str, Pick]()
    if abilities := {first.use.value: first.use.order for first, _ in followed if first.use.value}:
        none = "none" if None in by_use else ""
        picks["use"] = Pick("Ability before that", [*abilities], means=abilities, none=none)
    if kind == words.TAKE:
        picks |= taking.picks("first")
        rows = kit.behind_one("use", {ability: behind[ability, ""] for ability in by_use})
    else:
        orders = {first.action.value: first.action.order for first, _ in followed}
        picks["first"] = Pick(WORDS[kind].capitalize(), [*orders], means=orders, rows=kit.behind_one("use", by_use))
        rows = kit.behind_two(("use", "first"), behind)
    if second == words.TAKE:
        return picks | taking.picks("second", later=kind == words.TAKE)
    seconds = {action.value: action.order for _, actions in followed for action in actions}
    return picks | {"second": Pick(f"Then {WORDS[second]}", [*seconds], means=seconds, rows=rows)}


def _shown(first: Begun, actions: list[Action]) -> PlanForm:
    """Return the plan that shows how such plans are written."""
    plan: PlanForm = {"actions": [first.action.order, actions[0].order]}
    return {"ability": first.use.order, **plan} if first.use.order else plan


ANY_CARD = "any card"


def wishes(offer: tuple[str, ...], rules: Rules) -> Pick:
    """Return a pick of a wish: any card, the open cards, then kinds of cards."""
    most = max(rules.box.influence, default=0)
    means: dict[str, Wish] = {ANY_CARD: words.ANY}
    means |= {card: {"suit": suit(card), "card": figure(card)} for card in sorted(set(known_cards(offer)))}
    means |= {f"any {name}": {"suit": name} for name in rules.courtiers}
    means |= {f"at least {counted(least, 'symbol')}": {"min": least} for least in range(most, 0, -1)}
    means |= {f"at most {counted(limit, 'symbol')}": {"max": limit} for limit in range(most)}
    means |= {"of the suit that I have most of": {"suit_in_hand": "most"}}
    means |= {"of the suit that I have least of": {"suit_in_hand": "least"}}
    return Pick("Otherwise", [*means], means=means, none="no more wishes")


class Taking:
    """Action C in a plan: which card, and which if that one is gone."""

    def __init__(self, offer: tuple[str, ...], rules: Rules):
        self.offer, self.wishes = offer, wishes(offer, rules)
        self.two = len(offer) == rules.box.offer and not any(map(figure, offer))

    def order(self, name: str) -> dict[str, Any]:
        """Return the action of that name, with gaps."""
        two = {"two": Gap(f"{name}_two")} if self.two else {}
        return {"do": words.TAKE, "prefer": [Gap(f"{name}_wish"), Gap(f"{name}_else")], **two}

    def picks(self, name: str, later: bool = False) -> dict[str, Pick]:
        """Return what is picked for it. later: other cards may lie open then."""
        wish = self.wishes
        gone = [value for value in wish.values if not wished(self.offer, (wish.means[value],), ())]
        when = {} if later else {value: {f"{name}_else": [ANY_CARD]} for value in gone}
        two = Pick("How many", [False, True], texts={False: "one, whatever lies open", True: "two, or the plan does not count"},
                   none="two if none shows a symbol, else one")  # fmt: skip
        return {
            f"{name}_wish": wish._replace(label="Take" if name == "first" else "Then take", none="", when=when),
            f"{name}_else": wish._replace(label="If it is gone", none="the plan does not count"),
        } | ({f"{name}_two": two} if self.two else {})

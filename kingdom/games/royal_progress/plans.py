"""The order `plans`: an ability, if any, and two actions; the first plan that is legal as a whole counts (rulings plans, plan_broken, missing_plan).

What is offered is found by playing it on the table as it lies. Each action is listed in one way of writing it: the cards behind the open
one from the highest down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, groupby, product
from typing import Any, Literal, NamedTuple, TypeAlias

from kingdom.engine.offer import Beside
from kingdom.engine.refusal import Refusal
from kingdom.games.royal_progress import words
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import PLAY, Now, Table, Turn, figure, known_cards, suit
from kingdom.games.royal_progress.steps import Refused, Trial, due, ended, named
from kingdom.games.royal_progress.steps.actions import Doing, act, two_may_be_taken, use
from kingdom.games.royal_progress.steps.cards import discard_open, forced_discard, standing, wished
from kingdom.games.royal_progress.steps.moving import kings_step, room, ways
from kingdom.games.royal_progress.words import AbilityForm, ActionForm, NoPlan, OneCard, PlanForm, Wish, WishedCard
from kingdom.orders import kit
from kingdom.orders.kit import Gap, Pick
from kingdom.orders.schema import ListOf
from kingdom.orders.short_forms import in_words
from kingdom.render.plain_text import counted

# --- abilities


class Use(NamedTuple):
    """The use of an ability. value: its words, None for no use. table: the table behind the use. doing: what the use means for the actions."""

    value: str | None
    table: Table
    doing: Doing
    order: AbilityForm | None = None


Uses: TypeAlias = Callable[[Table, str, Rules], list[Use]]


def uses(table: Table, seat: str, rules: Rules) -> list[Use]:
    """Return no use, then each use that is legal."""
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


WORDS = {words.MOVE: "move", words.LAY: "lay", words.TAKE: "take", words.DISCARD: "discard on"}
PAIRS = [*combinations_with_replacement(WORDS, 2)]  # never back in the alphabet (ruling two_actions)
TAKEN = Action("", {"do": words.TAKE, "prefer": [words.ANY]})  # whichever card


def actions(kind: str, table: Table, seat: str, rules: Rules, doing: Doing, full: bool = False) -> list[Action]:
    """Return each action of that kind; of action C one, whichever card it takes. full: moves into full places, too."""
    if kind == words.MOVE:
        return [
            Action(f"{name} to {named(place, rules)}", {"do": words.MOVE, "courtier": name, "to": place})
            for name in table.courtiers
            for place in ways(table, name, rules, full=full or doing.unblocked)
        ]
    if kind == words.LAY:
        arrived = {name for name, courtier in table.courtiers.items() if courtier.arrived}
        shut, drawn = set() if rules.cards_at_court.allowed else arrived, tuple(table.courtiers) if doing.drawn else ()
        return [action for names, action in _laid(table.seats[seat].hand, drawn) if not names & shut]
    if kind == words.DISCARD:
        mine = [name for name, courtier in table.courtiers.items() if seat in courtier.piles]
        return [Action(name, {"do": words.DISCARD, "courtier": name}) for name in mine]
    return [TAKEN] if table.offer or doing.later else []


@lru_cache(maxsize=500)  # most tables that are looked at have the same hands
def _laid(hand: tuple[str, ...], drawn: tuple[str, ...]) -> tuple[tuple[set[str], Action], ...]:
    """Return (the courtiers on whom it lays, the action) of each way to lay cards of a hand.

    drawn: if an ability draws a card, the courtiers of whose suits it may be; else ().
    """
    of, listed = dict[str, list[int]](), list[tuple[set[str], Action]]()
    for card in sorted(known_cards(hand), key=lambda card: (suit(card), -figure(card))):
        of.setdefault(suit(card), []).append(figure(card))
    for name, symbols in of.items():
        for cards in sorted({cards for count in range(len(symbols)) for cards in combinations(symbols, count + 1)}):
            for open_card in sorted(set(cards)):
                at = cards.index(open_card)
                listed.append(({name}, _lay(name, open_card, *cards[:at], *cards[at + 1 :])))
    for one, other in combinations(of, 2):
        for first, second in product(sorted(set(of[one])), sorted(set(of[other]))):
            each: list[OneCard] = [{"courtier": one, "card": first}, {"courtier": other, "card": second}]
            text = f"{one} {first} and {other} {second}"
            listed.append(({one, other}, Action(text, {"do": words.LAY, "each": each})))
    if drawn:
        listed += [(set(), _lay(words.DRAWN, words.DRAWN)), *(({name}, _lay(name, words.DRAWN)) for name in drawn)]
        for name, held in sorted({(suit(card), figure(card)) for card in known_cards(hand)}):
            listed += [({name}, _lay(name, held, words.DRAWN)), ({name}, _lay(name, words.DRAWN, held))]
    return tuple(listed)


def _lay(name: str, *pile: Literal["drawn"] | int) -> Action:
    """Return the action that lays these cards on the courtier, the first one open on a new pile."""
    return Action(f"{name} {', '.join(map(str, pile))}", {"do": words.LAY, "courtier": name, "cards": [*pile]})


# --- plans: a candidate for each two kinds of actions


class Begun(NamedTuple):
    """A use and a first action that the engine allows, the table behind them, and what they mean for the second action."""

    use: Use
    action: Action
    table: Table
    doing: Doing


Followed: TypeAlias = list[tuple[Begun, list[Action]]]  # first actions, each with the legal second ones


def _begun(kind: str, use: Use, seat: str, rules: Rules) -> Iterator[Begun]:
    """Yield each first action of that kind behind the use. A card that an ability draws can be laid once."""
    for action in actions(kind, use.table, seat, rules, use.doing, full=True):
        doing, order = copy(use.doing), action.order
        doing.passes = order["do"] == words.MOVE and not doing.unblocked and not room(use.table, order["to"], rules)
        table = act(use.table, Trial(rules), seat, order, doing)
        if order["do"] == words.LAY and words.DRAWN in order.get("cards", ()):
            doing.drawn = ""
        yield Begun(use, action, table, doing)


def _following(kind: str, first: Begun, seat: str, rules: Rules) -> list[Action]:
    """Return the second actions of that kind. A courtier who was moved into a full place must go on (ruling passing)."""
    listed, mover = actions(kind, first.table, seat, rules, first.doing), first.action.order.get("courtier")
    if first.doing.passes:
        return [action for action in listed if kind == words.MOVE and action.order.get("courtier") == mover]
    return listed


def _candidate(kind: str, second: str, followed: Followed, table: Table, rules: Rules) -> kit.Candidate:
    """Return the plans of these two kinds of actions."""
    behind = {(first.use.value, first.action.value): [of.value for of in following] for first, following in followed}
    by_use = dict[str | None, list[str]]()
    for ability, value in behind:
        by_use.setdefault(ability, []).append(value)
    picks, plan = dict[str, Pick](), dict[str, Any]()
    if abilities := {first.use.value: first.use.order for first, _ in followed if first.use.value}:
        picks["use"] = Pick("Ability before that", [*abilities], means=abilities, none="none" if None in by_use else "")
        plan["ability"] = Gap("use")
    rows = {"first": kit.behind_one("use", by_use)}
    if kind == words.TAKE:
        rows["second"] = kit.behind_one("use", {ability: behind[ability, ""] for ability in by_use})
    else:
        rows["second"] = kit.behind_two(("use", "first"), behind)
    of_kind = {
        "first": (kind, WORDS[kind].capitalize(), [first.action for first, _ in followed]),
        "second": (second, f"Then {WORDS[second]}", [action for _, following in followed for action in following]),
    }
    parts = list[Any]()
    for name, (word, label, listed) in of_kind.items():
        if word == words.TAKE:
            action, of_take = _taking(name, label, table, rules, later=name == "second" and kind == words.TAKE)
            parts.append(action)
            picks |= of_take
        else:
            means = {action.value: action.order for action in listed}
            picks[name] = Pick(label, [*means], means=means, rows=rows[name])
            parts.append(Gap(name))
    first_word, second_word = WORDS[kind].split()[0].capitalize(), WORDS[second].split()[0]
    text = f"{first_word}, then {second_word}" + (" again" if kind == second else "")
    begun, following = next((pair for pair in followed if bool(pair[0].use.value) == (kind == second)), followed[0])
    shown = {"actions": [begun.action.order, following[0].order]}
    return kit.Candidate(
        f"plan {kind}{second}", {**plan, "actions": parts}, text, picks, said=f"{text}: " + ", ".join(f"{{{name}}}" for name in picks),
        group=f"{first_word}, then something", checked=True, shown={"ability": begun.use.order, **shown} if begun.use.order else shown,
    )  # fmt: skip


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


def _taking(name: str, label: str, table: Table, rules: Rules, later: bool) -> tuple[dict[str, Any], dict[str, Pick]]:
    """Return action C with its gaps, and the picks for them: a first wish and two others. later: other cards may lie open then.

    A wish for a card that does not lie open needs one behind it for a card that does.
    """
    wish = wishes(table.offer, rules)
    first, then, last, two = (f"{name}_{word}" for word in ("wish", "else", "last", "two"))
    there = [value for value in wish.values if later or wished(table.offer, (wish.means[value],), ())]
    before = [Beside(when={then: there}), Beside(when={last: there})]
    other = wish._replace(label="If it is gone", none="the plan does not count")
    picks = {
        first: wish._replace(label=label, none="", rows={value: before for value in wish.values if value not in there}),
        then: other,
        last: other._replace(label="If that is gone, too"),
    }
    order: dict[str, Any] = {"do": words.TAKE, "prefer": [Gap(name) for name in picks]}
    if later or two_may_be_taken(table, rules):
        order["two"] = Gap(two)
        picks[two] = Pick(
            "How many", [False] if later else [False, True], none="two if none shows a symbol, else one",
            texts={False: "one, whatever lies open", True: "two, or the plan does not count"},
        )  # fmt: skip
    return order, picks


# --- the order


MOST_PLANS = 50


class _Part(kit.One[Table, Rules, tuple[Any, Doing]]):
    """A part of a plan, with what the parts share. A part behind the end of the round is left out (ruling round_ends).

    done: returns the table behind the part; raises Refused if the part is not possible.
    """

    def __init__(self, done: Callable[..., Table]):
        self.done = done

    def objection(self, now: Now, order: tuple[Any, Doing]) -> kit.Objection:
        """Return why the part is not possible. No die is thrown to find that out."""
        part, doing = order
        try:
            if not ended(now.state, now.rules):
                self.done(now.state, Trial(now.rules, now.foreseeing), now.seat, part, copy(doing))
        except Refused as refused:
            return refused.refusal
        return None

    def carry_out(self, now: Now, order: tuple[Any, Doing], turn: Turn) -> Table:
        return now.state if ended(now.state, now.rules) else self.done(now.state, turn, now.seat, *order)


ABILITY, ACT = _Part(use), _Part(act)


class Plans(kit.Plan[Table, Rules, PlanForm]):
    """Plans for the seat's turn at the table."""

    key, name, phase, required = "plans", "plans for your turn at the table", "play", True
    shape = ListOf(
        "what to do in the turn at the table; the first plan that is legal then is carried out",
        kit.record(PlanForm, "a plan"),
        most=MOST_PLANS,
    )
    refusals = {
        "back_in_alphabet": "{second} comes before {first} in the alphabet, and actions never go back (ruling two_actions); give {second} first, then {first}.",
        "one_turn_ends": "Two actions make a turn, not {count} (ruling two_actions); give two, the same one twice if you like.",
    }

    def __init__(self, abilities: Uses = uses, pairs: Sequence[tuple[str, str]] = PAIRS):
        self.abilities, self.pairs = abilities, pairs  # the abilities and the pairs of actions that are offered

    def chooses(self, now: Now) -> bool:
        return now.state.phase == PLAY and now.seat in due(now.state, now.rules)

    def asks(self, now: Now) -> str:
        seats = due(now.state, now.rules)
        before = ", ".join(seats[: seats.index(now.seat)])
        when = f"Before you: {before}." if before else "Nobody comes before you."
        king = " You have the King card, so the King moves first." if now.state.king_card == now.seat else ""
        return (
            "One turn at the table: two of the actions A to D, not back in the alphabet, and an ability before them if you like. "
            f"Order several plans: the first that is legal as a whole when your turn comes is carried out. {when}{king}"
        )

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        """Yield every two actions, and an ability before them, that are legal as the table lies when the seat's turn at it comes."""
        seat, rules = now.seat, now.rules
        table = kings_step(now.state, Trial(rules), seat)
        uses = [] if ended(table, rules) else self.abilities(table, seat, rules)
        for kind, of_kind in groupby(self.pairs, key=lambda pair: pair[0]):
            begun = [first for use in uses for first in _begun(kind, use, seat, rules)]
            for _, second in of_kind:
                followed = [(first, behind) for first in begun if (behind := _following(second, first, seat, rules))]
                if followed:
                    yield _candidate(kind, second, followed, table, rules)

    def parts(self, now: Now, order: PlanForm) -> Iterator[kit.Part[Table, Rules]]:
        doing, actions = Doing(), order["actions"]
        moved = [action["courtier"] for action in actions if action["do"] == words.MOVE]
        on = len(moved) == 2 and moved[0] == moved[1]  # both move the same courtier (ruling passing)
        if ability := order.get("ability"):
            yield kit.Part(".ability", ABILITY, (ability, doing))
        for number, action in enumerate(actions):
            doing.passes = on and number == 0
            yield kit.Part(f".actions[{number}]", ACT, (action, doing))

    def objection(self, now: Now, order: PlanForm) -> kit.Objection:
        """Return why the plan is refused: it has not two actions, they go back in the alphabet, or a part is not possible."""
        actions = order["actions"]
        if len(actions) != 2:
            return Refusal("one_turn_ends", {"count": len(actions)}, ".actions")
        if back := goes_back([action["do"] for action in actions]):
            return back._replace(below=".actions[1]")
        return super().objection(now, order)

    def otherwise(self, now: Now, turn: Turn) -> Table:
        """Do what the seat does without a legal plan."""
        if not turn.foreseeing:
            text = "No plan of yours was carried out: your standing order for that was (ruling missing_plan)."
            turn.tell(now.seat, "happened", text=text)
        return self.carry_out(now, without_plan(now.state, now.seat, now.rules), turn)

    def say(self, order: PlanForm) -> str:
        ability = [f"use the {in_words(words.ABILITY_SHAPE, order['ability'])}"] if order.get("ability") else []
        actions = [in_words(words.ACTION, action) for action in order["actions"]]
        return "; ".join([*ability, *(text[:1].upper() + text[1:] for text in actions)])


def goes_back(kinds: Sequence[str]) -> Refusal | None:
    """Return why the second kind of action can't follow the first; None if it can."""
    first, second = kinds
    facts = {"first": first.upper(), "second": second.upper()}
    return Refusal("back_in_alphabet", facts) if second < first else None


def without_plan(table: Table, seat: str, rules: Rules) -> PlanForm:
    """Return what is done for a seat without a legal plan (ruling missing_plan): if it can't discard a card it takes a card."""
    said: NoPlan = standing(table, seat).get("no_plan") or {}
    prefer: list[Wish] = [*(said.get("prefer") or [{"suit_in_hand": "most"}]), words.ANY]
    discards: list[ActionForm] = []
    for word in said.get("do", ()):
        if word == words.DISCARD and (name := forced_discard(table, seat)):
            discards.append({"do": words.DISCARD, "courtier": name})
            table = discard_open(table, Trial(rules), seat, name)
    takes: list[ActionForm] = [{"do": words.TAKE, "prefer": prefer} for _ in range(2 - len(discards))]
    return {"actions": [*takes, *discards]}

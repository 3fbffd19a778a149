"""The tax; and the rest phase, in which gold and army that are left are donated and citizens are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal, NotRequired, TypedDict

from kingdom.engine.offer import NO_PICKS
from kingdom.engine.step import Orders
from kingdom.games.kings_pouch import state
from kingdom.games.kings_pouch.orders.counting import effects_of
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import KINDS, NOBODY, SHAPES, Citizens, Now, Table, Turn, replace, with_player
from kingdom.games.kings_pouch.steps import booked, drawn, orders_of, purse_of, scored, tell, with_purse
from kingdom.games.kings_pouch.steps.rounds import TURNS, acting
from kingdom.orders import kit
from kingdom.orders.schema import Flag, ListOf, Word
from kingdom.render.plain_text import counted, joined

WORDS: Final = "words"
_MOST = 99


def kind_of(meaning: str, *also: str, example: str = "soldier") -> Word:
    """A kind of citizen."""
    return Word(meaning, KINDS, also=also, example=example)


def shapes_of(meaning: str) -> ListOf:
    """Shapes of citizens, in a row."""
    return ListOf(meaning, Word("a shape", tuple(SHAPES), example="cube"), short=WORDS, most=_MOST)


def plain(wish: object) -> str:
    """What is wished for, in words."""
    if isinstance(wish, Mapping):
        return ", ".join(f"{count} {kind}" for kind, count in wish.items())
    if isinstance(wish, bool):
        return "yes" if wish else "no"
    return " ".join(map(str, wish)) if isinstance(wish, list) else str(wish)


# --- the tax


NEVER, ALWAYS, IF_NEEDED = "never", "always", "if_needed"
TEXTS = {
    NEVER: "Collect no tax",
    IF_NEEDED: "Collect the tax if a wish lacks just that gold",
    ALWAYS: "Collect the tax in any case",
}


class Tax(kit.One[Table, Rules, Literal["never", "always", "if_needed"]]):
    """Whether the tax is collected: before all wishes, or by the first wish that only lacks the tax's gold."""

    key, name, phase = "tax", "the tax", TURNS[0]
    shape = Word("whether to collect the tax", (NEVER, ALWAYS, IF_NEEDED), example=IF_NEEDED)
    causes = {"tax": "gold for the order card"}

    def asks(self, now: Now) -> str:
        return f"Say whether the tax may be collected: never, always or if_needed. Without it you have {now.rules.tax.prestige} prestige more."

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        for word, text in TEXTS.items():
            against = tuple(f"tax {other}" for other in TEXTS if other != word)
            adds = {"gold": now.rules.tax.gold, "prestige": -now.rules.tax.prestige} if word != NEVER else {}
            yield kit.Candidate(f"tax {word}", word, text, uses={"tax": 1}, against=against, adds=adds)

    def objection(self, now: Now, order: str) -> None:
        """It may be said in any case."""

    def carry_out(self, now: Now, order: str, turn: Turn) -> Table:
        return collect_tax(now.state, turn, now.seat) if order == ALWAYS else now.state

    def say(self, order: str) -> str:
        return f"tax: {order.replace('_', ' ')}"


TAX = Tax()


def collect_tax(table: Table, turn: Turn, seat: str) -> Table:
    """The order card is turned over for gold."""
    if table.seats[seat].taxed:
        return table
    table = with_purse(with_player(table, seat, taxed=True), gold=purse_of(table).gold + turn.rules.tax.gold)
    tell(turn, seat, f"collects the tax: {turn.rules.tax.gold} gold.")
    return booked(turn, table, seat, "tax", "the order card is turned over")


# --- the rest phase


class Wishes(TypedDict):
    """What a player wishes for in the rest phase."""

    refresh: NotRequired[Annotated[list[str], ListOf("which citizens go back into the pouch, by kind", kind_of("a kind", example="merchant"), short=WORDS)]]  # fmt: skip
    refresh_all: NotRequired[Annotated[bool, Flag("whether a refresh without a number is used")]]
    draw: NotRequired[Annotated[list[str], shapes_of("the shape of each citizen drawn")]]
    palace_draw: NotRequired[Annotated[bool, Flag("whether the palace's citizen is drawn")]]


class Rest(kit.Entries[Table, Rules, bool | list[str]]):
    """What the rest phase is told, an entry a wish."""

    key, name, phase = "rest", "the rest phase", TURNS[0]
    shape = kit.record(Wishes, "the rest phase")

    def asks(self, now: Now) -> str:
        return "Say which shapes you draw: `rest: {draw: [cube, prism]}`; without it cubes first."

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        """Return each entry. A refresh is offered if a building of the seat allows it."""
        effects = effects_of(now.state.seats[now.seat], now.rules)
        refreshes = {effect.n > 0 for effect in effects if effect.does == "refresh"}
        most = max(now.rules.draw.usual, now.rules.draw.palace)
        kinds = kit.Pick("First of all", KINDS, kind="ranked", least=1)
        shapes = kit.Pick("Draw", tuple(SHAPES), kind="row", least=1, most=most)
        if True in refreshes:
            yield _entry("refresh", kit.Gap("kinds"), "Who goes back into the pouch with a refresh", {"kinds": kinds})
            yield _entry("refresh", [], "Nobody goes back into the pouch with a refresh of a number")
        if False in refreshes:
            yield _entry("refresh_all", False, "Leave out the refresh of the whole rest area")
        yield _entry("draw", kit.Gap("shapes"), "Shapes to draw at the end of your turn", {"shapes": shapes})
        if now.rules.palace_draw.optional:
            yield _entry("palace_draw", False, "Don't draw the additional citizen of the palace")

    def objection(self, now: Now, order: tuple[str, bool | list[str]]) -> None:
        """A wish that can't be had is passed over."""

    def carry_out(self, now: Now, order: tuple[str, bool | list[str]], turn: Turn) -> Table:
        """`rested` below reads all entries at once."""
        return now.state

    def say(self, order: tuple[str, bool | list[str]]) -> str:
        return f"{order[0].replace('_', ' ')} {plain(order[1])}"


def _entry(word: str, value: object, text: str, picks: Mapping[str, kit.Pick] = NO_PICKS) -> kit.Candidate:
    id = f"rest {word}" if picks else f"rest {word} no"
    return kit.Candidate(id, (word, value), text, picks, uses={f"rest {word}": 1}, checked=True)


CAUSES = {
    "donation": "gold and army left at the end of a turn",
    "prestige_bonus": "prestige for an order card that was not turned over",
}
# the order in which they are refreshed if the orders name nobody; corrupt officials stay
REFRESHED_FIRST = ("merchant", "soldier", "cleric", "common")


def rest(table: Table, turn: Turn) -> Table:
    """The third phase of a turn, in the order of the rules."""
    return next((rested(table, turn, seat) for seat in acting(turn)), table)


def rested(table: Table, turn: Turn, seat: str) -> Table:
    """The table behind the rest phase of the seat."""
    wishes = orders_of(turn, seat).get("rest") or {}
    table = _donated(table, turn, seat)
    if not table.seats[seat].taxed and turn.rules.tax.prestige:
        tell(turn, seat, f"collected no tax: {turn.rules.tax.prestige} prestige.")
        table = scored(turn, table, seat, turn.rules.tax.prestige, "prestige_bonus", "no tax was collected")
    lord, rules = table.seats[seat], turn.rules
    used = lord.active + lord.rest + state.standing_on(lord.placed)
    table = _refreshed(with_player(table, seat, active=NOBODY, placed=(), rest=used), turn, seat, wishes)
    palace = table.territories.get(rules.map.palace)
    more = palace and palace.owner == seat and (wishes.get("palace_draw", True) or not rules.palace_draw.optional)
    count = rules.draw.palace if more else rules.draw.usual
    table, kinds = drawn(table, turn, seat, count, "active", wishes.get("draw") or ())
    people = joined((f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)), "nobody")
    tell(turn, seat, f"draws {people}, and has {table.seats[seat].prestige} prestige now.")
    if wishes:
        turn.tell(seat, "used", order="rest")
    table, lord = replace(table, purse=None), table.seats[seat]
    if not lord.site:
        return table
    tell(turn, seat, f"finishes: {turn.rules.buildings[lord.site].name}.")
    return with_player(table, seat, site="", buildings=(*lord.buildings, lord.site))


def _donated(table: Table, turn: Turn, seat: str) -> Table:
    purse = purse_of(table)
    if not (left := purse.gold + purse.army):
        return table
    by, given = left * turn.rules.donation.prestige, f"{purse.gold} gold and {purse.army} army"
    table = booked(turn, with_purse(table, gold=0, army=0), seat, "donation", f"{given} given away")
    tell(turn, seat, f"donates {given}: {by} prestige.")
    return scored(turn, table, seat, by, "donation", given)


def _refreshed(table: Table, turn: Turn, seat: str, wishes: Orders) -> Table:
    """Citizens of the rest area back into the pouch, as far as buildings let them (rulings full_refresh, numbered_refresh)."""
    purse, lord = purse_of(table), table.seats[seat]
    if purse.refresh_all and wishes.get("refresh_all", True):
        back = lord.rest if turn.rules.full_refresh.corrupt else replace(lord.rest, corrupt=0)
    else:
        back, kinds = NOBODY, wishes.get("refresh")
        for kind in REFRESHED_FIRST if kinds is None else dict.fromkeys(kinds):
            back = back.plus(kind, min(getattr(lord.rest, kind), purse.refresh - back.count))
    if not back.count:
        return table
    left = Citizens(*(getattr(lord.rest, kind) - getattr(back, kind) for kind in Citizens.__struct_fields__))
    tell(turn, seat, f"returns {counted(back.count, 'citizen')} to the pouch.")
    return with_player(table, seat, rest=left, pouch=lord.pouch + back)

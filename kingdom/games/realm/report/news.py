"""What changed in a turn, as the news of a report: a line each, what harms before what helps, and of each what changed most."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from kingdom.engine.names import words
from kingdom.engine.regex import regex
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.forecast.words import name_of
from kingdom.games.realm.hexmap import distance
from kingdom.games.realm.offers.offers import Options
from kingdom.games.realm.orders.declaration import CLAIM
from kingdom.games.realm.report.afield import Heard
from kingdom.games.realm.report.armies import BattleRow
from kingdom.games.realm.report.events import EventRow
from kingdom.games.realm.report.order_outcomes import NOTHING, OrderRow
from kingdom.games.realm.report.story import CheckRow, Move, PhaseRow, StepRow, checks_of, heading, sums
from kingdom.games.realm.rules.rules import ATTRIBUTES
from kingdom.render.plain_text import clean

MOST = 7  # lines; harm is never left out, what is over the number is joined in one line
NAMED = 6  # orders that were carried out, by name; of more the number alone is said
# what a point of an account is worth to a kingdom, about, in BP; what grows to its harm is negative
WORTH = {name_of(name): by for name, by in {"treasury": 1, "unrest": -3, "size": 10, "consumption": -2}.items()}
WORTH |= {name_of(name): 2 for name in ATTRIBUTES}
REFUSAL, COMING = -4, -6  # what a refused order and an announced event count like among them
GOOD_ENDS, BAD_ENDS = {"victorious"}, {"defeated", "surrendered", "routed", "withdrew"}  # of a side in a battle
FOUGHT = 30  # what a battle counts like
LAND = name_of("size")
OF_LAND = {LAND, name_of("consumption")}  # what each hex counts in
PAID = {name_of("treasury"), name_of("stores")}  # what Consumption is paid from
OWN, INCOME, UPKEEP, RULED = "Edict phase", "Income phase", "Upkeep phase", "GM's rulings"
HIRED = "adventurers hired"  # what the ledger says of an answer's price
FOUND = 5  # what a find counts like
# steps of the Edict phase in which more happens than what the orders say
HAPPENS = {
    heading(step)
    for step in (
        "bring_into_service",
        "count_secondary_territories",
        "fight_battles",
        "expeditions",
        "hired_adventurers",
    )
}


# where the rules say it: "(Edict step 2)", "(ruling one_route: one for a pair)"
_RULE = regex(
    r",? \((?:[A-Z][\w ]+, )?(?:ruling|table) [\w, ]+?(?:: (?P<kept>[^()]+))?\)|,? \([A-Z]\w+ step \d+\)|, ruling \w+"
)
_KEY = regex(r"\b(?:[Tt]he expedition )?([a-z]+(?:_[a-z]+)*)-(\d+)\b")
_WORD = regex(r"\b[a-z]+(?:_[a-z]+)+\b")


class News(TypedDict):
    """A line. worth: what it changed, in BP, negative for harm; mark: "bad", "good", "mark" or ""; stays: it is never one of those that
    are counted alone."""

    text: str
    worth: float
    mark: str
    stays: bool


def news(
    phases: Sequence[PhaseRow],
    rows: Sequence[OrderRow],
    battles: Sequence[BattleRow],
    events: Sequence[EventRow],
    heard: Sequence[Heard],
    others: Sequence[str],
    to_all: Sequence[str],
    offers: Options | None,
    seat: str,
) -> list[News]:
    """All lines in their order. rows: the seat's orders with what became of them; heard: what else it was told; others: of others;
    to_all: of the campaign itself, what every report must tell; offers: what it may do next turn."""
    lines = [
        *_of_phases(phases),
        *_of_orders(rows, phases),
        *_of_battles(battles, seat),
        *_of_events(events),
        *_of_heard(heard, offers),
        *(_line(text, 0) for text in others),
        *(_line(text, 0, stays=True) for text in to_all),
    ]
    told: list[News] = []
    for line in lines:  # an event, news and the account that they moved may say the same
        if not any(line["text"].rstrip(".") in other["text"] for other in told):
            told.append(line)
    return sorted(told, key=lambda line: (_rank(line), -abs(line["worth"])))


def shown(lines: Sequence[News]) -> tuple[list[News], list[News]]:
    """At most so many of them as have room, and those left out: harm is joined and what stays is kept, of the rest the number is said."""
    harm = [line for line in lines if _rank(line) < 2]
    rest = [line for line in lines if _rank(line) == 2]
    stay = sum(line["stays"] for line in rest)
    most = MOST - 1 - stay
    if len(harm) > most:
        texts = " ".join(line["text"] for line in harm[most - 1 :])
        harm[most - 1 :] = [{**harm[most - 1], "text": texts}]
    room, left_out = MOST - len(harm), list[News]()
    if len(rest) > room:
        left_out = [line for line in rest if not line["stays"]][room - 1 - stay :]
        more = _line(f"And {len(left_out)} more that took nothing from you.", 0)
        rest = [*(line for line in rest if line not in left_out), more]
    return harm + rest, left_out


def spoken(text: str, names: Mapping[str, str]) -> str:
    """The text as the first tier says it: names of rulings, tables and steps stand where the dice do, and between backticks alone, where
    somebody types them, stand the keys of orders and seats. names: seat -> the kingdom's name."""
    parts = text.split("`")
    for at in range(0, len(parts), 2):
        said = _RULE.sub(lambda found: f" ({found['kept']})" if found["kept"] else "", parts[at])
        said = _WORD.sub(lambda found: words(found[0]), _KEY.sub(_numbered, said))
        parts[at] = _seats(tuple(names)).sub(lambda found: names[found[0]], said) if names else said
    return "`".join(parts)


def _numbered(found: re.Match[str]) -> str:
    """What an order's key names: "expedition 1" for `explore-1`, "trade route 2" for `trade_route-2`."""
    return f"{'expedition' if found[1] == 'explore' else words(found[1])} {found[2]}"


@cache
def _seats(seats: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(seats, key=len, reverse=True)))})(?![\w-])")


def _rank(line: News) -> int:
    return 0 if line["mark"] == "bad" else 1 if line["mark"] == "mark" else 2


def _line(text: str, worth: float, mark: str | None = None, *, stays: bool = False) -> News:
    said = clean(text).strip()
    given = mark if mark is not None else "bad" if worth < 0 else "good" if worth > 0 else ""
    ended = said if said.endswith((".", "!", "?", '"')) else f"{said}."
    return {"text": ended, "worth": worth, "mark": given, "stays": stays}


def _worth(moves: Iterable[Move]) -> float:
    return sum(WORTH.get(change["account"], 1) * change["delta"] for move in moves for change in move["changes"])


def rolled(check: CheckRow) -> str:
    """A check as it is told: "Stability check failed (rolled 14, needed 15)"."""
    how = "succeeded" if check["success"] else "failed"
    # a natural 1 fails and a natural 20 succeeds
    die = f" (rolled {check['die']}, needed {min(max(check['needed'], 2), 20)})" if check["die"] is not None else ""
    return f"{check['name']} check {how}{die}"


def _of_phases(phases: Sequence[PhaseRow]) -> Iterator[News]:
    for phase in phases:
        name = phase["name"]
        if name == INCOME:
            yield from _of_money(phase["steps"])
        elif name == UPKEEP:
            yield from (line for step in phase["steps"] for line in _of_upkeep(step))
        elif name != RULED:  # the GM's rulings are told in the GM's own words, and orders as such
            yield from _of_moves(
                move for step in phase["steps"] if name != OWN or step["name"] in HAPPENS for move in step["moves"]
            )


def _of_moves(moves: Iterable[Move]) -> Iterator[News]:
    """What each cause changed; of land that was lost, which stands further up with its cause, what went with it."""
    for move in moves:
        lost = any(change["account"] == LAND and change["delta"] < 0 for change in move["changes"])
        gone = [change for change in move["changes"] if not lost or change["account"] not in OF_LAND]
        if came_to := sums([{**move, "changes": gone}]):
            what = f"With {move['what'][:4]} went" if lost else f"{move['what'][:1].upper()}{move['what'][1:]}"
            # adventurers were hired by an answer: their price is none that befell the kingdom
            yield _line(f"{what}: {came_to}", _worth([move]), "" if HIRED in move["what"] else None)


def _of_money(steps: Iterable[StepRow]) -> Iterator[News]:
    """The Economy check with what it brought; all trade in a line, each check of it with what it did."""
    for step in steps:
        came_to, worth = sums(step["moves"]), _worth(step["moves"])
        if step["name"] != "Taxes":
            failed = [check["name"].removeprefix("Trade ") for check in checks_of(step) if not check["success"]]
            brought = [
                f"{'smuggled ' * (move['cause'] == 'smuggling')}{move['what']} {sums([move])}" for move in step["moves"]
            ]
            said = ", ".join([*brought, *(f"nothing {check}" for check in failed)])
            yield from [_line(f"{step['name']}: {said}", worth)] if said else ()
            continue
        for check in checks_of(step):
            yield _line(f"{rolled(check)}: {came_to or 'no taxes'}", worth or -5)


def _of_upkeep(step: StepRow) -> Iterator[News]:
    """The checks of Stability and Loyalty; Consumption is paid each turn and no news, what it brings besides is, and what an army or an
    event takes."""
    came_to, worth = sums(step["moves"]), _worth(step["moves"])
    for check in checks_of(step):
        yield _line(f"{rolled(check)}{f': {came_to}' if came_to else ''}", worth if came_to else 0.0 + check["success"])
    if step["name"] == "Pay consumption":
        if any(change["account"] not in PAID for move in step["moves"] for change in move["changes"]):
            yield _line(f"{'; '.join(move['what'] for move in step['moves'])}: {came_to}", worth)
    elif not checks_of(step):
        yield from _of_moves(step["moves"])


def _of_orders(rows: Sequence[OrderRow], phases: Sequence[PhaseRow]) -> Iterator[News]:
    """What was carried out in one line with what it came to; each order that was not, with its reason."""
    done = [row["text"] for row in rows if row["outcome"] == "done"]
    steps = (step for phase in phases if phase["name"] == OWN for step in phase["steps"])
    total = sums([move for step in steps if step["name"] not in HAPPENS for move in step["moves"]])
    if done:
        more = f" and {len(done) - NAMED} more" if len(done) > NAMED else ""
        yield _line(f"Done: {', '.join(done[:NAMED])}{more}{f' ({total})' if total else ''}", 0, stays=True)
    elif total:
        yield _line(f"Your plan and standing orders: {total}", 0, stays=True)
    refused = [row for row in rows if row["outcome"] == "refused"]
    if refused:  # what to do about it stands with the order
        reason = refused[0]["why"].split(". ")[0].rstrip(".")
        more = f". Refused too: {', '.join(row['text'] for row in refused[1:])}" if len(refused) > 1 else ""
        yield _line(f"Refused: {refused[0]['text']}: {reason}{more}", REFUSAL)
    for row in rows:
        if row["outcome"] == NOTHING:
            yield _line(f"Came to nothing: {row['text']}: {row['why']}", 0)
        elif row["outcome"] == "changed":
            yield _line(f"{row['text']}: {row['why']}", 0)


def _of_battles(battles: Sequence[BattleRow], seat: str) -> Iterator[News]:
    for battle in battles:
        ends = {side["outcome"]: side["who"] for side in battle["sides"] if side["seat"] == seat}
        sides = ", ".join(f"{side['who']} {side['outcome']} ({side['hp']} hit points left)" for side in battle["sides"])
        worth = -FOUGHT if ends.keys() & BAD_ENDS else FOUGHT if ends.keys() & GOOD_ENDS else 0
        yield _line(f"Battle in {battle['hex']}: {sides}", worth)


def _of_events(events: Sequence[EventRow]) -> Iterator[News]:
    """What struck, and what is announced; what needs an answer stands with the questions."""
    for row in events:
        if row.group == "struck":
            yield from (_line(line, 0) for line in row.lines if not line.endswith(": it goes on."))
        elif row.group == "announced" and not row.asked and row.title:
            yield _line(f"Coming: {row.title}", COMING, "mark")


def _of_heard(heard: Sequence[Heard], offers: Options | None) -> Iterator[News]:
    """What was told, and for each find the order that gets something out of it."""
    for row in heard:
        orders = dict[str, str]()  # each once
        for label in row["hexes"]:
            for order, more in _order_for(label, offers) if offers else ():
                orders.setdefault(order, f"`{order}` ({more})")
        text = f"{row['text']} To get something out of it: {', '.join(orders.values())}." if orders else row["text"]
        found = FOUND * len(row["hexes"])
        yield _line(text, found, "mark" if row["grave"] else None, stays=bool(found))


def _order_for(label: str, offers: Options) -> Iterator[tuple[str, str]]:
    """The order that the seat may give about a hex, with what is to be said of it: to fight what lives there, to take it, or the nearest land
    on the way."""
    for monster in offers["expeditions"]["monsters"] if offers["expeditions"] else ():
        if monster["hex"] == label:
            yield f"adventurers: {monster['match']} bp to {label}", "a match for its monsters"
            return
    claims = {hex["hex"]: hex["price"] for hex in offers["claimable"]}
    if claims:
        near = min(claims, key=lambda hex: (distance(hex, label), hex))
        yield (
            f"{CLAIM.key}: {near}",
            f"{claims[near]} BP" + (f", {distance(near, label)} from {label}" if near != label else ""),
        )

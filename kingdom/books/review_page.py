"""The page of the ledger review, to be opened in front of the group: how the kingdoms stand, what changed most and why, charts, entries.

One file without outside resources. What is pressed leaves those entries below that it stands for. Without a script the page shows
the newest entries. Older entries than it has room for lie in a second file beside it, which it loads when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from kingdom.books import largest_changes, overview, proof, review
from kingdom.books.exports import source
from kingdom.books.exports.source import KeptBooks
from kingdom.books.ledgers import Ledger
from kingdom.books.overview import Place
from kingdom.books.periods import Period
from kingdom.books.proof import Proof
from kingdom.books.rows import NUMBERS, Cell, Rows
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.engine.game import AnyGame
from kingdom.engine.names import words
from kingdom.orders import places
from kingdom.render import charts
from kingdom.render.plain_text import clean, signed

ENTRIES = 2_000  # of the newest, which the page holds
PLAIN = 40  # entries that show without a script
OPEN = 2  # accounts whose charts are unfolded
CHARTS = 12  # kingdoms, at most, with a chart of each account
CAUSES = 8  # bars of a chart; the causes that moved least are one bar together
OFTEN = 20  # times that a seat must have thrown a kind of die for a row of its own
SHOWN = ("turn", "kingdom", "account", "delta", "balance", "cause", "detail")
HEADS = {"delta": "change"}  # a column -> its name on the page, if another


class Asked(NamedTuple):
    """What a page is to show. against: turns beside those of `wanted`; parts: periods, one after another; older: the name of the file
    beside the page, for entries that the page has no room for."""

    wanted: review.Wanted
    against: Period | None = None
    compared: Rows | None = None  # periods side by side
    older: str = ""


class Page(NamedTuple):
    """The page, and what the file beside it holds; "" if all entries are in the page."""

    text: str
    older: str


class Books(NamedTuple):
    """What the page is made of. period: the turns that it tells of; seats: those that are shown, by their standing.

    courses: each account of the seats after each turn from 0 on, None while the seat is not in play.
    causes: what each cause did to each account in the period. fell: seat -> the turn since which it is out of play. over: whether the campaign is.
    """

    kept: KeptBooks
    every: Ledger
    chosen: Ledger
    period: Period
    proof: Proof
    names: Mapping[str, str]
    seats: Sequence[str]
    accounts: Sequence[str]
    courses: largest_changes.Courses
    causes: Mapping[Place, Mapping[str, int]]
    fell: Mapping[str, int]
    over: bool

    def seen(self, place: Place) -> Sequence[int | None]:
        """An account from before the period to its end, as far as it is known."""
        return self.courses.get(place, ())[max(0, self.period.first - 1) : self.period.last + 1]


def page(campaign: Campaign, every: Ledger, asked: Asked) -> Page:
    """Return the page over these entries of a campaign: of one seat, account or some turns, or of all. Raises Faults."""
    from kingdom.render.templates import environment

    books = _books(campaign, every, asked.wanted)
    listed = books.chosen.listed(SHOWN).cells[::-1]
    template = environment(places.templates() / "ledger", {}).get_template("page.html")
    text: str = template.render(view=_view(books, asked, listed))
    left = listed[ENTRIES:]
    return Page(text, f"olderEntries({_as_json(_packed(left, books.names))})\n" if left else "")


def _books(campaign: Campaign, every: Ledger, wanted: review.Wanted) -> Books:
    kept = source.opened(campaign)
    newest = kept.kept[-1].record.turn
    first, last = wanted.turns or (min(1, newest), newest)
    period = Period(first, min(last, newest))
    proved = proof.prove(campaign, kept.kept)
    names = {seat: clean(name) for seat, name in kept.names.items()}
    courses = _courses(every, proved, newest)
    counts = campaign.settings.ends.counts or campaign.game.scoring.counts or kept.accounts[:1]
    seats = _by_standing(courses, names, counts, campaign.game.scoring.fewer, period.last)
    seats = [seat for seat in seats if wanted.kingdom in ("", seat)]
    paid = campaign.game.paid_from
    accounts = sorted((each for each in kept.accounts if wanted.account in ("", each)), key=lambda each: each != paid)
    chosen = every.select(wanted)
    causes: dict[Place, dict[str, int]] = {}
    summed = chosen.select(review.Wanted(period)).sums(["kingdom", "account", "cause"], whole=False)
    for kingdom, account, cause, _, delta in summed.cells:
        if isinstance(delta, int) and delta:
            causes.setdefault((str(kingdom), str(account)), {})[str(cause)] = delta
    fell = {seat: turn for seat in seats if (turn := proof.fell(seat, proved.in_play, period.last))}
    over = bool(campaigns.over(campaign, newest + 1, campaigns.state_of(campaign, kept.kept[-1])))
    return Books(kept, every, chosen, period, proved, names, seats, accounts, courses, causes, fell, over)


def _courses(every: Ledger, proved: Proof, newest: int) -> dict[Place, list[int | None]]:
    """Return each account of each seat after each turn."""
    found: dict[Place, list[int | None]] = {}
    for turn, seat, account, balance in every.balances(newest).cells:
        assert isinstance(turn, int) and isinstance(balance, int)
        if seat in proved.in_play[turn]:
            found.setdefault((str(seat), str(account)), [None] * (newest + 1))[turn] = balance
    return found


def _by_standing(
    courses: largest_changes.Courses, names: Mapping[str, str], counts: Sequence[str], fewer: Sequence[str], turn: int
) -> list[str]:
    """Return the seats by what counts after a turn, those that are not in play last."""

    def standing(seat: str) -> tuple[bool, list[int], str]:
        balances = [courses.get((seat, account), [None] * (turn + 1))[turn] for account in counts]
        values = [balance or 0 for balance in balances]
        return (
            None in balances,
            [value if account in fewer else -value for account, value in zip(counts, values, strict=True)],
            seat,
        )

    return sorted(names, key=standing)


# --- what the template gets ------------------------------------------------------------------------------------------

Shown: TypeAlias = Mapping[str, object]  # plain data for the template


def _view(of: Books, asked: Asked, listed: Sequence[Sequence[Cell]]) -> Shown:
    """Return all that stands on the page."""
    charted = of.seats[:CHARTS]
    seats = {seat: of.names[seat] for seat in of.seats}
    reviewed = [each for each in of.kept.campaign.game.reviewed or of.accounts[:4] if each in of.accounts]
    game = of.kept.campaign.game
    changes = largest_changes.of_accounts(
        of.every, of.courses, reviewed or of.accounts, seats, of.period, asked.against
    )
    return {
        "name": clean(of.kept.campaign.settings.name), "first": max(0, of.period.first - 1), "last": of.period.last, "period": of.period.head, "span": of.period.span,
        "proof": {"entries": of.proof.entries, "turns": len(of.kept.kept), "errors": [clean(each.message) for each in of.proof.problems]},
        "over": of.over, "one": of.names.get(asked.wanted.kingdom, ""), "entries": len(of.chosen), "paths": _paths(of, charted),
        "kingdoms": _kingdoms(of, reviewed, charted), "fallen": [
            (of.names[seat], seat, turn, overview.losses(of.every, seat, Period(turn, turn), reviewed or of.accounts))
            for seat, turn in of.fell.items()
        ],
        "changes": [_change(change, side(game, change.account)) for change in changes], "stretch": largest_changes.STRETCH,
        "against": asked.against.head if asked.against else "", "periods": _periods(of, asked.compared, reviewed or of.accounts) if asked.compared else None,
        "accounts": [_account(of, number, account, charted) for number, account in enumerate(of.accounts)], "open": OPEN,
        "charts": CHARTS, "uncharted": len(of.seats) - len(charted), **_dice(of),
        "rows": [[_says(name, of.names)(str(cell)) for name, cell in zip(SHOWN, row, strict=True)] for row in listed[:PLAIN]], "heads": [HEADS.get(name, name) for name in SHOWN],
        "data": _as_json(_packed(listed[:ENTRIES], of.names)), "held": min(ENTRIES, len(listed)),
        "older": asked.older if len(listed) > ENTRIES else "",
    }  # fmt: skip


def side(game: AnyGame, account: str) -> int:
    """Return whether a rise of an account is good (1) or bad (-1) for its kingdom, 0 if neither."""
    if account in (*game.worse, *game.scoring.fewer):
        return -1
    return int(account in (*game.better, *game.scoring.counts, game.paid_from))


def colour(by: int, of: int) -> str:
    """Return the class of a change of an account with that side."""
    return "good" if by * of > 0 else "bad" if by * of < 0 else "flat"


def _paths(of: Books, charted: Sequence[str]) -> list[tuple[str, str]]:
    """Return the id and the path of each line. Its units are turns and points, so a chart only says which part is seen."""
    return [
        (f"p{number}-{at}", charts.course(max(0, of.period.first - 1), of.seen((seat, account))))
        for number, account in enumerate(of.accounts)
        for at, seat in enumerate(charted)
        if (seat, account) in of.courses
    ]


def _kingdoms(of: Books, reviewed: Sequence[str], charted: Sequence[str]) -> Shown:
    """Return the table of kingdoms: each account with its change over the period, income and spending a turn, a small line."""
    game, period = of.kept.campaign.game, of.period
    drawn = game.paid_from if game.paid_from in of.accounts else (*reviewed, *of.accounts)[0]
    rows: list[Shown] = []
    for at, seat in enumerate(of.seats):
        cells = []
        for account in reviewed:
            after, by = _over(of, (seat, account))
            cells.append({"value": after, "by": signed(by) if by else "", "side": colour(by, side(game, account))})
        flow = of.causes.get((seat, game.paid_from), {}).values()
        flows = [sum(by for by in flow if by * sign > 0) / period.turns for sign in (1, -1)]
        line = _line(of, seat, drawn, of.accounts.index(drawn), at) if seat in charted else None
        rows.append({"id": seat, "name": of.names[seat], "fell": of.fell.get(seat, 0), "cells": cells, "line": line,
                     "flows": [f"{flow:.1f}" if period.turns > 1 else f"{flow:.0f}" for flow in flows] if game.paid_from in of.accounts else []})  # fmt: skip
    return {
        "heads": [words(account) for account in reviewed],
        "drawn": words(drawn),
        "rows": rows,
        "a_turn": period.turns > 1,
    }


def _over(of: Books, place: Place) -> tuple[int, int]:
    """Return an account after the period, and its change; of a fallen kingdom up to its last turn in play."""
    seen = of.seen(place)
    after = next((balance for balance in reversed(seen) if balance is not None), 0)
    before = seen[0] if seen and of.period.first else 0
    return after, after - (before or 0)


def _line(
    of: Books, seat: str, account: str, number: int, at: int, scale: tuple[int, int] | None = None
) -> Shown | None:
    """Return a line of an account: the part that is seen, its meaning, where and how it ends. None if the seat was not in play."""
    start = max(0, of.period.first - 1)
    course = of.seen((seat, account))
    values = [value for value in course if value is not None]
    if not values:
        return None
    low, high = scale or (min(values), max(values))
    end = max(at for at, value in enumerate(course) if value is not None)
    wide, tall = max(1, len(course) - 1), max(1, high - low)
    after, by = _over(of, (seat, account))
    return {
        "path": f"p{number}-{at}", "box": f"{start} {-high} {wide} {tall}", "side": colour(by, side(of.kept.campaign.game, account)),
        "fell": of.fell.get(seat, 0), "end": after, "by": signed(by), "left": round(100 * end / wide), "top": round(100 * (high - after) / tall),
    }  # fmt: skip


def _change(change: largest_changes.LargestChange, of: int) -> Shown:
    return {
        "kingdom": change.kingdom, "account": change.account, "turns": change.period.span, "head": change.head,
        "why": " ".join(change.why), "side": colour(change.by, of),
    }  # fmt: skip


def _account(of: Books, number: int, account: str, charted: Sequence[str]) -> Shown:
    """Return an account: a small chart and the bars of its causes for each kingdom, all on one scale."""
    values = [value for seat in charted for value in of.seen((seat, account)) if value is not None]
    low, high = (min(values), max(values)) if values else (0, 0)
    largest = max((abs(by) for seat in charted for by in of.causes.get((seat, account), {}).values()), default=1)
    its = side(of.kept.campaign.game, account)
    return {
        "id": account, "number": number, "name": words(account).capitalize(), "low": low, "high": high,
        "charts": [
            {
                "kingdom": seat, "name": of.names[seat], "line": _line(of, seat, account, number, at, (low, high)),
                "bars": _bars(of.causes.get((seat, account), {}), its, largest),
            }
            for at, seat in enumerate(charted)
        ],
    }  # fmt: skip


def _bars(causes: Mapping[str, int], of: int, largest: int) -> list[Shown]:
    """Return what each cause gave or took, the most given first; those that moved least are one bar, which names no cause."""
    weightiest = sorted(causes, key=lambda cause: (-abs(causes[cause]), cause))
    kept = weightiest if len(weightiest) <= CAUSES else weightiest[: CAUSES - 1]
    bars = [(cause, words(cause), causes[cause]) for cause in sorted(kept, key=lambda cause: (-causes[cause], cause))]
    if others := weightiest[len(kept) :]:
        bars.append(("", f"{len(others)} others", sum(causes[cause] for cause in others)))
    return [
        {"cause": cause, "name": name, "by": signed(by), "wide": round(100 * abs(by) / largest), "side": colour(by, of)}
        for cause, name, by in bars
    ]


def _dice(of: Books) -> Shown:
    """Return the rows of the table of dice, their figures as texts, "" for those that too few rolls can't give."""
    rolls = [roll for kept in of.kept.kept[of.period.first : of.period.last + 1] for roll in campaigns.rolls_of(kept)]
    thrown = [results for results in review.dice_results(rolls) if results.kingdom in (*of.seats, GM)]
    return {
        "dice": [
            {
                "name": of.names.get(each.kingdom, "The GM"), "sides": each.sides, "rolls": each.rolls, "by_hand": each.by_hand or "",
                "mean": f"{each.mean:.2f}", "fair": f"{each.fair_mean:g} ± {each.error:.2f}",
                "spread": "" if each.spread is None else f"{each.spread:.2f}", "fair_spread": f"{each.fair_spread:.2f}",
                "uneven": "" if each.uneven is None else f"{each.uneven:.1f}", "odds": "" if each.odds is None else f"{each.odds * 100:.0f} %",
            }
            for each in thrown if each.rolls >= OFTEN
        ],
        "often": OFTEN, "few": sum(results.rolls for results in thrown if results.rolls < OFTEN),
    }  # fmt: skip


def _periods(of: Books, rows: Rows, reviewed: Sequence[str]) -> Shown:
    """Return the table of periods, those of the reviewed accounts first, the others folded."""
    at = {name: rows.columns.index(name) for name in ("account", "kingdom", "cause") if name in rows.columns}
    first: list[Shown] = []
    others: list[Shown] = []
    for account in sorted(of.accounts, key=lambda account: (*reviewed, account).index(account)):
        for row in rows.cells:
            if row[at["account"]] == account:
                named = {name: str(row[place]) for name, place in at.items()}
                said = [_says(name, of.names)(word) for name, word in named.items()]
                figures = ["" if cell is None else str(cell) for cell in row[len(at) :]]
                (first if account in reviewed else others).append(
                    {"kingdom": "", "cause": "", **named, "said": said, "figures": figures}
                )
    return {"names": list(at), "heads": rows.columns[len(at) :], "parts": [first, others]}


# --- entries ---------------------------------------------------------------------------------------------------------


def _says(column: str, names: Mapping[str, str]) -> Callable[[str], str]:
    """Return a function from what the ledger holds in a column to what the page shows."""
    if column == "kingdom":
        return lambda seat: names.get(seat, seat)
    return clean if column == "detail" else words


def _packed(rows: Sequence[Sequence[Cell]], names: Mapping[str, str]) -> list[Shown]:
    """Return the columns of entries for the script: numbers, or words that stand once with the place of each row's word. said: each word as people read it, if that is something else."""
    columns = list[Shown]()
    for name, cells in zip(SHOWN, zip(*rows, strict=True) if rows else [()] * len(SHOWN), strict=True):
        column: dict[str, Any] = {"name": name, "head": HEADS.get(name, name), "rows": [], "words": [], "said": []}
        if name in NUMBERS:
            column["rows"] = [cell for cell in cells if isinstance(cell, int)]
        else:
            column["words"], column["rows"] = _numbered(map(str, cells))
            said = [*map(_says(name, names), column["words"])]
            if name == "detail":
                column["words"] = said
            elif said != column["words"]:
                column["said"] = said
        columns.append(column)
    return columns


def _numbered(cells: Iterable[str]) -> tuple[list[str], list[int]]:
    """Return each different word once, and the place of each cell's word among them."""
    places_: dict[str, int] = {}
    rows = [places_.setdefault(cell, len(places_)) for cell in cells]
    return list(places_), rows


def _as_json(value: object) -> charts.Drawing:
    """Return JSON that can stand in a page: nothing in it ends the element that it stands in."""
    return charts.Drawing(msgspec.json.encode(value).decode().replace("<", "\\u003c"))

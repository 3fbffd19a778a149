"""The page of the ledger review: tables to sort and filter, charts of accounts, causes, ranks and dice. One file, no outside resource.

Without a script it shows the newest rows; with one, all of them. A page leaves out what is too much for it, and says
what.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, SupportsInt, TypeAlias, TypedDict

import msgspec

from kingdom.books import review
from kingdom.books.exports import source
from kingdom.books.exports.source import KeptBooks
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.orders import places
from kingdom.render import charts
from kingdom.render.plain_text import clean

if TYPE_CHECKING:
    from pandas import DataFrame, Series

ENTRIES = 50_000  # of the newest, which the page lists
PLAIN = 100  # rows of a table that show without a script
OFTEN = 20  # times that a seat must have thrown a kind of die for a row of its own
CAUSES = 12  # bars of a chart; the causes that moved least are one bar together
SHOWN = ["turn", "kingdom", "account", "delta", "balance", "cause", "detail", "phase", "step"]


class Seat(NamedTuple):
    """A seat of the page. number: of its line in the charts, None if they have no room for it."""

    id: str
    name: str
    number: int | None


class Causes(TypedDict):
    """The changes of an account of a seat: a chart by cause, the sum of gains and of losses."""

    seat: Seat
    chart: str
    came: int
    went: int


class Account(TypedDict):
    """An account: its name, whether orders are paid from it, its balances as a chart, what moved it seat by seat."""

    id: str
    name: str
    paid: bool
    chart: charts.Drawing
    causes: list[Causes]


class Die(TypedDict):
    """A row of the table of dice, its figures as texts, "" for those that too few rolls can't give."""

    name: str
    sides: int
    rolls: int
    by_hand: int
    mean: str
    fair: str
    spread: str
    fair_spread: str
    uneven: str
    odds: str
    chart: str


class Column(TypedDict):
    """The head of a column of a table."""

    name: str
    number: bool


class Table(TypedDict):
    """A table that the script sorts and filters. rows: the first ones; data: all, packed; left: how many are left out."""

    id: str
    caption: str
    head: list[Column]
    rows: list[list[int | str]]
    count: int
    left: int
    data: charts.Drawing


class View(TypedDict):
    """The data of the template. lines: the most in a chart; often: the rolls that a row of dice needs; few: rolls without a row."""

    name: str
    first: int
    last: int
    entries: int
    every: int
    seats: list[Seat]
    lines: int
    accounts: list[Account]
    ranked: str
    ranks: charts.Drawing
    dice: list[Die]
    often: int
    few: int
    tables: list[Table]


Packed: TypeAlias = list[int | str] | dict[str, list[str] | list[int]]  # a column for the script


class Reviewed(NamedTuple):
    """The content of the page. entries: those that pass the filter; balances: after each chosen turn, of the chosen seats and accounts.

    ranks: seat -> its place after each turn from `first` to `last`, None while it was not in play; by: the accounts that it goes by.
    """

    books: KeptBooks
    entries: DataFrame
    balances: DataFrame
    seats: list[Seat]
    accounts: list[str]
    first: int
    last: int
    ranks: Mapping[str, Sequence[int | None]]
    by: Sequence[str]


def page(campaign: Campaign, every: DataFrame, wanted: review.Wanted) -> str:
    """The page over these entries of a campaign: of one seat, account or some turns, or of all. Raises Faults."""
    from kingdom.render.templates import environment

    template = environment(places.templates() / "ledger", {"swatch": charts.swatch}).get_template("page.html")
    text: str = template.render(view=_view(_reviewed(campaign, every, wanted), len(every)))
    return text


def _reviewed(campaign: Campaign, every: DataFrame, wanted: review.Wanted) -> Reviewed:
    books = source.opened(campaign)
    newest = books.kept[-1].record.turn
    first, last = wanted.turns or (0, newest)
    last = min(last, newest)
    balances = review.balances(every, newest)
    by = campaign.settings.ends.counts or campaign.game.scoring.counts or books.accounts[:1]
    ranks = _ranks(balances, list(by), first, last)
    in_order = sorted(ranks, key=lambda seat: (ranks[seat][-1] is None, ranks[seat][-1], seat))
    ids = [seat for seat in in_order if wanted.kingdom in ("", seat)]
    names = {seat: clean(name) for seat, name in books.names.items()}
    seats = [
        Seat(seat, names.get(seat, seat), number if number < charts.LINES else None) for number, seat in enumerate(ids)
    ]
    paid = campaign.game.paid_from
    accounts = sorted(
        (each for each in books.accounts if wanted.account in ("", each)), key=lambda account: account != paid
    )
    chosen = balances["turn"].between(first, last) & balances["kingdom"].isin(ids) & balances["account"].isin(accounts)
    return Reviewed(books, review.select(every, wanted), balances[chosen], seats, accounts, first, last, ranks, by)


def _ranks(balances: DataFrame, by: list[str], first: int, last: int) -> dict[str, list[int | None]]:
    """Seat -> its place after each turn: by the first account, then the next; equal seats share a place."""
    table = balances[balances["account"].isin(by)].pivot(index=["turn", "kingdom"], columns="account", values="balance")
    found: dict[str, list[int | None]] = {seat: [] for seat in sorted(balances["kingdom"].unique())}
    values: dict[int, dict[str, tuple[int, ...]]] = {}
    rows = table.reindex(columns=by, fill_value=0).itertuples(index=False, name=None)
    for (turn, seat), row in zip(table.index, rows, strict=True):
        values.setdefault(turn, {})[seat] = row
    for turn in range(first, last + 1):
        now = values.get(turn, {})
        for seat, places_ in found.items():
            places_.append(1 + sum(other > now[seat] for other in now.values()) if seat in now else None)
    return found


# --- what the template gets ------------------------------------------------------------------------------------------


def _view(of: Reviewed, entries: int) -> View:
    settings = of.books.campaign.settings
    rolls = [roll for kept in of.books.kept[of.first : of.last + 1] for roll in campaigns.rolls_of(kept)]
    seats = {seat.id: seat for seat in of.seats}
    thrown = [results for results in review.dice_results(rolls) if results.kingdom in (*seats, GM)]
    often = [results for results in thrown if results.rolls >= OFTEN]
    return {
        "name": clean(settings.name), "first": of.first, "last": of.last, "entries": len(of.entries), "every": entries,
        "seats": of.seats, "lines": charts.LINES, "accounts": [_account(of, number, account) for number, account in enumerate(of.accounts)],
        "ranked": ", then ".join(map(_said, of.by)), "ranks": _ranks_chart(of),
        "dice": [_die(results, seats, number) for number, results in enumerate(often)], "often": OFTEN,
        "few": sum(results.rolls for results in thrown if results.rolls < OFTEN),
        "tables": _tables(of),
    }  # fmt: skip


def _said(word: str) -> str:
    return word.replace("_", " ")


def _drawn(of: Reviewed) -> list[Seat]:
    """The seats that have a line."""
    return [seat for seat in of.seats if seat.number is not None]


def _ranks_chart(of: Reviewed) -> charts.Drawing:
    return charts.over_turns(
        "ranks", "Rank by turn", of.first, [of.ranks[seat.id] for seat in _drawn(of)], upside_down=True
    )


def _account(of: Reviewed, number: int, account: str) -> Account:
    """Return an account: its balances over the turns, and its changes, seat by seat."""
    own = of.balances[of.balances["account"] == account].pivot(index="turn", columns="kingdom", values="balance")
    own = own.reindex(index=range(of.first, of.last + 1))
    lines = [
        [None if value != value else int(value) for value in own[seat.id]] if seat.id in own else []
        for seat in _drawn(of)
    ]
    entries = of.entries[of.entries["account"] == account]
    causes = entries.groupby(["kingdom", "cause"], observed=True)["delta"].sum()
    return {
        "id": account, "name": _said(account).capitalize(), "paid": account == of.books.campaign.game.paid_from,
        "chart": charts.over_turns(f"over-{number}", f"{_said(account).capitalize()} by turn", of.first, lines),
        "causes": [_causes(seat, account, f"causes-{number}-{seat.number}", causes) for seat in _drawn(of)],
    }  # fmt: skip


def _causes(seat: Seat, account: str, name: str, causes: Series) -> Causes:
    """Return the gains and losses of an account of a seat by cause, the largest first."""
    own = causes[seat.id] if seat.id in causes.index.get_level_values(0) else causes.iloc[:0]
    sums = {str(cause): int(delta) for cause, delta in own.items() if delta}
    weightiest = sorted(sums, key=lambda cause: -abs(sums[cause]))
    kept = weightiest if len(weightiest) <= CAUSES else weightiest[: CAUSES - 1]
    points = [charts.Point(_said(cause), sums[cause]) for cause in sorted(kept, key=lambda cause: -sums[cause])]
    if len(kept) < len(sums):
        points.append(
            charts.Point(f"{len(sums) - len(kept)} others", sum(sums[cause] for cause in sums if cause not in kept))
        )
    came, went = (sum(value for value in sums.values() if value * sign > 0) for sign in (1, -1))
    chart = charts.bars(name, f"{_said(account).capitalize()} of {seat.name} by cause", points) if points else ""
    return {"seat": seat, "chart": chart, "came": came, "went": went}


def _die(each: review.DiceResults, seats: Mapping[str, Seat], number: int) -> Die:
    """A row of the table of dice, with a picture of the faces."""
    name = seats[each.kingdom].name if each.kingdom in seats else "The GM"
    title = f"Faces of {each.rolls} d{each.sides} of {name}"
    return {
        "name": name, "sides": each.sides, "rolls": each.rolls, "by_hand": each.by_hand, "mean": f"{each.mean:.2f}",
        "fair": f"{each.fair_mean:g} ± {each.error:.2f}", "spread": "" if each.spread is None else f"{each.spread:.2f}",
        "fair_spread": f"{each.fair_spread:.2f}", "uneven": "" if each.uneven is None else f"{each.uneven:.1f}",
        "odds": "" if each.odds is None else f"{each.odds * 100:.0f} %",
        "chart": charts.faces(f"faces-{number}", title, each.faces, each.rolls / each.sides) if each.uneven is not None else "",
    }  # fmt: skip


# --- tables that the script sorts and filters ------------------------------------------------------------------------


def _tables(of: Reviewed) -> list[Table]:
    across = review.across_accounts(of.balances) if len(of.balances) else of.balances
    sums = review.sums(of.entries, ["kingdom", "account", "phase", "cause"], whole=False)
    listed = of.entries[SHOWN].tail(ENTRIES)
    left = len(of.entries) - len(listed)
    return [
        _table("balances", "Balances after each turn", across.iloc[::-1]),
        _table("sums", "Sums by cause", sums),
        _table("entries", "Entries, the newest first", listed.iloc[::-1], left=left),
    ]


def _table(id_: str, caption: str, frame: DataFrame, left: int = 0) -> Table:
    """A table: its first rows as they are, and all of them packed for the script."""
    numbers = [frame[column].dtype.kind == "i" for column in frame]
    head: list[Column] = [{"name": column, "number": number} for column, number in zip(frame, numbers, strict=True)]
    rows = [[_cell(value) for value in row] for row in frame.head(PLAIN).itertuples(index=False, name=None)]
    packed = [_packed(frame[column], number) for column, number in zip(frame, numbers, strict=True)]
    return {
        "id": id_,
        "caption": caption,
        "head": head,
        "rows": rows,
        "count": len(frame),
        "left": left,
        "data": _as_json(packed),
    }


def _cell(value: str | SupportsInt) -> int | str:
    """A value for the page: a whole number, a text with nothing in it that could move other text, or nothing."""
    from pandas import isna

    return clean(value) if isinstance(value, str) else "" if isna(value) else int(value)


def _packed(column: Series, number: bool) -> Packed:
    """A column: its numbers, or each of its words once and which of them stands in each row."""
    if number:
        return [_cell(value) for value in column]
    codes, words = column.astype(object).factorize()
    return {"words": [clean(str(word)) for word in words], "rows": codes.tolist()}


def _as_json(value: object) -> charts.Drawing:
    """JSON that can stand in a page: nothing in it ends the element that it stands in."""
    return charts.Drawing(msgspec.json.encode(value).decode().replace("<", "\\u003c"))

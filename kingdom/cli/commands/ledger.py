"""kingdom ledger: a review of the entries of all turns."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from kingdom.books import review
from kingdom.campaign import store
from kingdom.campaign.errors import fault
from kingdom.campaign.settings import FILE
from kingdom.cli.commands import USAGE, OfCampaign, Said
from kingdom.render import terminal

if TYPE_CHECKING:
    from pandas import DataFrame

_COLUMNS = ["turn", "kingdom", "account", "delta", "balance", "cause", "detail"]
_OF_ORDERS = ["turn", "by", "order", "kingdom", "account", "delta", "without", "cause", "detail"]
_NOT_TOGETHER = (  # pairs of options that exclude each other
    ("html", "by"), ("html", "csv"), ("html", "compare"), ("html", "balances"), ("html", "order"), ("html", "phase"),
    ("html", "cause"), ("html", "ruling"), ("order", "by"), ("order", "compare"), ("order", "balances"), ("order", "account"),
    ("order", "phase"), ("order", "cause"), ("order", "ruling"), ("balances", "by"), ("balances", "phase"), ("balances", "cause"),
    ("balances", "ruling"), ("compare", "kingdom"),
)  # fmt: skip


class _Table(NamedTuple):
    """A table as rows for other programs, and cut to the terminal's width for people."""

    rows: DataFrame
    shown: list[DataFrame]


class Args(OfCampaign, Protocol):
    """The arguments of `kingdom ledger`."""

    kingdom: str
    account: str
    phase: str
    cause: str
    turn: tuple[int, int] | None
    ruling: str
    order: str | None
    by: list[str] | None
    balances: bool
    compare: tuple[str, str] | None
    html: str | None
    csv: str | None
    last: int


def run_ledger(args: Args) -> Said:
    """Print entries, sums, balances or a comparison, only the newest rows if a terminal has no room for all. Or write a page."""
    both = next((pair for pair in _NOT_TOGETHER if all(getattr(args, name) for name in pair)), None)
    if both:
        return Said(
            notes=[
                f"kingdom ledger: --{both[0]} and --{both[1]} don't go together. `kingdom ledger --help` says more."
            ],
            code=USAGE,
        )
    folder = Path(args.campaign)
    wanted = review.Wanted(args.turn, args.kingdom, args.account, args.phase, args.cause, args.ruling)
    every = _entries(folder)
    _known(folder, every, wanted, args.compare)
    if args.html:
        from kingdom.books import review_page
        from kingdom.campaign import campaign as campaigns
        from kingdom.campaign import output

        page = review_page.page(campaigns.open_campaign(folder), every, wanted)
        output.put(Path(args.html), page.encode())
        return Said([f"The review is in {args.html}."])
    table = _table(args, folder, every, wanted)
    if not args.csv:
        return _printed(table, args.last)
    data = review.as_csv(table.rows)
    if args.csv == "-":
        return Said(raw=data)
    from kingdom.campaign import output

    output.put(Path(args.csv), data)
    return Said([f"{len(table.rows)} rows are in {args.csv}."])


def _table(args: Args, folder: Path, every: DataFrame, wanted: review.Wanted) -> _Table:
    """Return the table that the options ask for."""
    if args.order:
        frame = _of_order(folder, args.order, wanted)
        return _Table(frame, [frame])
    if args.balances:
        return _balances(folder, every, wanted, args.compare)
    frame = review.select(every, wanted)
    if args.compare:
        by = [column for column in args.by or ["cause"] if column != "kingdom"]
        compared = review.compared(frame[frame["kingdom"].isin(args.compare)], args.compare, by)
        return _Table(compared, [compared])
    if not args.by:
        return _Table(frame, [frame[_COLUMNS]])
    rows = review.sums(frame, args.by, whole=not (wanted.phase or wanted.cause or wanted.ruling))
    if len(args.by) != 2 or not len(rows):
        return _Table(rows, [rows])
    return _Table(rows, review.in_blocks(review.pivot(frame, *args.by), 1 if "account" in args.by else 2, _width()))


def _balances(folder: Path, every: DataFrame, wanted: review.Wanted, seats: tuple[str, str] | None) -> _Table:
    """Return the balances after a turn (by default the newest) or after each of several turns."""
    newest = _newest(folder)
    turns = wanted.turns or (newest, newest)
    tidy = review.balances(review.select(every, wanted._replace(turns=None)), newest)
    tidy = tidy[tidy["turn"].between(*turns)]
    if seats:
        both = tidy[tidy["kingdom"].isin(seats)]
        table = review.compared(both, seats, ["turn"], balance=True)
        return _Table(table, [table])
    return _Table(tidy, review.in_blocks(review.across_accounts(tidy), 2, _width()) if len(tidy) else [tidy])


def _of_order(folder: Path, words: str, wanted: review.Wanted) -> DataFrame:
    """Return the entries that the named orders caused, each in its turn. Raises Faults if there is no such order."""
    import pandas

    from kingdom.books import order_effects
    from kingdom.campaign import campaign as campaigns

    campaign = campaigns.open_campaign(folder)
    newest = campaigns.newest(campaign)
    first, last = wanted.turns or (1, newest)
    turns = range(max(1, first), min(last, newest) + 1)
    orders = list(order_effects.found(campaign, words, [wanted.kingdom] if wanted.kingdom else [], turns))
    if not orders:
        raise fault("no_such_order", folder, word=words)
    rows = [(order.turn, order.kingdom, order.path, *effect[1:]) for order, effects in orders for effect in effects]
    return pandas.DataFrame(rows, columns=_OF_ORDERS)


def _printed(table: _Table, last: int) -> Said:
    """Return the table for the terminal, only the newest rows if there are too many."""
    rows = len(table.shown[0])
    notes = [] if rows else ["No entry is like that."]
    if last and rows > last:
        notes = [f"These are the last {last} of {rows} rows; --last 0 shows all, --csv FILE writes them."]
    lines: list[str] = []
    for block in table.shown:
        lines += [""] * bool(lines) + review.as_text(block.tail(last) if last else block, _width())
    return Said(lines, notes)


def _entries(folder: Path) -> DataFrame:
    """Return every entry of the campaign. Raises Faults if there is none or a ledger is broken."""
    if not (folder / FILE).is_file():
        raise fault("no_campaign", folder)
    numbers = store.numbers(folder / "turns")
    if not numbers:
        raise fault("no_turns", folder)
    files = [folder / "turns" / store.name_of(number) / "ledger.csv" for number in numbers]
    ledgers = {file: store.read(file) for file in files}
    try:
        return review.entries(ledgers.values())
    except ValueError:
        from kingdom.campaign.campaign import decode_entries  # it names the broken line

        for file, data in ledgers.items():
            decode_entries(data, file)
        raise


def _known(folder: Path, every: DataFrame, wanted: review.Wanted, seats: Iterable[str] | None) -> None:
    """Raise Faults if an option names a word or a turn that does not exist, with the nearest one."""
    newest = _newest(folder)
    if wanted.turns and wanted.turns[0] > newest:
        raise fault("no_turn", folder, turn=wanted.turns[0], newest=newest)
    asked = [(column, getattr(wanted, column)) for column in review.FILTERS] + [
        ("kingdom", seat) for seat in seats or ()
    ]
    for column, word in asked:
        if word and word not in every[column].cat.categories:
            _in_words(folder, column, word, _words(folder, column, every))
    if wanted.ruling and wanted.ruling not in (named := review.rulings(every)):
        from kingdom.campaign import campaign as campaigns

        tables = campaigns.open_campaign(folder).game.Rules.__struct_fields__
        _in_words(folder, "ruling", wanted.ruling, sorted({*named, *tables}))


def _newest(folder: Path) -> int:
    """Return the number of the newest kept turn."""
    return store.numbers(folder / "turns")[-1]


def _in_words(folder: Path, what: str, word: str, known: list[str]) -> None:
    if word not in known:
        from kingdom.engine.problems import cure

        raise fault("no_entries", folder, what=what, word=word, cure=cure(word, known)[0])


def _words(folder: Path, column: str, every: DataFrame) -> list[str]:
    """Return the words that a column may have in this campaign."""
    from kingdom.campaign import campaign as campaigns

    campaign = campaigns.open_campaign(folder)
    game, turn = campaign.game, campaigns.kept(campaign)
    more: dict[str, Iterable[str]] = {
        "kingdom": turn.record.seats,
        "phase": [phase.name for phase in game.phases],
        "cause": game.causes,
        "account": game.accounts(
            campaigns.state_of(campaign, turn), turn.record.seats[0], campaigns.rules_of(campaign, turn).rules
        ),
    }
    return sorted({*every[column].cat.categories, *more[column]})


def _width() -> int:
    """Return the columns of the terminal; 80 if the output goes elsewhere."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return terminal.COLUMNS

"""kingdom ledger: a review of the entries of all turns."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kingdom.books import ledgers, review, rows
from kingdom.books.ledgers import Ledger
from kingdom.books.rows import Rows
from kingdom.campaign import store
from kingdom.campaign.errors import fault
from kingdom.cli import campaign_folders
from kingdom.cli.commands import USAGE, Said
from kingdom.render import terminal

if TYPE_CHECKING:
    from kingdom.books.periods import Period

_COLUMNS = ["turn", "kingdom", "account", "delta", "balance", "cause", "detail"]
_OF_ORDERS = ["turn", "by", "order", "kingdom", "account", "delta", "without", "cause", "detail"]
_NOT_TOGETHER = (  # pairs of options that exclude each other
    ("html", "by"), ("html", "csv"), ("html", "compare"), ("html", "balances"), ("html", "order"), ("html", "phase"),
    ("html", "cause"), ("html", "ruling"), ("order", "by"), ("order", "compare"), ("order", "balances"), ("order", "account"),
    ("order", "phase"), ("order", "cause"), ("order", "ruling"), ("balances", "by"), ("balances", "phase"), ("balances", "cause"),
    ("balances", "ruling"), ("compare", "kingdom"), ("against", "every"), ("against", "trend"), 
    ("order", "against"), ("order", "every"), ("compare", "against"), ("compare", "every"),
)  # fmt: skip
_NEEDS = {"against": "turn", "trend": "every", "excel": "csv"}  # an option -> the option that it needs


class _Table(NamedTuple):
    """A table: all rows for other programs, and `shown` for people, cut to the terminal's width. in_all: the number of rows;
    `shown` may have only the newest."""

    rows: Rows
    shown: list[Rows]
    in_all: int
    notes: Sequence[str] = ()


def run_ledger(args: Namespace) -> Said:
    """Print entries, sums, balances or a comparison, or write them as a page. On a terminal without room for all rows only the
    newest appear."""
    if misused := _misused(args):
        return Said(notes=[f"kingdom ledger: {misused} `kingdom ledger --help` says more."], code=USAGE)
    folder = Path(args.campaign)
    wanted = review.Wanted(args.turn, args.kingdom, args.account, args.phase, args.cause, args.ruling)
    if not campaign_folders.is_campaign(args.campaign):
        raise fault("no_campaign", folder)
    if args.html:
        return write_page(args.html, folder, wanted, args.force, args)
    every = ledgers.opened(ledgers.files(folder))
    _known(folder, every, wanted, args.compare, args.against)
    table = _table(args, folder, every, wanted)
    if not args.csv:
        return _printed(table, args.last)
    data = rows.as_csv(table.rows, args.excel)
    if args.csv == "-":
        return Said(raw=data)
    from kingdom.campaign import output

    output.put(Path(args.csv), data, output.begins_like_csv(data), args.force, private=True)
    return Said([f"{len(table.rows.cells)} rows are in {args.csv}."])


def _misused(args: Namespace) -> str:
    """Say which options don't go together, "" if all do."""
    for one, other in _NOT_TOGETHER:
        if getattr(args, one) and getattr(args, other):
            return f"--{one} and --{other} don't go together."
    for one, other in _NEEDS.items():
        if getattr(args, one) and not getattr(args, other):
            return f"--{one} needs --{other}."
    if (args.against or args.every) and "turn" in (args.by or ()):
        return "--by turn does not go with periods of turns."
    return "--turn and --against name the same turns." if args.against and args.against == args.turn else ""


def write_page(file: str, folder: Path, wanted: review.Wanted, force: bool, args: Namespace | None = None) -> Said:
    """Write the page of the review, and beside it a file of the entries for which the page has no room. Raises Faults.

    args: options that set periods side by side.
    """
    from kingdom.books import review_page
    from kingdom.campaign import campaign as campaigns
    from kingdom.campaign import output

    ledger = ledgers.opened(ledgers.files(folder))
    against = args.against if args else None
    _known(folder, ledger, wanted, against=against)
    older = Path(file).with_name(f"{Path(file).stem}-older.js")
    is_own, is_own_older = output.begins(rb".*<title>[^<]*: the books of "), output.begins(rb"olderEntries\(")
    output.prove(Path(file), is_own, force)
    output.prove(older, is_own_older, force)
    asked = review_page.Asked(wanted, older=older.name)
    notes: Sequence[str] = ()
    if args and (args.against or args.every):
        chosen, by = ledger.select(wanted._replace(turns=None)), ["cause"] if wanted.kingdom else ["kingdom"]
        compared = _periods(args, chosen, _newest(folder), by)
        asked = asked._replace(compared=compared.rows, against=_parts(args, _newest(folder))[0][0] if against else None)
        notes = compared.notes
    page = review_page.page(campaigns.open_campaign(folder), ledger, asked)
    if page.older:
        output.put(older, page.older.encode(), is_own_older, force, private=True)
    output.put(Path(file), page.text.encode(), is_own, force, private=True)
    more = f" Keep {older.name} beside it: the older entries are in it." if page.older else ""
    return Said([f"The review is in {file}.{more}"], notes)


def _table(args: Namespace, folder: Path, every: Ledger, wanted: review.Wanted) -> _Table:
    """Return the table that the options ask for."""
    if args.order:
        return _whole(_of_order(folder, args.order, wanted))
    if args.against or args.every:
        chosen = every.select(wanted._replace(turns=None))
        return _periods(args, chosen, _newest(folder), args.by or ["cause"])
    if args.balances:
        return _balances(folder, every, wanted, args.compare)
    chosen = every.select(wanted)
    if args.compare:
        by = [column for column in args.by or ["cause"] if column != "kingdom"]
        parts = {seat: chosen.select(review.Wanted(kingdom=seat)).sums(by, whole=False) for seat in args.compare}
        return _whole(rows.compared(parts, list(dict.fromkeys(["account", *by])), "delta"))
    if not args.by and args.csv:
        return _whole(chosen.listed())
    if not args.by:
        newest = chosen.listed(_COLUMNS, args.last)
        return _Table(newest, [newest], len(chosen))
    sums = chosen.sums(args.by, whole=not (wanted.phase or wanted.cause or wanted.ruling))
    if len(args.by) != 2 or not sums.cells:
        return _whole(sums)
    return _whole(sums, rows.in_blocks(rows.pivot(sums, *args.by), 1 if "account" in args.by else 2, terminal_width()))


def _whole(table: Rows, shown: list[Rows] | None = None) -> _Table:
    """Return a table from complete rows. shown: the rows as people see them, if they differ."""
    shown = shown or [table]
    return _Table(table, shown, len(shown[0].cells))


def _periods(args: Namespace, chosen: Ledger, newest: int, by: Sequence[str]) -> _Table:
    """Return two periods of turns side by side, or one after another."""
    from kingdom.books import periods

    parts, left = _parts(args, newest)
    if args.balances:
        names: Sequence[str] = periods.OF_BALANCES
        figures = totalled = periods.balances(chosen.balances(newest), parts)
    else:
        names = periods.names_of(by)
        figures = periods.sums(chosen, by, parts)
        totalled = periods.with_totals(figures)
    if args.against:
        tables = [periods.two(values, names, *parts) for values in (figures, totalled)]
    elif args.trend:
        tables = [periods.trend(values, names, parts) for values in (figures, totalled)]
    else:
        tables = [periods.one_after_another(values, names, parts, not args.balances) for values in (figures, totalled)]
    return _whole(tables[0], rows.in_blocks(tables[1], len(names), terminal_width()))._replace(notes=left)


def _parts(args: Namespace, newest: int) -> tuple[list[Period], list[str]]:
    """Return the periods, and a note if a last one is left out: a trend of sums compares only periods of one length."""
    from kingdom.books.periods import Period, of_length

    first, last = args.turn or (min(1, newest), newest)
    whole = Period(first, min(last, newest))
    if args.against:
        return [Period(args.against[0], min(args.against[1], newest)), whole], []
    parts = of_length(whole, args.every or 1)
    if not args.trend or args.balances or len(parts) == 1 or parts[-1].turns == args.every:
        return parts, []
    return parts[:-1], [f"The trend compares periods of {args.every} turns and leaves out {parts[-1].head}."]


def _balances(folder: Path, every: Ledger, wanted: review.Wanted, seats: tuple[str, str] | None) -> _Table:
    """Return the balances after a turn (by default the newest) or after each of several turns."""
    newest = _newest(folder)
    turns = wanted.turns or (newest, newest)
    chosen = every.select(wanted._replace(turns=None))
    if seats:
        parts = {seat: chosen.select(review.Wanted(kingdom=seat)).balances(newest).between(*turns) for seat in seats}
        return _whole(rows.compared(parts, ["account", "turn"], "balance"))
    tidy = chosen.balances(newest).between(*turns)
    return _whole(tidy, rows.in_blocks(rows.across_accounts(tidy), 2, terminal_width()) if tidy.cells else None)


def _of_order(folder: Path, words: str, wanted: review.Wanted) -> Rows:
    """Return the entries that the named orders caused, each in its turn. Raises Faults if there is no such order."""
    from kingdom.books import order_effects
    from kingdom.campaign import campaign as campaigns

    campaign = campaigns.open_campaign(folder)
    newest = campaigns.newest(campaign)
    first, last = wanted.turns or (1, newest)
    turns = range(max(1, first), min(last, newest) + 1)
    orders = list(order_effects.found(campaign, words, [wanted.kingdom] if wanted.kingdom else [], turns))
    if not orders:
        raise fault("no_such_order", folder, word=words)
    cells = [(order.turn, order.kingdom, order.path, *effect[1:]) for order, effects in orders for effect in effects]
    return Rows(_OF_ORDERS, [column in ("turn", "delta", "without") for column in _OF_ORDERS], cells)


def _printed(table: _Table, last: int) -> Said:
    """Return the table for the terminal, only the newest rows if there are too many."""
    notes = [*table.notes] if table.in_all else ["No entry is like that."]
    if last and table.in_all > last:
        notes += [f"These are the last {last} of {table.in_all} rows; --last 0 shows all, --csv FILE writes them."]
    lines: list[str] = []
    for block in table.shown:
        newest = block._replace(cells=block.cells[-last:])
        lines += [""] * bool(lines) + rows.as_text(newest, terminal_width())
    return Said(lines, notes)


def _known(
    folder: Path,
    every: Ledger,
    wanted: review.Wanted,
    seats: Iterable[str] | None = None,
    against: tuple[int, int] | None = None,
) -> None:
    """Raise Faults if an option names a word or a turn that does not exist, with the nearest one."""
    newest = _newest(folder)
    for turns in (wanted.turns, against):
        if turns and turns[0] > newest:
            raise fault("no_turn", folder, turn=turns[0], newest=newest)
    asked = [(column, getattr(wanted, column)) for column in review.FILTERS] + [
        ("kingdom", seat) for seat in seats or ()
    ]
    for column, word in asked:
        if word and word not in every.words(column):
            _in_words(folder, column, word, _words(folder, column, every))
    if wanted.ruling and wanted.ruling not in (named := every.rulings()):
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


def _words(folder: Path, column: str, every: Ledger) -> list[str]:
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
    return sorted({*every.words(column), *more[column]})


def terminal_width() -> int:
    """Return the columns of the terminal; 80 if the output goes elsewhere."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return terminal.COLUMNS

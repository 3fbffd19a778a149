"""The figures of `scripts/bench` that are measured on one campaign, each with what is measured and what it is held against.

Whole processes are started by scripts/kingdom, as a user does, with the program's caches warm.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import shutil
import sys
from collections.abc import Callable
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from bench_campaign import Workbench
from bench_measure import KINGDOM, Used, cpu_of, exponent, figure, ratio, seconds, spin, used_by, wall_of

from kingdom.campaign import audit, csv_text, filings, keeping, next_turn, store
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.filings import Filings
from kingdom.campaign.next_turn import Draft
from kingdom.engine import ledger
from kingdom.engine.dice import Dice
from kingdom.engine.step import Result
from kingdom.orders import places
from kingdom.orders.tables import Tables
from kingdom.render import reports

ENTRIES, TURNS = 100_000, 100  # of the large ledger that is reviewed
SMALL_ENTRIES, SMALL_TURNS = 1_116, 12  # of the small one
AUDITED = 12  # turns

# --- whole processes -----------------------------------------------------------------------------------------------------


def command(*words: str) -> Callable[[Workbench], float]:
    """CPU of the command on a campaign of ten kingdoms ÷ CPU of pass. CAMPAIGN stands for its folder."""

    def measure(bench: Workbench) -> float:
        folder = str(bench.campaign(10))
        return ratio(partial(cpu_of, [KINGDOM, *(word.replace("CAMPAIGN", folder) for word in words)]))

    return measure


figure("check", "`kingdom check`, CPU ÷ pass", 9, 7.5)(
    command("check", "CAMPAIGN/orders/0001/k0004.yaml", "--campaign", "CAMPAIGN")
)
figure("games", "`kingdom games`, CPU ÷ pass", 11, 6)(command("games"))
figure("status", "`kingdom status`, CPU ÷ pass", 11, 6)(command("status", "CAMPAIGN"))


@figure("status-new", "the same where something was filed since, so that all is checked", 14, 12)
def new_status(bench: Workbench) -> float:
    """The status of a campaign of ten kingdoms in which something was filed since it was asked for last, so all is checked."""
    with bench.copy(bench.campaign(10)) as folder:
        orders, rounds = sorted(filings.folder_of(folder, 1).glob("*.yaml"))[0], count(1)
        text = orders.read_bytes()

        def asked() -> float:
            orders.write_bytes(text + b"#" * next(rounds))
            return cpu_of([KINGDOM, "status", str(folder)])

        return ratio(asked)


figure("help", "`kingdom --help`, CPU ÷ pass", 11, 6)(command("--help"))


@figure("run", "`kingdom run` with nothing to do, ten kingdoms, CPU ÷ pass", 16, 10)
def idle_run(bench: Workbench) -> float:
    """The weekly job with a calendar, orders filed by all, and a deadline that is far away; no mailbox but the folder."""
    with bench.copy(bench.campaign(10)) as folder:
        with open(folder / "campaign.yaml", "a", encoding="utf-8") as settings:
            settings.write("calendar: {deadline: 2100-01-01T18:00, zone: UTC, every: 7d, remind: [48h]}\n")
        return ratio(lambda: cpu_of([KINGDOM, "run", str(folder)]))


def turn_of(folder: Path) -> Used:
    """Turn 1 by a whole process, and back again."""
    used = used_by([KINGDOM, "turn", str(folder)])
    shutil.rmtree(folder / "turns" / "0001")
    return used


@figure("turn", "`kingdom turn`, ten kingdoms, wall ÷ pass", 22, 18)
def turn(bench: Workbench) -> float:
    """A turn of a usual campaign."""
    folder = bench.campaign(10)
    return ratio(lambda: turn_of(folder).wall, lambda: wall_of([sys.executable, "-c", "pass"]))


@figure("turn-300", "`kingdom turn`, 300 kingdoms, edition 2 ÷ edition 1, CPU", 1.5, 1.25)
def large_turn(bench: Workbench) -> float:
    """What the lines that edition 2 adds to a report cost a large campaign."""
    new, old = bench.campaign(300), bench.campaign(300, edition=1)
    return ratio(lambda: turn_of(new).cpu, lambda: turn_of(old).cpu, 3)


# --- inside one process --------------------------------------------------------------------------------------------------


class Ready(NamedTuple):
    """All that the next turn of a campaign is made from, as bytes. `place` is the folder of the orders."""

    campaign: Campaign
    tables: Tables
    state: bytes
    previous: str
    place: Path
    files: dict[str, bytes]

    def orders(self) -> Filings:
        """The orders, read from their bytes."""
        return filings.read(self.files, self.place, self.campaign.game, self.tables.rules, self.campaign.seats, 1)

    def fresh(self) -> Any:
        """The state, read anew: what was reckoned from it in an earlier round is not known of it."""
        return campaigns.decode_state(self.campaign.game, self.state, self.place)

    def resolved(self, state: Any, orders: Filings) -> Result[Any]:
        """The turn."""
        game, settings, seats = self.campaign.game, self.campaign.settings, self.campaign.seats
        dice = Dice(settings.seed, 1)
        return next_turn.resolved(game, state, orders, dice, self.tables, self.tables, settings, seats)


@cache
def ready_of(folder: Path) -> Ready:
    """Read what the next turn is made from."""
    opened = campaigns.open_campaign(folder)
    kept = campaigns.kept(opened)
    place = filings.folder_of(folder, kept.record.turn + 1)
    state, files = store.file_of(kept, "state.json"), filings.files_in(place, opened.seats)
    return Ready(opened, campaigns.rules_today(opened), state, kept.digest, place, files)


def reported(bench: Workbench, kingdoms: int) -> float:
    """CPU seconds from the orders' bytes and the state to the turn's folder, written and not synced."""
    ready = ready_of(bench.campaign(kingdoms))
    state, folder = ready.fresh(), bench.folder / "written"

    def work() -> None:
        orders = ready.orders()
        draft = Draft(ready.resolved(state, orders), orders, ready.tables)
        store.write(folder, keeping.files_of(ready.campaign, draft, ready.previous))

    used = seconds(work)
    shutil.rmtree(folder)
    return used


def booked(bench: Workbench, kingdoms: int, whole: bool = False) -> float:
    """CPU seconds from state and orders to ledger and state, without reports."""
    ready = ready_of(bench.campaign(kingdoms, whole=whole))
    state, orders = with_routes(ready.fresh()) if whole else ready.fresh(), ready.orders()
    return seconds(lambda: keeping.data_of(ready.resolved(state, orders)))


@figure("reports", "resolve and report of ten kingdoms, maps and all, ÷ parse, render and write of their orders and reports", 6, 3)  # fmt: skip
def _reports(bench: Workbench) -> float:
    """The parts that no program of this kind can do without are the measure: parse, render, write."""
    import yaml  # type: ignore[import-untyped]  # PyYAML has no types of its own
    from markupsafe import Markup

    ready = ready_of(bench.campaign(10))
    orders, game = ready.orders(), ready.campaign.game
    result = ready.resolved(ready.fresh(), orders)
    facts = keeping.facts_of(ready.campaign, Draft(result, orders, ready.tables), ready.previous, {})
    views = {
        seat: reports.view_of(game, result, seat, ready.tables.rules, facts) for seat in ready.campaign.seats
    }  # what the templates get
    text, seat_html, page, _ = reports.templates_of(places.templates() / game.name)

    def parts() -> None:
        for seat, view in views.items():
            yaml.load(ready.files[seat], yaml.CSafeLoader)
            text.render(view=view)
            body = Markup(seat_html.render(view=view))
            (bench.folder / "write").write_bytes(page.render(view={**view, "body": body}).encode())

    return ratio(lambda: reported(bench, 10), lambda: seconds(parts))


@figure("reports-spin", "the same ÷ spin", 40, 25)
def _reports_spin(bench: Workbench) -> float:
    return ratio(lambda: reported(bench, 10), lambda: seconds(spin))


@figure("resolve", "resolve alone, each kingdom ÷ spin", 1.2, 0.5)
def _resolve(bench: Workbench) -> float:
    ready = ready_of(bench.campaign(10))
    orders = ready.orders()

    def measured() -> float:
        state = ready.fresh()
        return seconds(lambda: ready.resolved(state, orders)) / 10

    return ratio(measured, lambda: seconds(spin), 30)


@figure("growth", "growth exponent, 10 to 2,000 kingdoms: resolve, ledger, state", 1.05, 1.03)
def _growth(bench: Workbench) -> float:
    return exponent(10, 2_000, lambda kingdoms: booked(bench, kingdoms))


@figure("growth-reports", "growth exponent, 100 to 300 kingdoms with reports", 1.1, 1.05)
def _growth_reports(bench: Workbench) -> float:
    return exponent(100, 300, lambda kingdoms: reported(bench, kingdoms), 3, 3)


@figure("whole-100", "a turn with every sub-system in use ÷ the core turn, 100 kingdoms", 3, 2.5)
def _whole(bench: Workbench) -> float:
    return ratio(lambda: booked(bench, 100, True), lambda: booked(bench, 100))


@figure("growth-whole", "growth exponent of it, 10 to 1,000 kingdoms", 1.05, 1.03)
def _growth_whole(bench: Workbench) -> float:
    return exponent(10, 1_000, lambda kingdoms: booked(bench, kingdoms, True))


def with_routes(world: Any) -> Any:
    """The world with a trade route of every kingdom that has free land below it, open, to the kingdom beyond; a standing event
    and adventurers of each."""
    from kingdom.games.realm.hexmap import label_of
    from kingdom.games.realm.state import Event, Guest, Party, Route, owners, replace

    held, kingdoms = owners(world), dict(world.kingdoms)
    for seat, kingdom in world.kingdoms.items():
        column, row = min((int(label[:2]), int(label[2:])) for label in kingdom.hexes)
        path = tuple(label_of(column, row + down) for down in range(4))
        mine = replace(
            kingdoms[seat],
            events={"feud-1": Event("feud", 1)},
            parties={"adventurers-1": Party(4, path[0], path[2], 11)},
        )
        other = held.get(path[3], seat)
        if path[2] not in held and other != seat:
            mine = replace(mine, routes={"trade_route-1": Route(other, path, at=3, open=True, asked="trade_route-1")})
            kingdoms[other] = replace(kingdoms[other], guests={"trade_route-1": Guest(seat, "trade_route-1", path)})
        kingdoms[seat] = mine
    return replace(world, kingdoms=kingdoms)


@figure("forecast", "100,000 samples of ten turns of one kingdom ÷ spin", 1_000, 150)
def _forecast(bench: Workbench) -> float:
    """100,000 samples of ten turns of a kingdom that does not know of it yet, and the exact next turn before them."""
    import numpy

    ready = ready_of(bench.campaign(10))
    game, rules, seat = ready.campaign.game, ready.tables.rules, ready.campaign.seats[0]
    forecast = game.forecast
    assert forecast

    def measured() -> float:
        seen = game.known(ready.fresh(), seat, rules)
        return seconds(lambda: forecast(seen, seat, rules, {}, 10, 100_000, numpy.random.default_rng(1)))

    return ratio(measured, lambda: seconds(spin), 5)


# --- the books -----------------------------------------------------------------------------------------------------------


@figure("ledger-small", "`kingdom ledger`, 1,116 entries in 12 turns, CPU ÷ pass", 12, 8)
def _small_ledger(bench: Workbench) -> float:
    return ratio(partial(cpu_of, [KINGDOM, "ledger", str(_reviewed(bench, SMALL_ENTRIES, SMALL_TURNS))]))


@figure("ledger", "`kingdom ledger`, 100,000 entries in 100 turns, wall ÷ `import pandas`", 1.6, 1.3)
def _ledger(bench: Workbench) -> float:
    asked = [KINGDOM, "ledger", str(_reviewed(bench, ENTRIES, TURNS))]
    return ratio(partial(wall_of, asked), partial(wall_of, [sys.executable, "-c", "import pandas"]), 9)


@figure("periods", "the same with `--against` or `--every 4`, whichever takes longer ÷ with `--by cause`, wall", 1.3, 1.1)  # fmt: skip
def _periods(bench: Workbench) -> float:
    """Of two times side by side and of columns of four turns the one that takes longer."""
    asked = [KINGDOM, "ledger", str(_reviewed(bench, ENTRIES, TURNS))]
    sums = partial(wall_of, [*asked, "--by", "cause"])
    longer = ("--turn 50-99 --against 0-49", "--every 4")
    return max(ratio(partial(wall_of, [*asked, *words.split()]), sums, 9) for words in longer)


def _reviewed(bench: Workbench, many: int, turns: int) -> Path:
    """The folder of a campaign whose ledgers have so many entries: those of one resolved turn, again and again."""
    folder = bench.folder / f"reviewed-{many}"
    if not folder.exists():
        ready = ready_of(bench.campaign(100))
        entries = ready.resolved(ready.fresh(), ready.orders()).entries
        some = (entries * (many // turns // len(entries) + 1))[: many // turns]
        folder.mkdir()
        shutil.copy(ready.campaign.folder / "campaign.yaml", folder)
        for number in range(turns):
            rows = [entry._replace(turn=number, seq=seq) for seq, entry in enumerate(some, 1)]
            store.write(folder / "turns" / store.name_of(number), {"ledger.csv": csv_text.write(ledger.COLUMNS, rows)})
    return folder


@figure("review-page", "`kingdom review --html`, 50 turns of six kingdoms, CPU ÷ pass", 60, 40)
def _review_page(bench: Workbench) -> float:
    """The page of a campaign in which much happens."""
    return ratio(partial(cpu_of, _page(bench)))


@figure("review-page-size", "the page, KB", 200, 150)
def _review_page_size(bench: Workbench) -> float:
    cpu_of(_page(bench))
    return (bench.folder / "page.html").stat().st_size / 1000


def _page(bench: Workbench) -> list[str]:
    return [KINGDOM, "review", str(bench.campaign(6, 50, whole=True)), "--html", str(bench.folder / "page.html")]


@figure("audit", "`kingdom audit` without resolving, its speed ÷ hash, csv and JSON of the same files", 0.4, 0.6, at_least=True)  # fmt: skip
def _audit(bench: Workbench) -> float:
    folder = bench.campaign(10, AUDITED)
    opened = campaigns.open_campaign(folder)

    def audited() -> None:
        found = audit.audit(opened, resolving=False)
        assert not found.problems, found.problems

    return ratio(lambda: seconds(lambda: _least(folder)), lambda: seconds(audited))


def _least(folder: Path) -> None:
    """What any proof must do at least: read and hash every file, parse every ledger and state."""
    for place, _, names in os.walk(folder / "turns"):
        for name in names:
            data = Path(place, name).read_bytes()
            hashlib.sha256(data).hexdigest()
            if name == "ledger.csv":
                for _ in csv.reader(io.StringIO(data.decode(), newline="")):
                    pass
            elif name == "state.json":
                json.loads(data)

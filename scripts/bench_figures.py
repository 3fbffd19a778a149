"""The figures that `scripts/bench` measures, each with what is measured and what it is held against.

All campaigns are made by bench_campaign.py, in a folder of the machine's memory where there is one (/dev/shm), so that
no figure waits for a disk. Whole processes are started by scripts/kingdom, as a user does, with the program's caches warm.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import bench_campaign
import bench_forged
import bench_house
import bench_house_mail
import bench_workers
from bench_measure import KINGDOM, PASS, ROOT, Figure, Used, cpu_of, exponent, ratio, seconds, spin, used_by, wall_of

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

MEMORY = Path("/dev/shm")
ENTRIES, TURNS = 100_000, 100  # of the large ledger that is reviewed
SMALL_ENTRIES, SMALL_TURNS = 1_116, 12  # of the small one
AUDITED = 12  # turns


class Workbench:
    """A temporary folder with campaigns, each made when it is first asked for; the program's cache is in it too."""

    def __enter__(self) -> Workbench:
        place = MEMORY if os.access(MEMORY, os.W_OK) else None
        self.folder = Path(tempfile.mkdtemp(prefix="kingdom-bench-", dir=place))
        os.environ["KINGDOM_CACHE"] = str(self.folder / "cache")
        os.fsync = lambda fd: None  # nothing measured in this process waits for a disk
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # modules are compiled once, as they are for a user
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder)

    def campaign(self, kingdoms: int, turns: int = 0, whole: bool = False) -> Path:
        """The folder of a campaign with turn 0 and that many turns kept, and orders filed for the next."""
        folder = self.folder / f"{kingdoms}x{turns}{'-whole' * whole}"
        if not folder.exists():
            for name, data in bench_campaign.campaign(kingdoms, turns + 1, whole).items():
                file = folder / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
            opened = campaigns.open_campaign(folder)
            keeping.keep(opened, [next_turn.opening_draft(opened, campaigns.rules_today(opened))])
            for _ in range(turns):
                keeping.keep(opened, next_turn.drafts(opened))
        return folder


@cache
def _ready(folder: Path) -> Ready:
    opened = campaigns.open_campaign(folder)
    kept = campaigns.kept(opened)
    place = filings.folder_of(folder, kept.record.turn + 1)
    files = filings.files_in(place, opened.seats)
    state = store.file_of(kept, "state.json")
    return Ready(opened, campaigns.rules_today(opened), state, kept.digest, place, files)


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
        settings = self.campaign.settings
        return next_turn.resolved(
            self.campaign.game,
            state,
            orders,
            Dice(settings.seed, 1),
            self.tables,
            self.tables,
            settings,
            self.campaign.seats,
        )


# --- whole processes -----------------------------------------------------------------------------------------------------


def _command(*words: str) -> Callable[[Workbench], float]:
    """CPU of the command on a campaign of ten kingdoms ÷ CPU of pass. CAMPAIGN stands for its folder."""

    def measure(bench: Workbench) -> float:
        folder = str(bench.campaign(10)) if any("CAMPAIGN" in word for word in words) else ""
        command = [KINGDOM, *(word.replace("CAMPAIGN", folder) for word in words)]
        return ratio(lambda: cpu_of(command), lambda: cpu_of(PASS))

    return measure


def _new_status(bench: Workbench) -> float:
    """The status of a campaign of ten kingdoms in which something was filed since it was asked for last, so all is checked."""
    folder, orders = str(bench.campaign(10)), sorted(filings.folder_of(bench.campaign(10), 1).glob("*.yaml"))[0]
    text, rounds = orders.read_bytes(), count(1)

    def asked() -> float:
        orders.write_bytes(text + b"#" * next(rounds))
        return cpu_of([KINGDOM, "status", folder])

    try:
        return ratio(asked, lambda: cpu_of(PASS))
    finally:
        orders.write_bytes(text)


def _idle_run(bench: Workbench) -> float:
    """The weekly job with a calendar, orders filed by all, and a deadline that is far away; no mailbox but the folder."""
    folder = bench.folder / "idle"
    if not folder.exists():
        shutil.copytree(bench.campaign(10), folder)
        with open(folder / "campaign.yaml", "a", encoding="utf-8") as settings:
            settings.write("calendar: {deadline: 2100-01-01T18:00, zone: UTC, every: 7d, remind: [48h]}\n")
    return ratio(lambda: cpu_of([KINGDOM, "run", str(folder)]), lambda: cpu_of(PASS))


def _mailed_run(bench: Workbench) -> float:
    """The run that people wait for: five mails answered, the turn that is due played, the reports mailed ÷ that turn alone."""
    return ratio(lambda: _greenmarch(bench, "run", "off").wall, lambda: _greenmarch(bench, "turn", "off").wall)


def _advised_run(bench: Workbench) -> float:
    """That run with advice to its four players, which no cache has, ÷ without."""
    return ratio(lambda: _greenmarch(bench, "run", "on").cpu, lambda: _greenmarch(bench, "run", "off").cpu)


def _greenmarch(bench: Workbench, word: str, advice: str) -> Used:
    """What it takes to play turn 12 of the example."""
    folder = bench.folder / "greenmarch"
    shutil.copytree(ROOT / "campaigns" / "greenmarch", folder)
    with open(folder / "campaign.yaml", "a", encoding="utf-8") as settings:
        settings.write(f"advice: {advice}\n")
    used = used_by([KINGDOM, word, str(folder)])
    assert (folder / "turns" / "0012").is_dir(), "turn 12 is due"
    shutil.rmtree(folder)
    for file in (bench.folder / "cache").glob("kingdom-advice-*"):
        file.unlink()
    return used


def _turn(bench: Workbench) -> float:
    folder = bench.campaign(10)
    return ratio(lambda: _turn_of(folder).wall, lambda: wall_of(PASS))


def _turn_of(folder: Path) -> Used:
    """Turn 1 by a whole process, and back again."""
    used = used_by([KINGDOM, "turn", str(folder)])
    shutil.rmtree(folder / "turns" / "0001")
    return used


def _memory(whole: bool) -> Callable[[Workbench], float]:
    """Peak of the resident memory of `kingdom turn`, in GiB: the only figures that are no ratios."""
    return lambda bench: _turn_of(bench.campaign(1_000, whole=whole)).memory / (1 << 30)


# --- inside one process --------------------------------------------------------------------------------------------------


def _resolve_and_report(bench: Workbench, kingdoms: int) -> float:
    """CPU seconds from the orders' bytes and the state to the turn's folder, written and not synced."""
    ready = _ready(bench.campaign(kingdoms))
    state, folder = ready.fresh(), bench.folder / "written"

    def work() -> None:
        orders = ready.orders()
        draft = Draft(ready.resolved(state, orders), orders, ready.tables)
        store.write(folder, keeping.files_of(ready.campaign, draft, ready.previous))

    used = seconds(work)
    shutil.rmtree(folder)
    return used


def _reports(bench: Workbench) -> float:
    """The parts that no program of this kind can do without are the measure: parse, render, write."""
    parts = _parts_of_reports(bench)
    return ratio(lambda: _resolve_and_report(bench, 10), lambda: seconds(parts))


def _parts_of_reports(bench: Workbench) -> Callable[[], None]:
    """What parses the orders of ten kingdoms, renders their reports from finished views and writes them."""
    import yaml  # type: ignore[import-untyped]  # PyYAML has no types of its own
    from markupsafe import Markup

    ready = _ready(bench.campaign(10))
    text, seat_html, page, _ = reports.templates_of(places.templates() / ready.campaign.game.name)
    views = _views(ready)
    file = bench.folder / "write"

    def parts() -> None:
        for seat, view in views.items():
            yaml.load(ready.files[seat], yaml.CSafeLoader)
            text.render(view=view)
            body = Markup(seat_html.render(view=view))
            file.write_bytes(page.render(view={**view, "body": body}).encode())

    return parts


def _views(ready: Ready) -> dict[str, dict[str, object]]:
    """What the templates get, seat by seat."""
    orders = ready.orders()
    game, result = ready.campaign.game, ready.resolved(ready.fresh(), orders)
    facts = keeping.facts_of(ready.campaign, Draft(result, orders, ready.tables), ready.previous, {})
    return {seat: reports.view_of(game, result, seat, ready.tables.rules, facts) for seat in ready.campaign.seats}


def _reports_spin(bench: Workbench) -> float:
    return ratio(lambda: _resolve_and_report(bench, 10), lambda: seconds(spin))


def _resolve(bench: Workbench) -> float:
    ready = _ready(bench.campaign(10))
    orders = ready.orders()

    def measured() -> float:
        state = ready.fresh()
        return seconds(lambda: ready.resolved(state, orders)) / 10

    return ratio(measured, lambda: seconds(spin), 30)


def _growth(bench: Workbench) -> float:
    def cost(kingdoms: int) -> float:
        ready = _ready(bench.campaign(kingdoms))
        state, orders = ready.fresh(), ready.orders()
        return seconds(lambda: keeping.data_of(ready.resolved(state, orders)))

    return exponent(10, 2_000, cost)


def _whole(bench: Workbench) -> float:
    """A turn with every sub-system in use ÷ one with none of them, from state and orders to ledger and state."""
    return ratio(lambda: _books_of(bench, 100, True), lambda: _books_of(bench, 100, False))


def _books_of(bench: Workbench, kingdoms: int, whole: bool) -> float:
    ready = _ready(bench.campaign(kingdoms, whole=whole))
    state, orders = with_routes(ready.fresh()) if whole else ready.fresh(), ready.orders()
    return seconds(lambda: keeping.data_of(ready.resolved(state, orders)))


def _growth_whole(bench: Workbench) -> float:
    return exponent(10, 1_000, lambda kingdoms: _books_of(bench, kingdoms, True))


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


def _growth_reports(bench: Workbench) -> float:
    return exponent(10, 1_000, lambda kingdoms: _resolve_and_report(bench, kingdoms), 3)


def _forecast(bench: Workbench) -> float:
    """100,000 samples of ten turns of a kingdom that does not know of it yet, and the exact next turn before them."""
    import numpy

    ready = _ready(bench.campaign(10))
    game, rules = ready.campaign.game, ready.tables.rules
    forecast = game.forecast
    assert forecast

    def measured() -> float:
        seat = ready.campaign.seats[0]
        seen = game.known(ready.fresh(), seat, rules)
        return seconds(lambda: forecast(seen, seat, rules, {}, 10, 100_000, numpy.random.default_rng(1)))

    return ratio(measured, lambda: seconds(spin), 5)


# --- the books -----------------------------------------------------------------------------------------------------------


def _ledger(bench: Workbench) -> float:
    folder = _reviewed(bench, ENTRIES, TURNS)
    pandas = [sys.executable, "-c", "import pandas"]
    return ratio(lambda: wall_of([KINGDOM, "ledger", str(folder)]), lambda: wall_of(pandas), 9)


def _periods(bench: Workbench) -> float:
    """Of two times side by side and of columns of four turns the one that takes longer."""
    command = [KINGDOM, "ledger", str(_reviewed(bench, ENTRIES, TURNS))]
    asked = [[*command, *words.split()] for words in ("--turn 50-99 --against 0-49", "--every 4")]
    sums = partial(wall_of, [*command, "--by", "cause"])
    return max(ratio(partial(wall_of, words), sums, 9) for words in asked)


def _small_ledger(bench: Workbench) -> float:
    folder = _reviewed(bench, SMALL_ENTRIES, SMALL_TURNS)
    return ratio(lambda: cpu_of([KINGDOM, "ledger", str(folder)]), lambda: cpu_of(PASS))


def _review_page(bench: Workbench) -> float:
    """The page of a campaign in which much happens."""
    page = [KINGDOM, "review", str(bench.campaign(6, 50, whole=True)), "--html", str(bench.folder / "page.html")]
    return ratio(lambda: cpu_of(page), lambda: cpu_of(PASS))


def _review_page_size(bench: Workbench) -> float:
    cpu_of([KINGDOM, "review", str(bench.campaign(6, 50, whole=True)), "--html", str(bench.folder / "page.html")])
    return (bench.folder / "page.html").stat().st_size / 1000


def _reviewed(bench: Workbench, number: int, turns: int) -> Path:
    """The folder of a campaign whose ledgers have so many entries: those of one resolved turn, again and again."""
    folder = bench.folder / f"reviewed-{number}"
    if not folder.exists():
        campaign = bench.campaign(100)
        ready = _ready(campaign)
        entries = ready.resolved(ready.fresh(), ready.orders()).entries
        some = (entries * (number // turns // len(entries) + 1))[: number // turns]
        folder.mkdir()
        shutil.copy(campaign / "campaign.yaml", folder)
        for turn in range(turns):
            rows = [entry._replace(turn=turn, seq=seq) for seq, entry in enumerate(some, 1)]
            store.write(folder / "turns" / store.name_of(turn), {"ledger.csv": csv_text.write(ledger.COLUMNS, rows)})
    return folder


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


FIGURES = {
    figure.name: figure
    for figure in (
        Figure("check", "`kingdom check`, CPU ÷ pass", 14, 8, _command("check", "CAMPAIGN/orders/0001/k0004.yaml", "--campaign", "CAMPAIGN")),
        Figure("games", "`kingdom games`, CPU ÷ pass", 11, 6, _command("games")),
        Figure("status", "`kingdom status`, CPU ÷ pass", 11, 6, _command("status", "CAMPAIGN")),
        Figure("status-new", "the same where something was filed since, so that all is checked", 14, 12, _new_status),
        Figure("help", "`kingdom --help`, CPU ÷ pass", 11, 6, _command("--help")),
        Figure("run", "`kingdom run` with nothing to do, ten kingdoms, CPU ÷ pass", 16, 10, _idle_run),
        Figure("run-mails", "`kingdom run` with five mails and a due turn of greenmarch ÷ `kingdom turn` of it, wall", 4, 3, _mailed_run),
        Figure("run-advice", "the same run with advice to its four players ÷ with `advice: off`, CPU", 1.8, 1.4, _advised_run),
        Figure("turn", "`kingdom turn`, ten kingdoms, wall ÷ pass", 28, 18, _turn),
        Figure("reports", "resolve and report of ten kingdoms, maps and all, ÷ parse, render and write of their orders and reports", 6, 3, _reports),
        Figure("reports-spin", "the same ÷ spin", 40, 25, _reports_spin),
        Figure("resolve", "resolve alone, each kingdom ÷ spin", 1.2, 0.5, _resolve),
        Figure("growth", "growth exponent, 10 to 2,000 kingdoms: resolve, ledger, state", 1.05, 1.03, _growth),
        Figure("growth-reports", "growth exponent, 10 to 1,000 kingdoms with reports", 1.10, 1.05, _growth_reports),
        Figure("whole-100", "a turn with every sub-system in use ÷ the core turn, 100 kingdoms", 3, 2.5, _whole),
        Figure("growth-whole", "growth exponent of it, 10 to 1,000 kingdoms", 1.05, 1.03, _growth_whole),
        Figure("ledger-small", "`kingdom ledger`, 1,116 entries in 12 turns, CPU ÷ pass", 12, 8, _small_ledger),
        Figure("ledger", "`kingdom ledger`, 100,000 entries in 100 turns, wall ÷ `import pandas`", 1.6, 1.3, _ledger),
        Figure("periods", "the same with `--against` or `--every 4`, whichever takes longer ÷ with `--by cause`, wall", 1.3, 1.1, _periods),
        Figure("review-page", "`kingdom review --html`, 50 turns of six kingdoms, CPU ÷ pass", 60, 40, _review_page),
        Figure("review-page-size", "the page, KB", 200, 150, _review_page_size),
        Figure("forecast", "100,000 samples of ten turns of one kingdom ÷ spin", 1_000, 150, _forecast),
        Figure("audit", "`kingdom audit` without resolving, its speed ÷ hash, csv and JSON of the same files", 0.4, 0.6, _audit, at_least=True),
        Figure("growth-forged", "growth exponent of `kingdom mail fetch`, 1,000 to 10,000 forged mails", 1.05, 1, bench_forged.growth),
        Figure("memory-forged", "peak memory of it, GiB", 0.29, 0.1, bench_forged.memory),
        Figure("house-idle", "idle `kingdom run FOLDER` of 100 campaigns, CPU for each ÷ `kingdom run` alone", 0.12, 0.07, bench_house.idle),
        Figure("house-growth", "growth exponent of it, 100 to 1,000 campaigns", 1.03, 1, bench_house.growth),
        Figure("house-night", "a night of 100 campaigns of six with due turns and mails, one process, CPU for each ÷ `kingdom run` alone", 0.75, 0.6, bench_house.night),
        Figure("house-memory", "peak memory of that night, GiB", 0.5, 0.25, bench_house.memory),
        Figure("house-mails", "1,000 mails to a house for its 100 campaigns in one run, CPU of each ÷ a mail of one campaign", 1.2, 1, bench_house_mail.mails),
        Figure("house-workers", "a part of that night, 40 campaigns, by 2 workers ÷ by one process, wall", 0.65, 0.55, bench_workers.by_processes),
        Figure("house-cluster", "the same by 2 Dask workers on loopback, started before", 0.75, 0.62, bench_workers.by_cluster),
        Figure("cluster-cost", "CPU of a Dask cluster for a campaign beside its work ÷ of the campaign, %", 10, 5, bench_workers.cost),
        Figure("memory", "peak memory of `kingdom turn`, 1,000 kingdoms, GiB", 1, 0.5, _memory(False)),
        Figure("memory-whole", "the same with every sub-system in use", 1, 0.7, _memory(True)),
    )
}  # fmt: skip

"""How each figure of docs/performance.md is measured: a function of the workbench. The text there says more of it.

Whole processes are started by scripts/kingdom, as a user does, with the program's caches warm.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import operator
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from bench_campaign import MAILING, YEARS, Workbench, head_of
from bench_measure import KINGDOM, MIB, PASS, ROOT, Used, cpu_of, exponent, ratio, seconds, spin, used_by, wall_of

from kingdom.campaign import audit, clock, csv_text, filings, keeping, next_turn, store
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.cluster import Cluster
from kingdom.campaign.filings import Filings
from kingdom.campaign.next_turn import Draft
from kingdom.campaign.workers import Processes, Task
from kingdom.engine import ledger
from kingdom.engine.dice import Dice
from kingdom.engine.step import Result
from kingdom.mail.journal import journal_of
from kingdom.mail.servers.sources import Inbox
from kingdom.mail.week import Week
from kingdom.orders import places
from kingdom.orders.tables import Tables
from kingdom.render import reports

GREENMARCH = ROOT / "campaigns" / "greenmarch"  # its turn 12 is due, five mails lie in its inbox
LARGEST = 1_000  # kingdoms
MANY, PART, ALONE = 100, 24, 10  # campaigns in a house; of its night that workers share; of it that are run one by one
EACH = 10  # mails of a seat; its first costs more
FLOOD = 10_000  # forged mails
START, DAY = 1_800_000_000, 86_400  # seconds
TASKS, WORKERS = 200, 2  # that a cluster is given to see what it costs
PANDAS = [sys.executable, "-c", "import pandas"]


def typed(*words: object) -> list[str]:
    """What a user types."""
    return [KINGDOM, *map(str, words)]


def passes(bench: Workbench, words: str) -> float:
    """CPU of a command ÷ of pass; CAMPAIGN is the folder of a campaign of ten kingdoms."""
    return ratio(partial(cpu_of, typed(*words.replace("CAMPAIGN", str(bench.campaign(10))).split())))


def new_status(bench: Workbench) -> float:
    with bench.copy(bench.campaign(10)) as folder:
        orders, rounds = sorted(filings.folder_of(folder, 1).glob("*.yaml"))[0], count(1)
        text = orders.read_bytes()

        def asked() -> float:
            orders.write_bytes(text + b"#" * next(rounds))
            return cpu_of(typed("status", folder))

        return ratio(asked)


def idle_run(bench: Workbench) -> float:
    """With a calendar, orders filed by all, and a deadline that is far away; no mailbox but the folder."""
    with bench.copy(bench.campaign(10)) as folder:
        with open(folder / "campaign.yaml", "a", encoding="utf-8") as settings:
            settings.write("calendar: {deadline: 2100-01-01T18:00, zone: UTC, every: 7d, remind: [48h]}\n")
        return ratio(partial(cpu_of, typed("run", folder)))


def turn_of(folder: Path) -> Used:
    """Turn 1 by a whole process, and back again."""
    used = used_by(typed("turn", folder))
    shutil.rmtree(folder / "turns" / "0001")
    return used


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
        """The state, read anew: what was worked out from it in an earlier round is not known of it."""
        return campaigns.decode_state(self.campaign.game, self.state, self.place)

    def resolved(self, state: Any, orders: Filings) -> Result[Any]:
        """The turn."""
        game, settings, seats = self.campaign.game, self.campaign.settings, self.campaign.seats
        return next_turn.resolved(
            game, state, orders, Dice(settings.seed, 1), self.tables, self.tables, settings, seats
        )


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


def least_report(bench: Workbench) -> Callable[[], None]:
    """The parts that no program of this kind can do without: parse, render, write."""
    import yaml  # type: ignore[import-untyped]  # PyYAML has no types of its own
    from markupsafe import Markup

    ready = ready_of(bench.campaign(10))
    orders, game, seats = ready.orders(), ready.campaign.game, ready.campaign.seats
    result = ready.resolved(ready.fresh(), orders)
    facts = keeping.facts_of(ready.campaign, Draft(result, orders, ready.tables), ready.previous, {})
    views = {seat: reports.view_of(game, result, seat, ready.tables.rules, facts) for seat in seats}
    text, seat_html, page, _ = reports.templates_of(places.templates() / game.name)

    def parts() -> None:
        for seat, view in views.items():
            yaml.load(ready.files[seat], yaml.CSafeLoader)
            text.render(view=view)
            body = Markup(seat_html.render(view=view))
            (bench.folder / "write").write_bytes(page.render(view={**view, "body": body, "named_rules": {}}).encode())

    return parts


def resolved(bench: Workbench) -> float:
    """CPU seconds of a kingdom's part of a turn."""
    ready = ready_of(bench.campaign(10))
    state, orders = ready.fresh(), ready.orders()
    return seconds(lambda: ready.resolved(state, orders)) / 10


def with_routes(world: Any) -> Any:
    """The world with a trade route of every kingdom that has free land below it, open, to the kingdom beyond; a standing event
    and adventurers of each."""
    from kingdom.games.realm.hexmap import label_of
    from kingdom.games.realm.state import Event, Guest, Party, Route, owners, replace

    held, kingdoms = owners(world), dict(world.kingdoms)
    for seat, kingdom in world.kingdoms.items():
        column, row = min((int(label[:2]), int(label[2:])) for label in kingdom.hexes)
        path = tuple(label_of(column, row + down) for down in range(4))
        parties = {"adventurers-1": Party(4, path[0], path[2], 11)}
        mine = replace(kingdoms[seat], events={"feud-1": Event("feud", 1)}, parties=parties)
        other = held.get(path[3], seat)
        if path[2] not in held and other != seat:
            mine = replace(mine, routes={"trade_route-1": Route(other, path, at=3, open=True, asked="trade_route-1")})
            kingdoms[other] = replace(kingdoms[other], guests={"trade_route-1": Guest(seat, "trade_route-1", path)})
        kingdoms[seat] = mine
    return replace(world, kingdoms=kingdoms)


def forecast(bench: Workbench) -> float:
    """CPU seconds of 100,000 samples of ten turns of a kingdom that does not know of it yet, and the exact next turn before them."""
    import numpy

    ready = ready_of(bench.campaign(10))
    game, rules, seat = ready.campaign.game, ready.tables.rules, ready.campaign.seats[0]
    seen, foreseen = game.known(ready.fresh(), seat, rules), game.forecast
    assert foreseen
    return seconds(lambda: foreseen(seen, seat, rules, {}, 10, 100_000, numpy.random.default_rng(1)))


# --- the books -----------------------------------------------------------------------------------------------------------


def ledger_of(bench: Workbench, many: int = 100_000, turns: int = 100) -> list[str]:
    """`kingdom ledger` of a campaign whose ledgers have so many entries: those of one resolved turn, again and again."""
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
    return typed("ledger", folder)


def periods(bench: Workbench) -> float:
    """Of two times side by side and of columns of four turns the one that takes longer."""
    asked = ledger_of(bench)
    longer = ("--turn 50-99 --against 0-49", "--every 4")
    sums = partial(wall_of, [*asked, "--by", "cause"])
    return max(ratio(partial(wall_of, [*asked, *words.split()]), sums, 9) for words in longer)


def page_of(bench: Workbench, folder: Path | None = None) -> list[str]:
    """`kingdom review --html`, by itself of a campaign in which much happens."""
    return typed("review", folder or bench.campaign(6, 50, whole=True), "--html", bench.folder / "page.html")


def page_size(bench: Workbench) -> float:
    cpu_of(page_of(bench))
    return (bench.folder / "page.html").stat().st_size / 1000


def audited(bench: Workbench) -> float:
    folder = bench.campaign(10, 12)
    opened = campaigns.open_campaign(folder)

    def proved() -> None:
        found = audit.audit(opened, resolving=False)
        assert not found.problems, found.problems

    def least() -> None:
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

    return ratio(lambda: seconds(least), lambda: seconds(proved))


@cache
def packed_sizes(bench: Workbench) -> list[int]:
    """The sizes of all files of ten years once the turns are packed, which comes last."""
    cpu_of(typed("pack", bench.years(), "--older-than", 20))
    return [file.stat().st_size for file in bench.years().rglob("*") if file.is_file()]


# --- mail ----------------------------------------------------------------------------------------------------------------


def week(bench: Workbench, word: str, cold: bool) -> float:
    """CPU of turn 12 of the example, by itself or in a run with its mails and advice to its players, which must be made if it is cold."""
    with bench.copy(GREENMARCH) as folder:
        if cold:
            bench.forget_advice()
        used = cpu_of(typed(word, folder))
        assert (folder / "turns" / "0012").is_dir(), "turn 12 is due"
    return used


def report_mail(bench: Workbench) -> float:
    with bench.copy(GREENMARCH) as folder:
        cpu_of(typed("run", folder))
        mails = [*(folder / "mail" / "outbox").glob("report-0012-*")]
        assert len(mails) == 5, mails  # of four players and the GM
        return max(mail.stat().st_size for mail in mails) / 1000


def mails_cost(folder: Path, seats: int, token: Callable[[int, str], str], campaigns: int = 1) -> float:
    """CPU that a mail costs beyond an idle run, of EACH of that many seats of that many campaigns. token: of a campaign's seat."""
    inbox, idle = folder / "mail" / "inbox", cpu_of(typed("run", folder))
    inbox.mkdir(parents=True, exist_ok=True)
    rows = [
        (campaign, f"k{seat:04}", at) for campaign in range(campaigns) for seat in range(seats) for at in range(EACH)
    ]
    for number, (campaign, seat, at) in enumerate(rows):
        head = head_of(seat, token(campaign, seat), f"{campaign}-{seat}-{at}")
        text = f"taxation: {('light', 'normal', 'heavy')[at % 3]}\n"
        (inbox / f"bench{number:05}.eml").write_bytes(head + text.encode())
    used = cpu_of(typed("run", folder))
    assert not (inbox / "bench00000.eml").exists()
    return (used - idle) / len(rows)


def alone_cost(bench: Workbench) -> float:
    """CPU of a mail to a campaign alone."""
    folder = bench.idle(bench.folder / "alone")
    cpu_of(typed("run", folder))
    cost = mails_cost(folder, MAILING, lambda _, seat: f"aaaa{seat}")
    shutil.rmtree(folder)
    return cost


def house_mails(bench: Workbench) -> float:
    """CPU beyond that of an idle run. Every mail must be handled by its campaign."""
    before, house = alone_cost(bench), bench.folder / "mail-house"
    for number in range(MANY):
        settings = bench.idle(house / f"c{number:04}") / "campaign.yaml"
        text = settings.read_text().replace("token: aaaak", f"token: a{number:04}k")
        text = re.sub(r"^name: .*$", f"name: Number {number}", text, flags=re.M)
        settings.write_text(re.sub(r"^mail: .*\n", "", text, flags=re.M))  # the house has their mail
    host = "host: {name: Hal, email: hal@example.org}\nmail: {address: orders@example.org}\n"
    (house / "house.yaml").write_text(f"name: The house\n{host}")
    for _ in range(2):
        cpu_of(typed("run", house))  # the campaigns' mails follow their new tokens
    cost = mails_cost(house, 1, lambda campaign, seat: f"a{campaign:04}{seat}", MANY)
    journals = (place / "mail" / "journal.jsonl" for place in house.glob("c*"))
    assert sum(journal.read_bytes().count(b'"handled"') for journal in journals) >= 10 * MANY
    shutil.rmtree(house)
    return 2 * cost / (before + alone_cost(bench))


def flood(bench: Workbench, mails: int) -> Used:
    """Fetch that many forged mails of a player of a campaign of ten kingdoms, and the player's own, which must be filed.

    They are questions and orders by turns, spread over a day; the player's own comes last.
    """
    with bench.copy(bench.campaign(10)) as folder:
        settings, inbox, head = (
            folder / "campaign.yaml",
            folder / "mail" / "inbox",
            "From: player@example.org\nSubject: Orders k0001 1",
        )
        text = settings.read_text().replace("Player k0001}", "Player k0001, email: player@example.org, token: aaaa1}")
        settings.write_text(text + "mail: {address: orders@example.org}\n")
        inbox.mkdir(parents=True)
        for number in range(mails):
            asked, file = "taxation: heavy" if number % 2 else "May I take it all?", inbox / f"{number}.eml"
            file.write_text(f"{head} [zzzz{number}]\n\n{asked}\n")
            os.utime(file, (START + DAY * number // mails,) * 2)
        (inbox / "z.eml").write_text(f"{head} [aaaa1]\n\ntaxation: light\n")
        used = used_by(typed("mail", "fetch", folder))
        assert "taxation: light" in (folder / "orders" / "0001" / "k0001.yaml").read_text()
    return used


# --- a house, other processes --------------------------------------------------------------------------------------------


def idle_house(bench: Workbench) -> float:
    house = bench.house("idle", MANY)
    one = typed("run", sorted(house.iterdir())[0])
    alone = lambda: statistics.median(cpu_of(one) for _ in range(5))  # noqa: E731
    return ratio(lambda: cpu_of(typed("run", house)) / MANY, alone, 3)


def night_of(bench: Workbench, first: int, last: int, *words: str) -> Used:
    """What a run of these campaigns of the night takes; advice is in no cache. Every turn must be kept and every report be in the outbox."""
    again, names = bench.folder / "night", [f"c{number:04}" for number in range(first, last)]
    for name in names:
        shutil.copytree(bench.house("due", MANY) / name, again / name)
    bench.forget_advice()
    used = used_by(typed("run", *(words or ("--workers", "1")), again if len(names) > 1 else again / names[0]))
    for place in again.iterdir():
        assert (place / "turns" / "0001" / "orders" / "k0005.yaml").is_file(), place
        assert len([*(place / "mail" / "outbox").glob("report-0001-*")]) == MAILING, place
    shutil.rmtree(again)
    return used


@cache
def whole_night(bench: Workbench) -> tuple[float, int]:
    """(CPU of a campaign of the night ÷ of one that is run alone, peak memory). The night is measured once, between ten of its
    campaigns that are run alone before it and the same ten after it; all are cold."""
    alone = [night_of(bench, number, number + 1).cpu for number in range(ALONE)]
    used = night_of(bench, 0, MANY)
    alone += [night_of(bench, number, number + 1).cpu for number in range(ALONE)]
    return used.cpu / MANY / statistics.mean(alone), used.memory


def beside_one(bench: Workbench, *words: str) -> float:
    """Wall time of a part of the night with these words ÷ of one process, in turns."""
    return statistics.median(night_of(bench, 0, PART, *words).wall / night_of(bench, 0, PART).wall for _ in range(2))


def by_cluster(bench: Workbench) -> float:
    with dask() as (address, _):
        night_of(bench, 0, PART, "--scheduler", address)  # a cluster that has done a night
        return beside_one(bench, "--scheduler", address)


def cluster_cost(bench: Workbench) -> float:
    """The tasks are as large as a campaign's, and so are the results, but there is next to nothing to do."""
    with bench.copy(bench.house("due", MANY) / "c0000") as folder:
        campaign = campaigns.open_campaign(folder)
        journal = journal_of(campaign)
        going = Week(campaign, journal, Inbox(folder / "mail" / "inbox", journal), clock.now(), helpers=WORKERS).going()
        (task,) = next(going)
        going.close()
        given, made = len(task.data), len(task.work(task.data))
    one = night_of(bench, 0, PART).cpu / PART
    with dask() as (address, processes):
        client = Cluster(address, False, Processes(1))
        try:
            rounds = [cost_of(client, processes, given, made) for _ in range(4)][1:]
        finally:
            client.close()
    return 100 * statistics.median(rounds) / one


def cost_of(client: Cluster, processes: list[int], given: int, made: int) -> float:
    """CPU of all processes of the cluster, this one among them, for a task."""

    def taken() -> float:
        stats = (Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split() for process in processes)
        return time.process_time() + sum(int(fields[11]) + int(fields[12]) for fields in stats) / os.sysconf(
            "SC_CLK_TCK"
        )

    before = taken()
    task = Task(partial(operator.mul, made // given), os.urandom(given))
    for future in [client.submit(task) for _ in range(TASKS)]:
        assert future is not None and len(future.result()) >= made - given
    return (taken() - before) / TASKS


@contextmanager
def dask() -> Iterator[tuple[str, list[int]]]:
    """A scheduler and two workers on loopback: the address, the ids of the processes."""
    library: Any = import_module("distributed")  # its functions have no types
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    address, here = f"tcp://127.0.0.1:{port}", ["--host", "127.0.0.1", "--no-dashboard"]
    alone = ["--nthreads", "1", "--no-nanny", "--local-directory", tempfile.gettempdir()]
    env, quiet = {**os.environ, "PYTHONPATH": str(ROOT)}, subprocess.DEVNULL
    start = partial(subprocess.Popen, cwd=ROOT, env=env, stdout=quiet, stderr=quiet)
    commands = [["scheduler", "--port", port, *here]] + [["worker", address, *alone, *here]] * WORKERS
    processes = [start([sys.executable, "-m", "dask", *words]) for words in commands]
    try:
        with library.Client(address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(WORKERS, timeout=60)
        yield address, [process.pid for process in processes]
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


# --- the rows ------------------------------------------------------------------------------------------------------------

MEASURES: dict[str, Callable[[Workbench], float]] = {
    "check": lambda bench: passes(bench, "check CAMPAIGN/orders/0001/k0004.yaml --campaign CAMPAIGN"),
    "games": lambda bench: passes(bench, "games"),
    "status": lambda bench: passes(bench, "status CAMPAIGN"),
    "status-new": new_status,
    "help": lambda bench: passes(bench, "--help"),
    "run": idle_run,
    "turn": lambda bench: ratio(lambda: turn_of(bench.campaign(10)).wall, partial(wall_of, PASS)),
    "turn-300": lambda bench: ratio(
        lambda: turn_of(bench.campaign(300)).cpu, lambda: turn_of(bench.campaign(300, edition=1)).cpu, 3
    ),
    "reports": lambda bench: ratio(lambda: reported(bench, 10), partial(seconds, least_report(bench))),
    "reports-spin": lambda bench: ratio(lambda: reported(bench, 10), partial(seconds, spin)),
    "resolve": lambda bench: ratio(lambda: resolved(bench), partial(seconds, spin), 30),
    "growth": lambda bench: exponent(10, 2_000, partial(booked, bench)),
    "growth-reports": lambda bench: exponent(100, 300, partial(reported, bench), 3, 3),
    "whole-100": lambda bench: ratio(lambda: booked(bench, 100, True), lambda: booked(bench, 100)),
    "growth-whole": lambda bench: exponent(10, 1_000, partial(booked, bench, whole=True)),
    "forecast": lambda bench: ratio(lambda: forecast(bench), partial(seconds, spin), 5),
    "ledger-small": lambda bench: ratio(partial(cpu_of, ledger_of(bench, 1_116, 12))),
    "ledger": lambda bench: ratio(partial(wall_of, ledger_of(bench)), partial(wall_of, PANDAS), 9),
    "periods": periods,
    "review-page": lambda bench: ratio(partial(cpu_of, page_of(bench))),
    "review-page-size": page_size,
    "audit": audited,
    "run-cold": lambda bench: ratio(lambda: week(bench, "run", True), lambda: week(bench, "turn", True), 9),
    "run-warm": lambda bench: ratio(lambda: week(bench, "run", False), lambda: week(bench, "turn", False), 9),
    "report-mail": report_mail,
    "mail": lambda bench: ratio(lambda: alone_cost(bench), rounds=5),
    "growth-forged": lambda bench: exponent(FLOOD // 10, FLOOD, lambda mails: flood(bench, mails).cpu, 1),
    "memory-forged": lambda bench: flood(bench, FLOOD).memory / (1 << 30),
    "house-idle": idle_house,
    "house-growth": lambda bench: exponent(
        MANY, 10 * MANY, lambda size: cpu_of(typed("run", bench.house("idle", size))), 3
    ),
    "house-night": lambda bench: whole_night(bench)[0],
    "house-memory": lambda bench: whole_night(bench)[1] / MIB,
    "house-mails": house_mails,
    "house-workers": lambda bench: beside_one(bench, "--workers", "2"),
    "house-cluster": by_cluster,
    "cluster-cost": cluster_cost,
}
LONG: dict[str, Callable[[Workbench], float]] = {  # minutes each: only where they are asked for
    "turn-1000": lambda bench: ratio(lambda: turn_of(bench.campaign(LARGEST)).cpu / LARGEST, rounds=1),
    "growth-reports-1000": lambda bench: exponent(300, LARGEST, partial(reported, bench), 1, 3),
    "memory": lambda bench: turn_of(bench.campaign(LARGEST)).memory / MIB,
    "memory-whole": lambda bench: turn_of(bench.campaign(LARGEST, whole=True)).memory / MIB,
    "years-audit": lambda bench: ratio(lambda: cpu_of(typed("audit", bench.years())) / YEARS, rounds=1),
    "years-audit-memory": lambda bench: used_by(typed("audit", bench.years())).memory / MIB,
    "years-review": lambda bench: ratio(
        lambda: cpu_of(page_of(bench, bench.years())), lambda: cpu_of(typed("ledger", bench.years())), 3
    ),
    "years-packed": lambda bench: sum(packed_sizes(bench)) / 1e6,
    "years-files": lambda bench: len(packed_sizes(bench)),
}

"""What one process for a folder of campaigns costs, beside a process for each: idle runs, a night in which all are due, mails to a
house; what other processes save in that night, and what a Dask cluster costs beside what it does."""

from __future__ import annotations

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
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from bench_campaign import Workbench
from bench_mail import DUE, KINGDOMS, alike, alone_cost, idle_one, mailed, mails_cost
from bench_measure import KINGDOM, MIB, ROOT, Used, cpu_of, exponent, figure, ratio, used_by

from kingdom.campaign import clock
from kingdom.campaign.campaign import open_campaign
from kingdom.campaign.cluster import Cluster
from kingdom.campaign.workers import Processes, Task
from kingdom.mail.journal import journal_of
from kingdom.mail.servers.sources import Inbox
from kingdom.mail.week import Week

MANY, MOST = 100, 1_000  # campaigns in a folder
ALONE = 10  # of them are run one by one
ROUNDS = 3
PART = 24  # campaigns of the night that workers share
PART_ROUNDS = 2
TASKS = 200  # that a cluster is given to see what it costs
WORKERS = 2
HOUSE = "name: The house\nhost: {name: Hal, email: hal@example.org}\nmail: {address: orders@example.org}\n"

# --- nothing to do -------------------------------------------------------------------------------------------------------


@figure("house-idle", "idle `kingdom run FOLDER` of 100 campaigns, CPU for each ÷ `kingdom run` alone", 0.12, 0.07)
def _idle(bench: Workbench) -> float:
    house = _idle_house(bench, MANY)
    one = [KINGDOM, "run", str(sorted(house.iterdir())[0])]
    alone = lambda: statistics.median(cpu_of(one) for _ in range(5))  # noqa: E731
    return ratio(lambda: cpu_of([KINGDOM, "run", str(house)]) / MANY, alone, ROUNDS)


@figure("house-growth", "growth exponent of it, 100 to 1,000 campaigns", 1.03, 1)
def _growth(bench: Workbench) -> float:
    return exponent(MANY, MOST, lambda size: cpu_of([KINGDOM, "run", str(_idle_house(bench, size))]), ROUNDS)


def _idle_house(bench: Workbench, size: int) -> Path:
    """A folder of that many campaigns in which there is nothing to do: each like one that was run."""
    house = bench.folder / f"idle-{size}"
    if not house.exists():
        for number in range(size):
            alike(idle_one(bench), house / f"c{number:04}")
        cpu_of([KINGDOM, "run", str(house)])  # their mails follow their new keys
    return house


# --- a night in which all are due ----------------------------------------------------------------------------------------


@figure("house-night", "a night of 100 campaigns of six with due turns, mails and advice to make, one process, CPU for each ÷ `kingdom run` alone", 0.7, 0.6)  # fmt: skip
def _night(bench: Workbench) -> float:
    """It is measured once, between ten of its campaigns that are run alone before it and the same ten after it; all are cold."""
    names = [f"c{number:04}" for number in range(ALONE)]
    before = [_run(bench, [name]).cpu for name in names]
    used: Used = _whole_night(bench)
    return used.cpu / MANY / statistics.mean(before + [_run(bench, [name]).cpu for name in names])


@figure("house-memory", "peak memory of that night, MiB", 500, 250)
def _memory(bench: Workbench) -> float:
    used: Used = _whole_night(bench)
    return used.memory / MIB


@cache
def _whole_night(bench: Workbench) -> Used:
    return _run(bench, [f"c{number:04}" for number in range(MANY)])


def _due_house(bench: Workbench) -> Path:
    """A folder of campaigns, no two alike, each with turn 0 kept, a mail of each player for turn 1, and its deadline behind it."""
    house = bench.folder / "due"
    if not house.exists():
        for number in range(MANY):
            mailed(house / f"c{number:04}", number, DUE)
    return house


def _run(bench: Workbench, names: list[str], *words: str) -> Used:
    """What a run of these campaigns of the night takes; advice is in no cache. Every turn must be kept and every report be in the outbox."""
    again = bench.folder / "night"
    for name in names:
        shutil.copytree(_due_house(bench) / name, again / name)
    bench.forget_advice()
    used = used_by([KINGDOM, "run", *(words or ("--workers", "1")), str(again if len(names) > 1 else again / names[0])])
    for place in again.iterdir():
        assert (place / "turns" / "0001" / "orders" / "k0005.yaml").is_file(), place
        assert len([*(place / "mail" / "outbox").glob("report-0001-*")]) == KINGDOMS, place
    shutil.rmtree(again)
    return used


# --- mails to a house ----------------------------------------------------------------------------------------------------


@figure("house-mails", "1,000 mails to a house for its 100 campaigns in one run, CPU of each ÷ a mail of one campaign", 1.2, 1)  # fmt: skip
def _mails(bench: Workbench) -> float:
    """CPU beyond that of an idle run. Every mail must be handled by its campaign."""
    before, house = alone_cost(bench), bench.folder / "mail-house"
    for number in range(MANY):
        folder = alike(idle_one(bench), house / f"c{number:04}")
        settings = folder / "campaign.yaml"
        text = re.sub(r"token: aaaa(k\d+)", partial(_its_token, number), settings.read_text())
        text = re.sub(r"^name: .*$", f"name: Number {number}", text, flags=re.M)
        settings.write_text(re.sub(r"^mail: .*\n", "", text, flags=re.M))  # the house has their mail
    (house / "house.yaml").write_text(HOUSE)
    for _ in range(2):
        cpu_of([KINGDOM, "run", str(house)])  # the campaigns' mails follow their new tokens
    cost = mails_cost(house, 1, _token, MANY)
    journals = (place / "mail" / "journal.jsonl" for place in house.glob("c*"))
    assert sum(journal.read_bytes().count(b'"handled"') for journal in journals) >= 10 * MANY
    shutil.rmtree(house)
    return 2 * cost / (before + alone_cost(bench))


def _token(campaign: int, seat: str) -> str:
    return f"a{campaign:04}{seat}"


def _its_token(campaign: int, found: re.Match[str]) -> str:
    return f"token: {_token(campaign, found[1])}"


# --- other processes -----------------------------------------------------------------------------------------------------


@figure("house-workers", "a part of that night, 24 campaigns, by 2 workers ÷ by one process, wall", 0.65, 0.55)
def _by_processes(bench: Workbench) -> float:
    """The workers are started by the run."""
    return _beside_one(bench, "--workers", str(WORKERS))


@figure("house-cluster", "the same by 2 Dask workers on loopback, started before", 0.75, 0.62)
def _by_cluster(bench: Workbench) -> float:
    with _cluster() as (address, _):
        _run(bench, _part(), "--scheduler", address)  # a cluster that has done a night
        return _beside_one(bench, "--scheduler", address)


def _part() -> list[str]:
    return [f"c{number:04}" for number in range(PART)]


def _beside_one(bench: Workbench, *words: str) -> float:
    """Wall time of a night with these words ÷ of one process, in turns."""
    return statistics.median(_run(bench, _part(), *words).wall / _run(bench, _part()).wall for _ in range(PART_ROUNDS))


@figure("cluster-cost", "CPU of a Dask cluster for a campaign beside its work ÷ of the campaign, %", 10, 5)
def _cost(bench: Workbench) -> float:
    """The tasks are as large as a campaign's, and so are the results, but there is next to nothing to do."""
    given, made = _sizes(bench)
    one = _run(bench, _part()).cpu / PART
    with _cluster() as (address, processes):
        client = Cluster(address, False, Processes(1))
        try:
            rounds = [_cost_of(client, processes, given, made) for _ in range(ROUNDS + 1)][1:]
        finally:
            client.close()
    return 100 * statistics.median(rounds) / one


def _cost_of(client: Cluster, processes: list[int], given: int, made: int) -> float:
    """CPU of all processes of the cluster, this one among them, for a task."""
    before = time.process_time() + sum(map(_cpu_of, processes))
    task = Task(partial(operator.mul, made // given), os.urandom(given))
    futures = [client.submit(task) for _ in range(TASKS)]
    for future in futures:
        assert future is not None and len(future.result()) >= made - given
    return (time.process_time() + sum(map(_cpu_of, processes)) - before) / TASKS


def _cpu_of(process: int) -> float:
    """CPU seconds, user and system, that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _sizes(bench: Workbench) -> tuple[int, int]:
    """(bytes of a campaign's task, bytes of its result)."""
    with bench.copy(_due_house(bench) / "c0000") as folder:
        campaign = open_campaign(folder)
        journal = journal_of(campaign)
        going = Week(campaign, journal, Inbox(folder / "mail" / "inbox", journal), clock.now(), helpers=WORKERS).going()
        (task,) = next(going)
        going.close()
        return len(task.data), len(task.work(task.data))


@contextmanager
def _cluster() -> Iterator[tuple[str, list[int]]]:
    """A scheduler and two workers on loopback: the address, the ids of the processes."""
    library: Any = import_module("distributed")  # its functions have no types
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    here = ["--host", "127.0.0.1", "--no-dashboard"]
    alone = ["--nthreads", "1", "--no-nanny", "--local-directory", tempfile.gettempdir()]
    scheduler = ["scheduler", "--port", address.rpartition(":")[2], *here]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    start = partial(subprocess.Popen, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    commands = [scheduler] + [["worker", address, *alone, *here]] * WORKERS
    processes = [start([sys.executable, "-m", "dask", *words]) for words in commands]
    try:
        with library.Client(address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(WORKERS, timeout=60)
        yield address, [process.pid for process in processes]
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()

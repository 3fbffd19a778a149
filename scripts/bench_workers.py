"""What other processes save in a night of many due campaigns, and what a Dask cluster costs beside what it does."""

from __future__ import annotations

import operator
import os
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

from bench_house import KINGDOMS, due_house
from bench_measure import KINGDOM, ROOT, Used, used_by

from kingdom.campaign import clock
from kingdom.campaign.campaign import open_campaign
from kingdom.campaign.cluster import Cluster
from kingdom.campaign.workers import Processes, Task
from kingdom.mail.journal import journal_of
from kingdom.mail.servers.sources import Inbox
from kingdom.mail.week import Week

PART = 40  # campaigns of the night that are run
ROUNDS = 3
TASKS = 200  # that a cluster is given to see what it costs
WORKERS = 2


def by_processes(bench: Any) -> float:
    """Wall time of a night by two workers ÷ by one process. They are started by the run."""
    return _beside_one(bench, "--workers", str(WORKERS))


def by_cluster(bench: Any) -> float:
    """Wall time of a night by two Dask workers ÷ by one process. The cluster was started before and has done a night."""
    with _cluster() as (address, _):
        return _beside_one(bench, "--scheduler", address)


def cost(bench: Any) -> float:
    """CPU that a Dask cluster takes for a campaign beside its work ÷ CPU of the campaign in one process.

    The tasks are as large as a campaign's, and so are the results, but there is next to nothing to do.
    """
    given, made = _sizes(bench)
    one = _night(bench, "--workers", "1").cpu / PART
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


@cache
def _sizes(bench: Any) -> tuple[int, int]:
    """(bytes of a campaign's task, bytes of its result)."""
    folder = bench.folder / "sized"
    shutil.copytree(due_house(bench) / "c0000", folder)
    campaign = open_campaign(folder)
    journal = journal_of(campaign)
    going = Week(campaign, journal, Inbox(folder / "mail" / "inbox", journal), clock.now(), helpers=WORKERS).going()
    (task,) = next(going)
    going.close()
    return len(task.data), len(task.work(task.data))


def _beside_one(bench: Any, *words: str) -> float:
    """Wall time of a night with these words ÷ of one process, in turns; the first round does not count."""
    _night(bench, *words), _night(bench, "--workers", "1")
    rounds = [_night(bench, *words).wall / _night(bench, "--workers", "1").wall for _ in range(ROUNDS)]
    return statistics.median(rounds)


def _night(bench: Any, *words: str) -> Used:
    """What a run of a part of the night takes. Every turn must be kept and every report be in the outbox."""
    again = bench.folder / "part"
    for place in sorted(due_house(bench).iterdir())[:PART]:
        shutil.copytree(place, again / place.name)
    used = used_by([KINGDOM, "run", str(again), *words])
    for place in again.iterdir():
        assert (place / "turns" / "0001" / "orders" / "k0005.yaml").is_file(), place
        assert len([*(place / "mail" / "outbox").glob("report-0001-*")]) == KINGDOMS, place
    shutil.rmtree(again)
    return used


@contextmanager
def _cluster() -> Iterator[tuple[str, list[int]]]:
    """A scheduler and two workers on loopback: the address, the ids of the processes."""
    library: Any = import_module("distributed")  # its functions have no types
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    here = ["--host", "127.0.0.1", "--no-dashboard"]
    alone = ["--nthreads", "1", "--no-nanny", "--local-directory", tempfile.gettempdir()]
    commands = [["scheduler", "--port", address.rpartition(":")[2], *here]] + [
        ["worker", address, *alone, *here]
    ] * WORKERS
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "dask", *command],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for command in commands
    ]
    try:
        with library.Client(address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(WORKERS, timeout=60)
        yield address, [process.pid for process in processes]
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()

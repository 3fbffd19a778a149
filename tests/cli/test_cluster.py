"""Many machines: a scheduler and two workers as processes on loopback make turns to the byte, and die without loss."""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from kingdom.campaign import clock, cluster, workers
from kingdom.campaign.workers import NoTeam
from kingdom.cli.main import main
from tests.cli.test_workers import run, same
from tests.kit import small_realm
from tests.kit.clusters import ROOT, Adapting, Cluster, free_port, kill
from tests.kit.due_campaigns import BY_US, KINDS, NOW
from tests.kit.mailservers import Authority, wait_for
from tests.kit.tiny_game import contents, write

pytestmark = pytest.mark.filterwarnings("ignore")  # the library's own


@pytest.fixture(scope="module")
def started() -> Iterator[Cluster]:
    with Cluster(2) as there:
        yield there


@pytest.fixture
def two(started: Cluster) -> Cluster:
    """A scheduler and two workers, the same for all; those that the test before stopped or killed are there again."""
    started.revive()
    return started


@pytest.fixture
def house(made: Path, tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setattr(clock, "now", lambda: NOW)
    return shutil.copytree(made, tmp_path / "house")


Both = tuple[tuple[int, str, str], tuple[int, str, str], list[str]]


@pytest.fixture
def both_of_all(by_one, house, capsys, monkeypatch):
    """Have a cluster run a copy: (what was said by one process alone, what by the cluster, the files that differ)."""

    def both(address: str, *words: str) -> Both:
        together = run(house, "--scheduler", address, *words, capsys=capsys, monkeypatch=monkeypatch)
        return by_one.said, together, same(by_one.house, house)

    return both


@pytest.fixture
def both(few_by_one, few_made, tmp_path: Path, capsys, monkeypatch):
    """The same of some campaigns, where it is not about what kinds there are."""
    monkeypatch.setattr(clock, "now", lambda: NOW)
    house = shutil.copytree(few_made, tmp_path / "house")

    def both(address: str, *words: str) -> Both:
        together = run(house, "--scheduler", address, *words, capsys=capsys, monkeypatch=monkeypatch)
        return few_by_one.said, together, same(few_by_one.house, house)

    return both


@pytest.fixture
def came(monkeypatch) -> list[bytes]:
    """What comes of each task."""
    results: list[bytes] = []
    result_of = workers._result_of
    monkeypatch.setattr(workers, "_result_of", lambda future: results.append(result_of(future)) or results[-1])
    return results


def test_what_a_cluster_makes_is_the_same_to_the_byte(two, both_of_all, came, monkeypatch) -> None:
    monkeypatch.setattr(workers.Processes, "submit", lambda self, task: pytest.fail("a process of this machine works"))
    alone, together, differing = both_of_all(two.address)
    assert (together, differing) == (alone, [])
    assert sum(map(bool, came)) == len(KINDS) - len(BY_US)


@pytest.mark.package("openssl", "openssl")
@pytest.mark.parametrize("workers", [0, pytest.param(2, marks=pytest.mark.long)])
def test_with_tls_it_is_the_same_and_without_a_certificate_nobody_works(
    workers: int, both, tmp_path, monkeypatch
) -> None:
    """The short run asks a scheduler alone."""
    import dask
    import distributed  # noqa: F401 - brings its settings

    (tmp_path / "stranger").mkdir()
    authority = Authority(tmp_path)
    certificate, key = authority.certificate()
    config = {
        "distributed.comm.tls.ca-file": str(authority.file),
        "distributed.comm.tls.client.cert": str(certificate),
        "distributed.comm.tls.client.key": str(key),
    }
    with dask.config.set(config), Cluster(workers, tls=(authority.file, certificate, key)) as there:
        if workers:
            alone, together, differing = both(there.address)
            assert (together, differing) == (alone, [])
        monkeypatch.setattr(cluster, "CONNECT", 2)
        if not workers:
            assert "has no workers" in news_of(there.address)
        with dask.config.set(dict.fromkeys(config)):
            assert "needs certificates" in news_of(there.address)
        stranger = Authority(tmp_path / "stranger").certificate()
        with dask.config.set(dict(zip([*config][1:], map(str, stranger), strict=True))):
            assert "does not answer" in news_of(there.address)


def news_of(address: str) -> str:
    """What a cluster says when it is given a task that nobody may do."""
    team = cluster.Cluster(address, False, workers.Processes(1))
    team._instead.submit = lambda task: None  # type: ignore[method-assign]
    assert team.submit(workers.Task(bytes.upper, b"x")) is None
    team.close()
    return " ".join(team.news())


@pytest.mark.package("openssl", "openssl")
@pytest.mark.long
def test_the_page_on_hosting_sets_up_a_cluster_with_tls(house, tmp_path, monkeypatch) -> None:
    """Its certificate is made, and processes of their own read its settings."""
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    blocks = dict(re.findall(r"^```\w+ (certificate|dask)\n(.*?)^```", page, re.M | re.S))
    subprocess.run(["sh", "-e", "-c", blocks["certificate"]], env={**os.environ, "HOME": str(tmp_path)}, check=True)
    write(tmp_path, "dask/kingdom.yaml", blocks["dask"].replace("/srv/play", str(tmp_path)))
    import dask
    import distributed  # noqa: F401 - brings its settings, before those of the page are to be read by others

    monkeypatch.setenv("DASK_CONFIG", str(tmp_path / "dask"))
    files = (tmp_path / "cluster.crt", tmp_path / "cluster.crt", tmp_path / "cluster.key")
    mine = {"ca-file": files[0], "client.cert": files[1], "client.key": files[2]}
    mine = {f"distributed.comm.tls.{name}": str(file) for name, file in mine.items()}
    for settings in house.glob("*/campaign.yaml"):
        settings.write_text(
            settings.read_text().replace("2027-02-04", "2026-01-04")
        )  # a fresh process has a clock of its own
    with dask.config.set(mine), Cluster(2, tls=()) as there:
        command = [sys.executable, "-m", "kingdom", "run", str(house), "--scheduler", there.address]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert "11 campaigns: 10 played" in done.stdout and "the work is done here" not in done.stderr


def test_a_scheduler_that_is_not_there_is_named_and_the_run_goes_on(both, monkeypatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 1)
    address = f"tcp://127.0.0.1:{free_port()}"
    alone, together, differing = both(address, "--workers", "1")
    assert differing == [] and together[:2] == alone[:2]
    said = together[2].replace(alone[2], "")
    assert said == (
        f"The Dask scheduler {address} does not answer (OSError): the work is done here, by 1 process. "
        "To use the cluster again, see that `dask scheduler` runs there.\n"
    )


@pytest.mark.long
def test_a_cluster_that_starts_workers_for_tasks_alone_is_woken(both, monkeypatch) -> None:
    monkeypatch.setattr(workers.Processes, "submit", lambda self, task: pytest.fail("a process of this machine works"))
    monkeypatch.setattr(cluster, "CONNECT", 60)
    with Adapting() as there:
        wait_for(there.port, there.process)
        alone, together, differing = both(there.address)
    assert (together, differing) == (alone, [])


def test_several_versions_of_the_package_are_named_before_the_first_task() -> None:
    def about(version: str) -> dict[str, object]:
        return {"packages": {"distributed": version}, "host": {}}

    def named(scheduler: str, **there: object) -> list[str]:
        team = cluster.Cluster("tcp://127.0.0.1:1", False, workers.Processes(1))
        team._compare_versions({"client": about("2026.8.0"), "scheduler": about(scheduler), "workers": there})
        return team.news()

    assert named("2026.8.0", one=about("2026.8.0"), still=None) == []
    assert named("2025.4.0", one=about("2026.8.0")) == [
        "The Dask cluster tcp://127.0.0.1:1 has several versions of distributed: 2026.8.0 here, 2025.4.0 on the scheduler, "
        "2026.8.0 on one. Install the same everywhere."
    ]


@pytest.mark.long
def test_a_scheduler_without_workers_says_what_helps(both) -> None:
    with Cluster(0) as nobody:
        alone, together, differing = both(nobody.address, "--workers", "1")
    assert differing == [] and "has no workers: the work" in together[2]
    assert f"`dask worker {nobody.address} --nthreads 1`" in together[2]


def test_workers_of_another_version_are_refused(two, both, tmp_path, monkeypatch) -> None:
    older = tmp_path / "older"
    for name in ("kingdom", "templates"):
        shutil.copytree(ROOT / name, older / name)
    file = older / "kingdom" / "__init__.py"
    file.write_text(file.read_text().replace('__version__ = "', '__version__ = "0.0.1+'))
    with Cluster(1, root=older) as old:
        monkeypatch.setattr(workers, "LEAST", 1)
        alone, together, differing = both(old.address, "--workers", "1")
    assert differing == [] and together[:2] == alone[:2]
    assert "is not used: it has kingdom 0.0.1+" in together[2]
    assert f"here is {cluster.program()}. Install the same on both.\n" in together[2]
    assert "has no worker with this program: the work is done here" in together[2]


@pytest.mark.long
def test_of_a_mixed_cluster_the_same_version_works(tmp_path, both, monkeypatch) -> None:
    bare = tmp_path / "bare"
    (bare / "kingdom").mkdir(parents=True)
    (bare / "kingdom" / "__init__.py").write_text("raise ImportError('nothing here')\n")
    monkeypatch.setattr(workers.Processes, "submit", lambda self, task: pytest.fail("a process of this machine works"))
    with Cluster(1) as mixed:
        mixed.start_worker(bare)
        mixed.wait_for(2)
        alone, together, differing = both(mixed.address)
    assert differing == [] and together[:2] == alone[:2]
    assert together[2].count("is not used: it has no program `kingdom` that starts; here is") == 1


def when_given(monkeypatch, number: int, then) -> None:
    """Do that a moment after so many tasks were given to the cluster."""
    given = []
    submit = cluster.Cluster.submit

    def counted(self, task):
        given.append(task)
        future = submit(self, task)
        if len(given) == number:
            threading.Timer(0.1, then).start()
        return future

    monkeypatch.setattr(cluster.Cluster, "submit", counted)


@pytest.mark.long
@pytest.mark.parametrize("again", [False, True])
def test_a_scheduler_that_dies_or_starts_again_loses_nothing(again: bool, both, monkeypatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 2)
    monkeypatch.setattr(workers, "LOOK", 1)
    with Cluster(2) as there:

        def restart() -> None:
            kill(there.scheduler)
            if again:
                there.start_scheduler()
                there.start_worker()

        when_given(monkeypatch, 2, restart)
        alone, together, differing = both(there.address, "--workers", "1")
    assert differing == [] and together[:2] == alone[:2]


def stand_still(*processes: subprocess.Popen) -> None:
    """They answer nothing more, and nobody hangs up."""
    for process in processes:
        process.send_signal(signal.SIGSTOP)


@pytest.mark.parametrize("who", ["one worker", "scheduler", pytest.param("all workers", marks=pytest.mark.long)])
def test_who_stands_still_is_waited_for_no_longer(who: str, two, both, monkeypatch) -> None:
    monkeypatch.setattr(cluster, "ALONE", 2)
    monkeypatch.setattr(cluster, "LOOK", 1)
    monkeypatch.setattr(workers, "LOOK", 1)
    still = {"one worker": two.workers[:1], "all workers": two.workers, "scheduler": [two.scheduler]}[who]
    when_given(monkeypatch, 3, lambda: stand_still(*still))
    alone, together, differing = both(two.address, "--workers", "1")
    assert differing == [] and together[:2] == alone[:2]
    said = {
        "one worker": "gave no sign of life for 2 seconds. What it was to do is done here.",
        "all workers": "has no workers any more: the work is done here, by 1 process.",
        "scheduler": "was lost: the work is done here, by 1 process.",
    }
    assert said[who] in together[2]


def test_an_address_at_which_nobody_answers_is_given_up(both, monkeypatch) -> None:
    """It takes calls, and says nothing."""
    monkeypatch.setattr(cluster, "CONNECT", 1)
    monkeypatch.setattr(cluster, "LOOK", 1)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        began = time.monotonic()
        said = news_of(f"tcp://127.0.0.1:{silent.getsockname()[1]}")
        assert "does not answer (" in said and "the work is done here" in said and time.monotonic() - began < 10


def test_nothing_is_waited_for_longer_than_half_a_minute() -> None:
    assert 2 * cluster.CONNECT + 2 * cluster.LOOK <= 30  # the scheduler, who is there, what they have
    assert cluster.ALONE + workers.LOOK + cluster.LOOK <= 30


def test_a_worker_that_gave_a_wrong_result_is_not_asked_again(two, both_of_all, monkeypatch) -> None:
    asked: list[str] = []
    wrong = cluster.wrong

    def judged(task, result: object) -> str:
        return wrong(task, result) or ("made again here, it is another" if not asked else "")

    submit = cluster.Cluster.submit

    def submitted(self, task):
        future = submit(self, task)
        if not self._executors or len(self._executors) < 2:
            asked.append(self._makers.get(future, "here"))
        return future

    monkeypatch.setattr(cluster, "wrong", judged)
    monkeypatch.setattr(cluster.Cluster, "submit", submitted)
    alone, together, differing = both_of_all(two.address)
    assert differing == [] and together[:2] == alone[:2]
    refused = re.findall(r"The Dask worker (\S+) gave a wrong result \(made again here, it is another\)", together[2])
    assert len({*refused}) == len(refused) >= 1 and asked and refused[0] not in asked


def test_a_job_that_runs_twice_counts_once(two, both, monkeypatch) -> None:
    submit = cluster.Cluster.submit
    monkeypatch.setattr(cluster.Cluster, "submit", lambda self, task: (submit(self, task), submit(self, task))[1])
    alone, together, differing = both(two.address)
    assert (together, differing) == (alone, [])


def test_a_cluster_plays_simulated_campaigns(two, came, capsys, monkeypatch) -> None:
    words = ["simulate", "--game", "kings_progress", "--games", "3", "--turns", "5", "--seed", "public"]
    assert main([*words, "--workers", "1"]) == 0
    alone = capsys.readouterr()
    monkeypatch.setattr(workers.Processes, "submit", lambda self, task: pytest.fail("a process of this machine works"))
    came.clear()
    assert main([*words, "--scheduler", two.address]) == 0
    assert capsys.readouterr() == alone and all(came) and len(came) == 3


@pytest.mark.long
def test_a_cluster_plays_the_campaigns_of_scripts_bots(two, came, monkeypatch) -> None:
    """The scripts are sent to its workers, which have the program alone."""
    import argparse

    import bots_kingdoms
    import bots_workers

    monkeypatch.setattr(workers.Processes, "submit", lambda self, task: pytest.fail("a process of this machine works"))
    play, seeds = partial(bots_kingdoms.campaign, "steady", 2), ["public 1", "public 2"]
    parser = argparse.ArgumentParser()
    bots_workers.options(parser)
    with bots_workers.team_of(parser.parse_args(["--scheduler", two.address])) as team:
        played = bots_workers.played(play, seeds, team)
    assert played == [play(seed) for seed in seeds] and all(came) and len(came) == 2 and not team.news()


@pytest.mark.parametrize("dying", [pytest.param(1, marks=pytest.mark.long), 2])
def test_a_worker_that_dies_loses_nothing(dying: int, two, both, monkeypatch) -> None:
    """The other one does its work; if both die, this machine does."""
    monkeypatch.setattr(cluster, "ALONE", 1)
    monkeypatch.setattr(workers, "LOOK", 1)
    when_given(monkeypatch, 3, lambda: [kill(worker) for worker in two.workers[:dying]])
    alone, together, differing = both(two.address, "--workers", "1")
    assert differing == [] and together[:2] == alone[:2]


def test_nobody_is_called_where_nothing_is_due(tmp_path, capsys) -> None:
    fords = small_realm.campaign(tmp_path / "fords")
    for _ in range(2):
        code = main(["run", str(fords), "--scheduler", f"127.0.0.1:{free_port()}"])
        assert (code, capsys.readouterr().err) == (0, "")


@pytest.mark.parametrize("address", ["tcp://10.0.0.5:8786", "scheduler.example.org:8786", "[2001:db8::1]:8786"])
def test_an_open_network_is_refused_unless_it_is_trusted(address: str, made, tmp_path, capsys, monkeypatch) -> None:
    house = shutil.copytree(made, tmp_path / "house")
    before = contents(house)
    assert main(["run", str(house), "--scheduler", address]) == 2
    said = capsys.readouterr().err
    assert "is reached without TLS: whoever can reach a Dask worker owns it" in said and "--trust-network" in said
    assert contents(house) == before
    assert cluster.proved(address, True) == address.replace("tcp://", "").join(["tcp://", ""])
    assert cluster.proved("tls://" + address.rpartition("/")[2], False).startswith("tls://")


@pytest.mark.parametrize("address", ["127.0.0.1:8786", "tcp://localhost:1", "[::1]:8786", "tcp://127.3.2.1:80"])
def test_loopback_is_open_to_nobody_else(address: str) -> None:
    assert cluster.proved(address, False).startswith("tcp://")


@pytest.mark.parametrize("address", ["nowhere", "inproc://1", "tcp://127.0.0.1", "tcp://:8786", "http://127.0.0.1:80"])
def test_what_is_no_address_is_told(address: str) -> None:
    with pytest.raises(NoTeam, match="is no address of a scheduler; write tls://HOST:PORT"):
        cluster.proved(address, False)


def test_without_the_package_it_says_what_to_install(made, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    assert main(["run", str(tmp_path), "--scheduler", "127.0.0.1:8786"]) == 2
    assert f"pip --python {sys.executable} install distributed`" in capsys.readouterr().err


def test_nothing_of_it_is_loaded_without_the_option(made, tmp_path) -> None:
    house = shutil.copytree(made, tmp_path / "house")
    code = (
        "import sys\nfrom kingdom.cli.main import main\n"
        f"main(['run', {str(house / 'plain')!r}])\nprint(*(name for name in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    loaded = {name.partition(".")[0] for name in done.stderr.split()} | {*done.stderr.split()}
    assert not loaded & {"distributed", "dask", "tornado", "multiprocessing", "kingdom.campaign.cluster"}


def test_no_log_of_the_library_gets_into_our_output() -> None:
    """It gives tornado.application and distributed.client levels of their own, which what stands above them does not change."""
    pytest.importorskip("distributed")
    logging.getLogger("tornado.application").setLevel(logging.ERROR)
    cluster._be_quiet()
    loud = [
        name
        for name in logging.root.manager.loggerDict
        if name.startswith(("distributed", "tornado")) and logging.getLogger(name).isEnabledFor(logging.CRITICAL)
    ]
    assert loud == []

"""Many cores: turns and mails that others made are the same to the byte, and they learn no secret by it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import clock, lock, store, workers
from kingdom.campaign.workers import Outcome, Processes, Task, Team, side_by_side
from kingdom.cli.main import main
from kingdom.mail import tokens, turn_jobs
from tests.kit import small_realm
from tests.kit.due_campaigns import BY_US, HEAD, KINDS, NOW, SEED
from tests.kit.tiny_game import contents, write

ROOT = Path(__file__).parents[2]


@pytest.fixture
def due(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the same moment, and others are asked for little, too."""
    monkeypatch.setattr(clock, "now", lambda: NOW)
    monkeypatch.setattr(workers, "LEAST", 1)


@pytest.fixture
def house(made: Path, tmp_path: Path, due: None) -> Path:
    """A copy of it that others run."""
    return shutil.copytree(made, tmp_path / "house")


@pytest.fixture
def few(few_made: Path, tmp_path: Path, due: None) -> Path:
    """A copy of some that others run."""
    return shutil.copytree(few_made, tmp_path / "house")


class Here(Team):
    """A team that does each task at once, in this process, and remembers it. fails: the tasks that nobody does, counted from 1."""

    def __init__(self, width: int, fails: frozenset[int] = frozenset(), least: int = 0):
        super().__init__()
        self.width, self.least, self.fails = width, least, fails
        self.tasks: list[Task] = []
        self.results: list[bytes] = []

    def submit(self, task: Task) -> Future[bytes] | None:
        self.tasks.append(task)
        if len(self.tasks) in self.fails:
            self.results.append(b"")
            return None
        future: Future[bytes] = Future()
        self.results.append(workers.done(task.work, task.data))
        future.set_result(self.results[-1])
        return future


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Here:
    """All tasks are done in this process."""
    team = Here(2)
    monkeypatch.setattr(workers, "Processes", lambda width: team)
    return team


def run(
    house: Path, *words: str, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, str, str]:
    """Run it: (exit code, standard output, standard error)."""
    monkeypatch.chdir(house.parent)
    capsys.readouterr()
    return (main(["run", "house", *words]), *capsys.readouterr())


def same(one: Path, other: Path) -> list[str]:
    """The files that two folders do not have alike."""
    left, right = contents(one), contents(other)
    return sorted(name for name in left | right if left.get(name) != right.get(name))


def test_what_processes_make_is_the_same_to_the_byte(by_one, house, capsys, monkeypatch) -> None:
    together = run(house, "--workers", "2", capsys=capsys, monkeypatch=monkeypatch)
    assert by_one.said == together and together[0] == 1
    assert same(by_one.house, house) == []
    assert "11 campaigns: 10 played, 0 waiting, 1 failing" in together[1]
    assert len([*house.glob("*/mail/outbox/report-0003-*")]) >= 2 * len(KINDS)


def test_others_made_all_that_they_may(by_one, house, here, capsys, monkeypatch) -> None:
    run(house, "--workers", "2", capsys=capsys, monkeypatch=monkeypatch)
    assert same(by_one.house, house) == []
    jobs = [msgspec.msgpack.decode(task.data, type=turn_jobs.Job) for task in here.tasks]
    made = sum(result != b"" for result in here.results)
    assert made == len(KINDS) - len(BY_US)
    assert {job.parcel.last for job in jobs} == {2} and all(job.mailed for job in jobs)


def test_a_job_and_what_comes_of_it_hold_no_secret(house, here, capsys, monkeypatch) -> None:
    run(house, "--workers", "2", capsys=capsys, monkeypatch=monkeypatch)
    assert here.tasks
    secret = [
        SEED,
        "ab" * 32,
        "g5s1r0",
        "k7f3q9",
        "b8w2m4",
        "ada.lace",
        "keeper@",
        "bo@example",
        "o'neil",
        "example.org>",
    ]
    own = campaigns.open_campaign(house / "plain")
    secret += [tokens.turn_token(own, seat, turn) for seat in own.seats for turn in (3, 4)]
    for data in (*(task.data for task in here.tasks), *here.results):
        assert [word for word in secret if word.encode() in data] == []


@pytest.mark.parametrize("fails", [{1}, {2, 3, 4}, set(range(1, 100))])
def test_what_nobody_did_is_done_here(few_by_one, few, capsys, monkeypatch, fails: set[int]) -> None:
    monkeypatch.setattr(workers, "Processes", lambda width: Here(2, frozenset(fails)))
    assert run(few, "--workers", "2", capsys=capsys, monkeypatch=monkeypatch) == few_by_one.said
    assert same(few_by_one.house, few) == []


def test_a_task_that_fails_by_a_fault_of_the_program_is_told(few_by_one, few, here, capsys, monkeypatch) -> None:
    contents_of = turn_jobs._contents

    def failing(campaign: campaigns.Campaign, job: turn_jobs.Job) -> object:
        if campaign.settings.publish.folder:
            raise KeyError("a fault")
        return contents_of(campaign, job)

    monkeypatch.setattr(turn_jobs, "_contents", failing)
    together = run(few, "--workers", "2", capsys=capsys, monkeypatch=monkeypatch)
    assert together[:2] == few_by_one.said[:2] and same(few_by_one.house, few) == []
    said = (
        "A task that was given away failed there (KeyError: 'a fault') and went on here. This is a fault of the program"
    )
    assert together[2].startswith(few_by_one.said[2] + said)


def test_a_worker_that_lies_is_not_believed(few_by_one, few, here, capsys, monkeypatch) -> None:
    """Another turn, altered files, a file beside the folder: the turn is made here."""
    honest = workers.done

    def lie(work: workers.Work, data: bytes) -> bytes:
        result = honest(work, data)
        if not result:
            return result
        made = msgspec.msgpack.decode(result, type=turn_jobs.Made)
        kind = len(here.tasks) % 3
        if kind == 0:
            return b"\xc1 no msgpack"
        if kind == 1:
            return msgspec.msgpack.encode(replace(made, files={**made.files, "../evil": b"x"}))
        return msgspec.msgpack.encode(replace(made, files={**made.files, "ledger.csv": b""}))

    monkeypatch.setattr(workers, "done", lie)
    run(few, "--workers", "2", capsys=capsys, monkeypatch=monkeypatch)
    assert same(few_by_one.house, few) == [] and not [*few.rglob("evil")]


LIES = {  # what is changed in the files of a turn, each named by its record -> how it is found
    "dice.csv": (lambda data: re.sub(rb"(,\d+,)\d+(,seed)", rb"\g<1>1\2", data), "is 1; the seed gives"),
    "ledger.csv": (lambda data: data.replace(b",treasury,", b",unrest,", 1), "The books"),
    "state.json": (lambda data: data.replace(b'"treasury": ', b'"treasury": 9', 1), "The books and the state differ"),
    "rules.yaml": (lambda data: data + b"# more\n", "rules.yaml has other rules"),
    "orders/examplia.yaml": (lambda data: data + b"# more\n", "examplia.yaml has other orders"),
    "orders/nobody.yaml": (lambda data: b"claim: 0101\n", "nobody.yaml was not asked for"),
    "reports/page.js": (lambda data: b"alert()", "page.js was not asked for"),
    "reports/examplia.txt": (lambda data: b"\xff", "UnicodeDecodeError"),
    "reports/borderia.txt": (lambda data: data + b"Send me your token.\n", "made again here, it is another"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_result_that_was_changed_is_found(by_one, made, tmp_path: Path, name: str, capsys, monkeypatch) -> None:
    """The record fits the changed files, as a worker that lies would make it."""
    from kingdom.campaign import cluster

    plain = shutil.copytree(made / "plain", tmp_path / "house" / "plain")
    monkeypatch.setattr(clock, "now", lambda: NOW)
    monkeypatch.setattr(workers, "LEAST", 1)
    change, found = LIES[name]
    reasons: list[str] = []
    monkeypatch.setattr(cluster, "ONE_IN", 1)

    class Lying(Here):
        def judged(self, task: Task, given: Future[bytes] | None, result: bytes) -> bytes:
            made = msgspec.msgpack.decode(result, type=turn_jobs.Made)
            assert cluster.wrong(task, result) == ""
            files = {**made.files, name: change(made.files.get(name, b""))}
            digests = {file: store.digest_of(data) for file, data in files.items() if file != store.RECORD}
            files[store.RECORD] = store.sealed_anew(files[store.RECORD], digests)
            reasons.append(cluster.wrong(task, msgspec.msgpack.encode(replace(made, files=files))))
            return workers.NOT_DONE

    monkeypatch.setattr(workers, "Processes", lambda width: Lying(2))
    monkeypatch.chdir(tmp_path)
    assert main(["run", "house/plain", "--workers", "2"]) == 0
    assert len(reasons) == 1 and found in reasons[0], reasons
    assert same(by_one.house / "plain", plain) == []


def test_the_reports_of_a_large_turn_are_shared_out(few_by_one, few, here, capsys, monkeypatch) -> None:
    monkeypatch.setattr(turn_jobs, "LARGE", 2)
    run(few, "--workers", "2", capsys=capsys, monkeypatch=monkeypatch)
    assert same(few_by_one.house, few) == []
    jobs = [msgspec.msgpack.decode(task.data, type=turn_jobs.Job) for task in here.tasks]
    assert ["borderia", "gm"] in [job.seats for job in jobs] and ["examplia"] in [job.seats for job in jobs]
    assert ([], ["examplia"]) in [(job.seats, job.mailed) for job in jobs]


def test_a_campaign_that_is_named_twice_is_run_twice(few, here, capsys, monkeypatch) -> None:
    (few / "plain-again").symlink_to(few / "plain")
    code, out, err = run(few, "house/plain", capsys=capsys, monkeypatch=monkeypatch)
    assert code == 1 and "another run holds" not in err and "7 campaigns: 5 played" in out


def test_no_process_is_started_for_little(made, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)
    house = tmp_path / "house"
    for name in [*KINDS][:4]:
        shutil.copytree(made / name, house / name)

    def given(self: Processes, *_: object) -> None:
        raise AssertionError("a process is started")

    monkeypatch.setattr(Processes, "_given", given)
    code, out, err = run(house, "--workers", "8", capsys=capsys, monkeypatch=monkeypatch)
    assert (code, "4 played" in out, "AssertionError" in err) == (0, True, False)


def test_a_dry_run_gives_nothing_away(few, here, capsys, monkeypatch) -> None:
    before = contents(few)
    run(few, "--workers", "2", "--dry-run", capsys=capsys, monkeypatch=monkeypatch)
    assert contents(few) == before and not here.tasks


@pytest.mark.parametrize("word", ["0", "-1", "two", "1000"])
def test_a_number_of_workers_is_one(word: str, tmp_path: Path, capsys) -> None:
    assert main(["run", str(tmp_path), "--workers", word]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_simulated_campaigns_are_the_same_whoever_plays_them(tmp_path: Path, capsys, monkeypatch) -> None:
    """On a campaign's own ground with rules of its own, of which a player's token stays here."""
    fords = small_realm.campaign(tmp_path / "fords")
    write(fords, "campaign.yaml", HEAD.format(seed=SEED, rules="", bot="", more=""))
    words = ["simulate", str(fords), "--games", "3", "--turns", "2", "--seed", "public"]
    given = []
    submit = Processes.submit
    monkeypatch.setattr(Processes, "submit", lambda self, task: given.append(task) or submit(self, task))
    monkeypatch.setattr(workers, "LEAST", 1)
    assert main([*words, "--workers", "1"]) == 0
    alone = capsys.readouterr()
    assert not given and "3 campaigns of 2 turns" in alone.out
    assert main([*words, "--workers", "2"]) == 0
    assert capsys.readouterr() == alone and len(given) == 3
    assert all(workers.done(task.work, task.data) for task in given)
    assert not [word for word in (SEED, "k7f3q9", "bo@example") if word.encode() in given[0].data]


def test_what_is_wrong_in_a_simulated_campaign_is_told_by_whoever_asked(tmp_path: Path, capsys, here) -> None:
    fords = small_realm.campaign(tmp_path / "fords")
    write(fords, "kingdoms/borderia.yaml", "name: Borderia\n")
    assert main(["simulate", str(fords), "--games", "2", "--turns", "1", "--workers", "2"]) == 1
    assert "borderia.yaml" in capsys.readouterr().err and here.results == [b"", b""]


# --- runs side by side


def work(data: bytes) -> bytes:
    return data[::-1]


def die(data: bytes) -> bytes:
    """Do the work, but kill the process that is named first where it is not this one's parent."""
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def steps(name: str, tasks: int, log: list[str]) -> Iterator:
    log.append(f"{name} begins")
    results = (yield [Task(work, f"{name}{index}".encode()) for index in range(tasks)]) if tasks else []
    if name == "bad":
        raise ValueError(name)
    log.append(f"{name} ends")
    return [result.decode() for result in results]


def test_runs_come_out_in_their_order_whoever_is_done_first() -> None:
    log: list[str] = []
    team = Here(2)
    runs = [steps("a", 2, log), steps("b", 0, log), steps("bad", 1, log), steps("c", 1, log)]
    outcomes = list(side_by_side(iter(runs), team))
    assert [outcome.value for outcome in outcomes] == [["0a", "1a"], [], None, ["0c"]]
    assert [type(outcome.error) for outcome in outcomes] == [type(None), type(None), ValueError, type(None)]
    with pytest.raises(ValueError):
        outcomes[2].get()
    assert list(side_by_side([steps("a", 1, log)], Team())) == [Outcome([""])]


def full(data: bytes) -> bytes:
    raise OSError(28, "No space left on device")


def test_a_disk_that_is_full_there_is_no_fault_of_the_program() -> None:
    def needing() -> Iterator:
        results = yield [Task(full, b"")]
        return results

    team = Here(1)
    assert [outcome.get() for outcome in side_by_side([needing()], team)] == [[b""]] and not team.news()


class Late(Future):
    """It is done just after one has looked."""

    looks = 0

    def done(self) -> bool:
        self.looks += 1
        return self.looks > 2


@pytest.mark.parametrize("tasks", [1, 2])
def test_what_is_done_just_after_one_looked_is_not_waited_for(tasks: int) -> None:
    class Quick(Here):
        def submit(self, task: Task) -> Future[bytes]:
            future = Late()
            future.set_result(b"done")
            return future

    assert [outcome.get() for outcome in side_by_side([steps("a", tasks, [])], Quick(1))] == [["done"] * tasks]


@pytest.mark.parametrize(("size", "runs", "given"), [(99, 1, 0), (12, 2, 2), (11, 2, 0), (1, 30, 30)])
def test_others_are_asked_where_it_pays(size: int, runs: int, given: int) -> None:
    """One task, however large, is done here."""

    def sized() -> Iterator:
        (result,) = yield [Task(work, b"x", size)]
        return result

    team = Here(2, least=workers.LEAST)
    list(side_by_side([sized() for _ in range(runs)], team))
    assert len(team.tasks) == given


def test_only_so_many_runs_are_under_way(monkeypatch) -> None:
    log: list[str] = []
    for _ in side_by_side((steps(str(number), 1, log) for number in range(40)), Here(1)):
        going = sum(1 if line.endswith("begins") else -1 for line in log)
        assert going <= 4


def test_a_run_that_is_stopped_lets_its_campaign_go(tmp_path: Path) -> None:
    def holding(folder: Path) -> Iterator:
        folder.mkdir()
        with lock.held(folder, "run"):
            results = yield [Task(work, b"x")]
            if folder.name == "b":
                raise KeyboardInterrupt
            return results

    usual = os.umask(0o022)
    try:
        with pytest.raises(KeyboardInterrupt):
            list(side_by_side([holding(tmp_path / name) for name in "abc"], Here(2)))
        assert os.umask(0o022) == 0o022
        for name in "abc":
            if (tmp_path / name).exists():
                with lock.held(tmp_path / name, "test"):
                    pass
    finally:
        os.umask(usual)


def test_each_run_has_its_own_umask(tmp_path: Path) -> None:
    """A campaign that is shared with a group lets others read nothing of one that is not."""

    def writing(folder: Path, number: int) -> Iterator:
        folder.mkdir(mode=0o2770 if number % 2 else 0o700)
        folder.chmod(0o2770 if number % 2 else 0o700)
        with lock.held(folder, "run"):
            yield [Task(work, b"x")] * (1 + number % 3)
            write(folder, "secret", "x")
        return (folder / "secret").stat().st_mode & 0o777

    modes = [outcome.get() for outcome in side_by_side([writing(tmp_path / str(n), n) for n in range(6)], Here(3))]
    assert modes == [0o600, 0o660] * 3


def test_processes_that_die_are_started_again_and_then_no_more(monkeypatch) -> None:
    monkeypatch.setattr(workers, "LEAST", 0)
    log: list[str] = []

    def dying(name: str) -> Iterator:
        results = yield [Task(die, b"")]
        log.append(name)
        return results

    team = Processes(1)
    try:
        assert [outcome.get() for outcome in side_by_side(map(dying, "abcdef"), team)] == [[b""]] * 6
        assert sorted(log) == list("abcdef")
    finally:
        team.close()


def test_processes_end_with_who_started_them_however_that_ends(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        "script.py",
        "import multiprocessing, os, time\nfrom kingdom.campaign import workers\n"
        "if __name__ == '__main__':\n    team = workers.Processes(2)\n"
        "    print(team.submit(workers.Task(bytes.upper, b'x')).result())\n"
        "    print(*(child.pid for child in multiprocessing.active_children()), flush=True)\n"
        "    os.kill(os.getpid(), 9)\n",
    )
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    first, ids = done.stdout.splitlines()
    assert first == "b'X'" and ids.split()
    end = time.monotonic() + 20
    while any(Path(f"/proc/{id}").exists() and "Z" not in state(id) for id in ids.split()):
        assert time.monotonic() < end, "they live on"
        time.sleep(0.05)


def state(id: str) -> str:
    try:
        return Path(f"/proc/{id}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"

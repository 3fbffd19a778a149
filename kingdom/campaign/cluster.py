"""Work that a Dask cluster does: its scheduler is named by address. Only `--scheduler` loads this, and with it the package distributed.

Whoever reaches a Dask worker can run anything there, so connections are TLS, or do not leave this machine, unless somebody says that the
network is theirs alone. Who owns the scheduler or a worker owns this process too, since the library opens what they send with pickle;
the checks of results find what is broken or clumsily changed.
"""

from __future__ import annotations

import gc
import ipaddress
import logging
import platform
import secrets
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import suppress
from functools import cache, partial
from hashlib import sha256
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import kingdom
from kingdom.campaign import workers
from kingdom.campaign.workers import NOT_DONE, NoTeam, Processes, Task, Team, Work
from kingdom.orders import places

CONNECT = 10  # seconds in which a scheduler must answer, and then its workers
LOOK = 5  # seconds for a word to the scheduler in between, and for the last one
ALONE = 20  # seconds without a sign of life, of a worker or the scheduler, after which nothing is expected any more
_GLANCE = 0.2  # seconds between two looks at whether a worker has come
_USUAL = 8  # workers that are expected, before one has asked
_SHOWN = "do as `kingdom help hosting` shows"
PATIENCE = 900  # seconds without any result, after which the cluster counts as stuck
ONE_IN = 20  # results, of which one is made again here; which one nobody can foresee
_MOST = 200  # letters of what a worker says of itself
_MAKERS = ("jinja2", "msgspec", "pyyaml", "resvg-py", "selectolax")  # packages that make the bytes of a turn or a mail
_BESIDE = ("templates/", "docs/", "examples/")  # in the package where it is installed, beside it in a checkout
_ONE = threading.Lock()  # a worker of several threads does one task at a time: the program is not made for threads


class Cluster(Team):
    """The workers of a Dask scheduler, and the processes of this machine in place of those that are lost."""

    def __init__(self, address: str, is_trusted: bool, instead: Processes):
        """address: HOST:PORT, with `tls://` or `tcp://` before it. is_trusted: an open network may be used. instead: who works if the
        cluster does not. Raises NoTeam. Nobody is called before there is something to do."""
        super().__init__(max(_USUAL, instead.width), 0)
        self.address = proved(address, is_trusted)
        if find_spec("distributed") is None:
            raise NoTeam(
                f"--scheduler needs the package distributed: type `python3 -m pip --python {sys.executable} install distributed`, "
                "and the same on every worker (`kingdom help hosting`)."
            )
        self._is_trusted, self._instead = is_trusted, instead
        self._news: list[str] = []
        self._client: Any = None
        self._waking: Any = None  # an empty task; while somebody has it, a cluster that adapts keeps a worker
        self._executors: dict[str, Executor] = {}  # worker -> what gives it tasks
        # worker -> its last sign of life by the scheduler's clock, and when that was new
        self._beats: dict[str, tuple[float, float]] = {}
        self._makers: dict[Future[Any], str] = {}  # what was given away -> the worker that has it
        self._kept = Counter[str]()  # worker -> how many of its results are used
        self._is_lost = False
        self._seen = time.monotonic()  # when the scheduler answered last

    def _is_connected(self) -> bool:
        """Call the scheduler, if that was not done; return whether anybody there takes tasks."""
        if self._executors or self._is_lost:
            return bool(self._executors)
        distributed: Any = import_module("distributed")  # its methods have no types
        _be_quiet()

        def call() -> Any:
            return distributed.Client(self.address, timeout=CONNECT, set_as_default=False, name="kingdom")

        try:
            self._client = _in_time(call, CONNECT + LOOK)
            there = self._signs() or self._woken()
        except TypeError:  # what the library raises where its settings name no certificates
            self._lose("needs certificates, and Dask's settings name none", _SHOWN)
            return False
        except (OSError, ValueError) as error:
            self._lose(f"does not answer ({type(error).__name__})", "see that `dask scheduler` runs there")
            return False
        if reached := [worker for worker in there if not (self._is_trusted or _is_safe(worker))]:
            self._lose(f"has a worker that others can reach without TLS ({reached[0]})", _SHOWN)
        elif not there:
            adapts = "; if it adapts, give it `minimum=1`"
            self._lose("has no workers", f"start some with `dask worker {self.address} --nthreads 1`{adapts}")
        else:
            self._choose(self._client, there)
        return bool(self._executors)

    def _signs(self) -> dict[str, float]:
        """Return worker -> its last sign of life, by the scheduler's clock. Raises TimeoutError and what the library does."""
        workers = _in_time(lambda: self._client.scheduler_info(n_workers=-1)["workers"], LOOK)
        return {worker: about.get("last_seen", 0.0) for worker, about in workers.items()}

    def _woken(self) -> dict[str, float]:
        """Return the same of a cluster that had no workers: one that adapts starts some for a task alone, so it gets an empty one."""
        self._waking = self._client.submit(_program, pure=False)
        there, end = self._signs(), time.monotonic() + CONNECT
        while not there and time.monotonic() < end:
            time.sleep(_GLANCE)
            there = self._signs()
        return there

    def _compare_versions(self, about: Mapping[str, Any]) -> None:
        """Say which versions of the package the machines have, if they are not all the same: then a task may fail for no other reason."""
        has = {"here": about["client"], "the scheduler": about["scheduler"], **about["workers"]}
        versions = {
            who: str(one["packages"]["distributed"])[:_MOST] for who, one in has.items() if isinstance(one, dict)
        }
        if len({*versions.values()}) > 1:
            said = ", ".join(f"{version} {who if who == 'here' else f'on {who}'}" for who, version in versions.items())
            self._news.append(
                f"The Dask cluster {self.address} has several versions of distributed: {said}. Install the same everywhere."
            )

    def _choose(self, client: Any, there: Mapping[str, float]) -> None:
        """Let those work that have this program; say of the others what they have."""
        mine, now, end = program(), time.monotonic(), time.monotonic() + CONNECT
        versions = _later(client.get_versions)
        asked = {worker: _later(partial(client.run, _program, workers=[worker], on_error="return")) for worker in there}
        for worker, answer in sorted(asked.items()):
            try:
                said = answer.result(max(0, end - time.monotonic())).get(worker)
            except Exception:  # of the library, or no answer in time
                self._news.append(f"{worker} is not used: it gave no answer in {CONNECT} seconds.")
                continue
            if said == mine:
                self._executors[worker] = client.get_executor(pure=False, workers=[worker], allow_other_workers=False)
                self._beats[worker] = there[worker], now
                continue
            has = said if isinstance(said, str) else "no program `kingdom` that starts"
            self._news.append(f"{worker} is not used: it has {has[:_MOST]}; here is {mine}. Install the same on both.")
        with suppress(Exception):  # of the library, or no answer in time
            self._compare_versions(versions.result(max(0, end - time.monotonic())))
        if not self._executors:
            self._lose("has no worker with this program", "install the same version on every machine")
            return
        self.width = len(self._executors)

    def send(self, modules: Iterable[Path]) -> None:
        """Send modules to every worker, of functions that are not in this program."""
        for file in modules if self._is_connected() else ():
            self._client.upload_file(str(file))

    def submit(self, task: Task) -> Future[bytes] | None:
        """Give a task to the worker that has the fewest; to a process of this machine where the cluster is lost."""
        if self._is_connected():
            busy = Counter(worker for given, worker in self._makers.items() if not given.done())
            worker = min(self._executors, key=lambda one: busy[one])
            given: Future[bytes] = Future()
            try:
                self._executors[worker].submit(done, program(), task.work, task.data).add_done_callback(
                    partial(_hand_on, given)
                )
            except Exception as error:  # of many kinds: the client closes itself when it finds its scheduler no more
                self._lose(f"was lost ({type(error).__name__})", "see its log")
            else:
                self._makers[given] = worker
                return given
        return self._instead.submit(task)

    def look(self, waited: float) -> None:
        """Give up what a worker, or all of them, were given, if nothing more is to be expected. waited: seconds since something was done."""
        if self._client is None or self._is_lost:
            return
        there: dict[str, float] | None = None
        with suppress(Exception):
            there = self._signs()
        now = time.monotonic()
        if there is not None:
            self._seen = now
            for worker, (sign, since) in [*self._beats.items()]:
                if worker not in there:
                    self._let_go(worker, "is gone")
                elif there[worker] != sign:
                    self._beats[worker] = there[worker], now
                elif now - since > ALONE:
                    self._let_go(worker, f"gave no sign of life for {ALONE} seconds")
        if waited > PATIENCE:
            self._lose(f"gave no result for {PATIENCE // 60} minutes", "see its log")
        elif self._client.status == "closed" or now - self._seen > ALONE:
            self._lose("was lost", "see its log")
        elif not self._executors:
            self._lose("has no workers any more", "see its log")

    def judged(self, task: Task, given: Future[bytes] | None, result: bytes) -> bytes:
        """Return a result that may be right. A worker whose result is wrong is not asked again, and what else it has is done here."""
        worker = self._makers.pop(given, "") if given is not None else ""
        if not worker or result == NOT_DONE:
            return result
        why = wrong(task, result)
        if not why:
            self._kept[worker] += 1
            return result
        before = f", and {self._kept[worker]} earlier ones were used: `kingdom replay` runs kept turns again"
        said = f"gave a wrong result ({why[:_MOST]}), so it is not asked again{before if self._kept[worker] else ''}"
        self._let_go(worker, said)
        if not self._executors and not self._is_lost:
            self._lose("has no workers any more", "see who owns them")
        return NOT_DONE

    def _let_go(self, worker: str, why: str) -> None:
        """Go on without a worker: what it was given is done here."""
        if self._executors.pop(worker, None) is None:
            return
        del self._beats[worker]
        self._news.append(f"The Dask worker {worker} {why}. What it was to do is done here.")
        self.width = max(1, len(self._executors))
        self._give_up(worker)

    def _give_up(self, worker: str = "") -> None:
        """Wait no longer for what a worker was given; without a name for what all were."""
        for given, maker in self._makers.items():
            if worker in ("", maker):
                _settle(given, NOT_DONE)

    def news(self) -> list[str]:
        """Return what a person should know, each line once."""
        news, self._news = self._news, []
        return [*news, *super().news()]

    def _lose(self, why: str, helps: str) -> None:
        """Go on without the cluster."""
        self._news.append(
            f"The Dask scheduler {self.address} {why}: the work is done here, by {self._instead.width} "
            f"{'process' if self._instead.width == 1 else 'processes'}. To use the cluster again, {helps}."
        )
        self._executors, self._is_lost = {}, True
        self._give_up()
        self.width = self._instead.width

    def close(self) -> None:
        """Let the cluster go; it may drop what it still does."""
        self._instead.close()
        if self._client is not None:
            with suppress(Exception):  # a scheduler that is gone, or stands still, can't be told
                _in_time(partial(self._client.close, timeout=LOOK), 2 * LOOK)


def proved(address: str, is_trusted: bool) -> str:
    """Return an address with its scheme, `tcp://` where none was typed. Raises NoTeam for one that is none, or open to others."""
    scheme, slashes, rest = address.rpartition("://")
    host, colon, port = rest.rpartition(":")
    scheme = scheme if slashes else "tcp"
    if not colon or not port.isdigit() or not host or scheme not in ("tcp", "tls"):
        raise NoTeam(f"{address} is no address of a scheduler; write tls://HOST:PORT, or tcp://127.0.0.1:8786.")
    if not is_trusted and not _is_safe(f"{scheme}://{rest}"):
        raise NoTeam(
            f"{address} is reached without TLS: whoever can reach a Dask worker owns it. Use tls:// (`kingdom help hosting` says how), "
            "or, if nobody else is in that network, add `--trust-network`."
        )
    return f"{scheme}://{rest}"


def _is_safe(address: str) -> bool:
    """Return whether only certificates open an address, or it is on this machine."""
    scheme, _, rest = address.partition("://")
    host = rest.rpartition(":")[0].strip("[]")
    try:
        return scheme == "tls" or host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _be_quiet() -> None:
    """Keep the library from writing into our output: what matters of it is said in our words."""
    for name in ("distributed", "tornado", "asyncio", "concurrent.futures"):
        # the library gives some of the loggers below these a level of their own, such as tornado.application
        for below in [name, *(one for one in logging.root.manager.loggerDict if one.startswith(f"{name}."))]:
            logging.getLogger(below).setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", module="distributed")


def wrong(task: Task, result: object) -> str:
    """Return why the result of a worker can't be right, "" if it may be. One in some, chosen when it is there, is made again here."""
    if not isinstance(result, bytes):
        return "it is not what was asked for"
    if workers.is_fault(result):
        return ""
    why = task.proof(result) if task.proof is not None else ""
    if why or secrets.randbelow(ONE_IN):
        return why
    again = workers.done(task.work, task.data)
    if again in (result, NOT_DONE) or workers.is_fault(again):  # a full disk here says nothing about the worker
        return ""
    return "made again here, it is another"


def _hand_on(given: Future[Any], inner: Future[Any]) -> None:
    """Let a future have what came of another."""
    try:
        _settle(given, inner.result())
    except BaseException:  # its worker died, or nobody took it
        _settle(given, NOT_DONE)


def _settle(given: Future[Any], result: object) -> None:
    with suppress(InvalidStateError):  # it was given up before
        given.set_result(result)


def _later(call: Callable[[], Any]) -> Future[Any]:
    """Make a call in a thread. The library waits for ever for what stands still, and ends no such thread."""
    answer: Future[Any] = Future()

    def make() -> None:
        try:
            answer.set_result(call())
        except BaseException as error:  # it is raised where the answer is asked for
            answer.set_exception(error)

    threading.Thread(target=make, daemon=True).start()
    return answer


def _in_time(call: Callable[[], Any], seconds: float) -> Any:
    """Return what a call gives. Raises TimeoutError after so many seconds, and what the call raises."""
    return _later(call).result(seconds)


# --- on a worker


def done(mine: str, work: Work, data: bytes) -> bytes:
    """Do a task, if the program here is the one that gave it away."""
    if program() != mine:
        return NOT_DONE
    with _ONE:
        collects = gc.isenabled()
        gc.disable()
        try:
            return workers.done(work, data)
        finally:
            if collects:
                gc.enable()


def _program() -> str:
    return program()


@cache
def program() -> str:
    """Return what decides the bytes of a turn: the version, what the files of the program are, Python and the packages that write."""
    folder = Path(kingdom.__file__).parent
    digest = sha256()
    for root, kinds in ((folder, (".py", ".yaml", ".ttf")), (places.templates(), ("",))):
        for file in sorted(root.rglob("*")):
            name = file.relative_to(root).as_posix()
            if name.endswith(kinds) and file.is_file() and not name.startswith(_BESIDE):
                digest.update(f"{name}\0".encode() + sha256(file.read_bytes()).digest())
    for name in _MAKERS:
        digest.update(f"{name} {metadata.version(name)}\n".encode())
    python = ".".join(platform.python_version_tuple()[:2])
    return f"kingdom {kingdom.__version__} ({digest.hexdigest()[:12]}) on Python {python}"

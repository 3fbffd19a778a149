"""Work that a Dask cluster does: its scheduler is named by address. Only `--scheduler` loads this, and with it the package distributed.

Whoever reaches a Dask worker can run anything there, and what comes from one is believed as far as it can be proved. So connections
are TLS, or do not leave this machine, unless somebody says that the network is theirs alone.
"""

from __future__ import annotations

import gc
import ipaddress
import logging
import platform
import sys
import threading
import time
import warnings
from collections.abc import Iterable
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import kingdom
from kingdom.campaign import workers
from kingdom.campaign.workers import NOT_DONE, Crew, NoTeam, Processes, Task, Work
from kingdom.orders import places

CONNECT = 10  # seconds in which a scheduler must answer, also after it was lost
LOOK = 5  # seconds for a last word to the scheduler
ALONE = 30  # seconds without any worker, after which nobody is expected any more
_USUAL = 8  # workers that are expected, before one has asked
_SHOWN = "do as `kingdom help hosting` shows"
PATIENCE = 900  # seconds without any result, after which the cluster counts as stuck
_MAKERS = ("jinja2", "msgspec", "pyyaml", "resvg-py", "selectolax")  # packages that make the bytes of a turn or a mail
_BESIDE = ("templates/", "docs/", "examples/")  # in the package where it is installed, beside it in a checkout
_ONE = threading.Lock()  # a worker of several threads does one task at a time: the program is not made for threads


class Cluster(Crew):
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
        self._executor: Executor | None = None
        self._is_lost = False
        self._given: list[Future[bytes]] = []  # what it was given and has not done
        self._seen = time.monotonic()  # when a worker was there last

    def _connect(self) -> Executor | None:
        """Call the scheduler, if that was not done; return who takes tasks, None if nobody does."""
        if self._executor is not None or self._is_lost:
            return self._executor
        distributed: Any = import_module("distributed")  # its methods have no types
        _be_quiet()
        try:
            self._client = distributed.Client(self.address, timeout=CONNECT, set_as_default=False, name="kingdom")
            there = self._client.nthreads()
        except TypeError:  # what the library raises where its settings name no certificates
            self._lose("needs certificates, and Dask's settings name none", _SHOWN)
            return None
        except (OSError, ValueError) as error:
            self._lose(f"does not answer ({type(error).__name__})", "see that `dask scheduler` runs there")
            return None
        reached = [worker for worker in there if not (self._is_trusted or _is_safe(worker))]
        if reached:
            self._lose(f"has a worker that others can reach without TLS ({reached[0]})", _SHOWN)
        elif not there:
            self._lose("has no workers", f"start some with `dask worker {self.address} --nthreads 1`")
        else:
            self._choose(self._client)
        return self._executor

    def _choose(self, client: Any) -> None:
        """Let those work that have this program; say of the others what they have."""
        mine = program()
        found = client.run(_program, on_error="return")
        others = {worker: said for worker, said in found.items() if said != mine}
        same = [worker for worker in found if worker not in others]
        for worker, said in sorted(others.items()):
            has = said if isinstance(said, str) else "no program `kingdom` that starts"
            self._news.append(f"{worker} is not used: it has {has}; here is {mine}. Install the same on both.")
        if not same:
            self._lose("has no worker with this program", "install the same version on every machine")
            return
        # one that comes later, or again under another address, may work too, unless some have another program
        more: dict[str, Any] = {"workers": same, "allow_other_workers": False} if others else {}
        self._executor = client.get_executor(pure=False, **more)
        self.width = len(same)

    def send(self, modules: Iterable[Path]) -> None:
        """Send modules to every worker, of functions that are not in this program."""
        for file in modules if self._connect() is not None else ():
            self._client.upload_file(str(file))

    def submit(self, task: Task) -> Future[bytes] | None:
        """Give a task to the cluster; to a process of this machine where the cluster is lost."""
        executor = self._connect()
        if executor is not None:
            try:
                given: Future[bytes] = executor.submit(done, program(), task.work, task.data)
                self._given = [*(future for future in self._given if not future.done()), given]
                return given
            except Exception as error:  # of many kinds: the client closes itself when it finds its scheduler no more
                self._lose(f"was lost ({type(error).__name__})", "see its log")
        return self._instead.submit(task)

    def look(self, waited: float) -> None:
        """Give up what the cluster was given, if nothing more is to be expected of it. waited: seconds since something was done."""
        if self._client is None or self._is_lost:
            return
        now = time.monotonic()
        if self._client.status == "running":
            with suppress(Exception):
                if self._client.nthreads():
                    self._seen = now
        if waited > PATIENCE:
            self._lose(f"gave no result for {PATIENCE // 60} minutes", "see its log")
        elif self._client.status == "closed" or now - self._seen > ALONE:
            self._lose("was lost" if self._client.status != "running" else "has no workers any more", "see its log")

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
        self._executor, self._is_lost = None, True
        for future in self._given:
            future.cancel()
        self._given = []
        self.width = self._instead.width

    def close(self) -> None:
        """Let the cluster go; it may drop what it still does."""
        self._instead.close()
        if self._client is not None:
            with suppress(Exception):  # a scheduler that is gone can't be told
                self._client.close(timeout=LOOK)


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
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", module="distributed")


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

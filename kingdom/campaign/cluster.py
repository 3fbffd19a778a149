"""Work that a Dask cluster does: its scheduler is named by address. Only `--scheduler` loads this, and with it the package distributed.

Whoever reaches a Dask worker can run anything there, and what comes from one is believed as far as it can be proved. So connections
are TLS, or do not leave this machine, unless somebody says that the network is theirs alone.
"""

from __future__ import annotations

import gc
import ipaddress
import logging
import platform
import threading
import time
import warnings
from collections.abc import Iterable
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

import kingdom
from kingdom.campaign import workers
from kingdom.campaign.workers import NOT_DONE, Crew, NoTeam, Processes, Task, Work
from kingdom.orders import places

CONNECT = 10  # seconds in which a scheduler must answer, also after it was lost
LOOK = 5  # seconds for a last word to the scheduler
ALONE = 30  # seconds without any worker, after which nobody is expected any more
PATIENCE = 900  # seconds without any result, after which the cluster counts as stuck
_MAKERS = ("jinja2", "msgspec", "pyyaml", "resvg-py", "selectolax")  # packages that make the bytes of a turn or a mail
_BESIDE = ("templates/", "docs/", "examples/")  # in the package where it is installed, beside it in a checkout
_ONE = threading.Lock()  # a worker of several threads does one task at a time: the program is not made for threads


class Cluster(Crew):
    """The workers of a Dask scheduler, and the processes of this machine in place of those that are lost."""

    def __init__(self, address: str, is_trusted: bool, instead: Processes):
        """address: HOST:PORT, with `tls://` or `tcp://` before it. is_trusted: an open network may be used. instead: who works if the
        cluster does not. Raises NoTeam."""
        self.address = proved(address, is_trusted)
        super().__init__(instead.width, 0)
        self._instead = instead
        self._news: list[str] = []
        self._client: Any = None  # distributed.Client, whose methods have no types
        self._executor: Executor | None = None
        self._seen = time.monotonic()  # when a worker was there last
        self._connect(is_trusted)

    def _connect(self, is_trusted: bool) -> None:
        distributed = _distributed()
        _be_quiet()
        try:
            self._client = distributed.Client(self.address, timeout=CONNECT, set_as_default=False, name="kingdom")
            there = self._client.nthreads()
        except TypeError:  # what the library raises where its settings name no certificates
            raise NoTeam(
                f"{self.address} needs certificates: Dask's settings name none (`kingdom help hosting` shows them)."
            ) from None
        except (OSError, ValueError) as error:
            self._lose(f"does not answer ({type(error).__name__})", "see that `dask scheduler` runs there")
            return
        if not is_trusted:
            for worker in there:
                proved(worker, False)
        if not there:
            self._lose("has no workers", f"start some with `dask worker {self.address} --nthreads 1`")
            return
        self._choose(self._client)

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
        for file in modules if self._executor is not None else ():
            self._client.upload_file(str(file))

    def submit(self, task: Task) -> Future[bytes] | None:
        """Give a task to the cluster; to a process of this machine where the cluster is lost."""
        if self._executor is not None:
            try:
                return self._executor.submit(done, program(), task.work, task.data)
            except Exception as error:  # of many kinds: the client closes itself when it finds its scheduler no more
                self._lose(f"was lost ({type(error).__name__})", "see its log")
        return self._instead.submit(task)

    def is_lost(self, waited: float) -> bool:
        """Return whether nothing more is to be expected of the cluster. waited: seconds since a result came last."""
        if self._client is None or self._executor is None:
            return False
        now = time.monotonic()
        if self._client.status == "running":
            with suppress(Exception):
                if self._client.nthreads():
                    self._seen = now
        if waited > PATIENCE:
            self._lose(f"gave no result for {PATIENCE // 60} minutes", "see its log")
        elif self._client.status == "closed" or now - self._seen > ALONE:
            self._lose("was lost" if self._client.status != "running" else "has no workers any more", "see its log")
        return self._executor is None

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
        self._executor = None

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
    if scheme == "tcp" and not is_trusted and not _is_here(host.strip("[]")):
        raise NoTeam(
            f"{address} is reached without TLS: whoever can reach a Dask worker owns it. Use tls:// (`kingdom help hosting` says how), "
            "or, if nobody else is in that network, add `--trust-network`."
        )
    return f"{scheme}://{rest}"


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _distributed() -> Any:
    """Return the package. Raises NoTeam where it is not installed."""
    try:
        import distributed
    except ImportError:
        raise NoTeam(
            "--scheduler needs the package distributed: type `pip install 'kingdom[cluster]'`, here and on every worker."
        ) from None
    return distributed


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

"""A Dask cluster on loopback: a scheduler and workers as processes of their own, each ended by its process id."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[2]
SECONDS = 60  # for a process to start on a busy machine
QUIET = {
    "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "warning",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false",  # it looks a hundred times a second at what is done
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "500ms",
}


def free_port() -> int:
    """A port of loopback on which nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Cluster:
    """A scheduler and its workers. root: where the workers have their program from. tls: files of the authority, a certificate, its key;
    none of them where Dask's settings name them."""

    def __init__(self, workers: int = 2, root: Path = ROOT, tls: tuple[Path, ...] | None = None):
        self.port = free_port()
        self.address = f"{'tcp' if tls is None else 'tls'}://127.0.0.1:{self.port}"
        self.root = root
        self.protocol = [] if tls is None else ["--protocol", "tls"]
        self.tls: list[str] = []
        for name, file in zip(("ca-file", "cert", "key"), tls or (), strict=False):
            self.tls += [f"--tls-{name}", str(file)]
        self.log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - the processes write into it to their end
        self.processes: list[subprocess.Popen] = []
        self.scheduler = self.start_scheduler()
        self.many = workers
        self.workers = [self.start_worker() for _ in range(workers)]

    def __enter__(self) -> Cluster:
        try:
            self.wait_for(len(self.workers))
        except BaseException:  # then nobody ends it
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.kill()
        for process in self.processes:
            process.wait()

    def start_scheduler(self) -> subprocess.Popen:
        words = ("scheduler", "--port", str(self.port), "--no-dashboard", *self.protocol)
        return self._start(*words, root=ROOT)

    def start_worker(self, root: Path | None = None) -> subprocess.Popen:
        words = ("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        return self._start(*words, "--local-directory", tempfile.gettempdir(), root=root or self.root)

    def revive(self) -> None:
        """Let those go on that a test stopped, and start workers for those that it killed."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        for worker in (self.scheduler, *self.workers):
            worker.send_signal(signal.SIGCONT)
        missing = self.many - len(self.workers)
        self.workers += [self.start_worker() for _ in range(missing)]
        self.wait_for(self.many)

    def _start(self, *words: str, root: Path) -> subprocess.Popen:
        command = [sys.executable, "-m", "dask", *words, "--host", "127.0.0.1", *self.tls]
        env = {**os.environ, **QUIET, "PYTHONPATH": str(root)}
        process = subprocess.Popen(command, cwd=root, env=env, stdout=self.log, stderr=self.log)
        self.processes.append(process)
        return process

    def wait_for(self, workers: int) -> None:
        """Wait until so many workers are there."""
        from distributed import Client

        with Client(self.address, timeout=SECONDS, set_as_default=False) as client:
            end = time.monotonic() + SECONDS
            while len(client.nthreads()) < workers:
                assert time.monotonic() < end, self.said()
                time.sleep(0.05)

    def said(self) -> str:
        """What the processes wrote."""
        self.log.seek(0)
        return self.log.read().decode("utf-8", "replace")


ADAPTS = """\
import sys, time
from distributed import LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=0, threads_per_worker=1, host="127.0.0.1", scheduler_port=int(sys.argv[1]), dashboard_address=None)
    cluster.adapt(minimum=0, maximum=1, interval="200ms")
    sys.stdin.read()
"""


class Adapting:
    """A cluster without workers that starts one when it is given a task."""

    def __init__(self) -> None:
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"

    def __enter__(self) -> Adapting:
        with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
            file.write(ADAPTS)
        self.file = Path(file.name)
        env = {**os.environ, **QUIET, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, file.name, str(self.port)], cwd=ROOT, env=env, stdin=subprocess.PIPE
        )
        return self

    def __exit__(self, *_: object) -> None:
        """Let it end by itself, and its worker with it."""
        assert self.process.stdin
        self.process.stdin.close()
        try:
            self.process.wait(SECONDS)
        finally:
            self.process.kill()
            self.file.unlink()


def kill(process: subprocess.Popen) -> None:
    """Kill one process at once, and wait for its end."""
    process.send_signal(signal.SIGKILL)
    process.wait()

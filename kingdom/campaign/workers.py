"""Work that others do: functions from bytes to bytes, done by other processes of this machine or by other machines.

A run of a campaign is a generator: it yields tasks, and goes on with their results. So one process can begin with the next
campaign while others work for the last. What nobody did, whatever the reason, comes back as `NOT_DONE`, and the run does it itself.
"""

from __future__ import annotations

import gc
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults

if TYPE_CHECKING:  # a run in which nothing is due needs none of it
    from concurrent.futures import Executor, Future
    from multiprocessing.process import BaseProcess
    from tempfile import TemporaryDirectory

Result = TypeVar("Result")
Work: TypeAlias = Callable[[bytes], bytes]  # a function of a module, so that others find it by its name
NOT_DONE = b""
_FAULT = b"\0fault "  # before the words of an exception
_MOST_SAID = 200  # of them
LITTER = 100_000  # objects that may lie about before a worker looks for reference cycles among them
LEAST = 24  # reports, from which on it pays to start processes that load the program
LOOK = 5  # seconds after which one looks whether they still work
WINDOW = 64  # most campaigns that are under way at a time: each may hold some megabytes


class Task(NamedTuple):
    """work, data: what is to be done. size: how much that is, in reports. proof: why a result can't be right, "" for one that may be."""

    work: Work
    data: bytes
    size: int = 1
    proof: Callable[[bytes], str] | None = None


Steps: TypeAlias = Generator[Sequence[Task], Sequence[bytes], Result]  # a run that may give work away


def cores() -> int:
    """Return how many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # a system that can't say it
        return os.cpu_count() or 1


class NoTeam(Exception):
    """Nobody can work as it was asked for; the text says what to type instead."""


class Team:
    """Who works; this is a team of nobody, which does all here. width: how many work, 0 for nobody, and then no run should yield tasks.
    least: how many reports must be due before it pays to ask them. faults: the exceptions by which tasks failed."""

    def __init__(self, width: int = 0, least: int = LEAST):
        self.width, self.least = width, least
        self.faults: list[str] = []

    def submit(self, task: Task) -> Future[bytes] | None:
        """Give a task to somebody; None where nobody takes it."""
        return None

    def look(self, waited: float) -> None:
        """Give up what was given away and will never be done; what a process of this machine leaves undone comes back by itself.

        waited: the seconds since something was done.
        """

    def judged(self, task: Task, given: Future[bytes] | None, result: bytes) -> bytes:
        """Return the result of a task that was given away, `NOT_DONE` if it is wrong; a process of this machine is this program."""
        return result

    def news(self) -> list[str]:
        """Return what a person should know of the team, each line once: that tasks failed in a worker."""
        faults, self.faults = self.faults, []
        if not faults:
            return []
        tasks = "A task that was given away" if len(faults) == 1 else f"{len(faults)} tasks that were given away"
        return [
            f"{tasks} failed there ({faults[0]}) and went on here. This is a fault of the program: send this to its maintainers."
        ]

    def close(self) -> None:
        """Let those who work go."""


class Processes(Team):
    """Other processes of this machine. They are started with the first tasks that are worth it.

    They know nothing of this process: they are started afresh, not forked, so what it holds in memory stays here. Tasks and results go
    through files, and only their names through pipes: where a process dies while a pipe is full, Python's pool can wait for ever.
    """

    _MOST_BROKEN = 3  # times that new processes are started after one died

    def __init__(self, width: int):
        super().__init__(width, LEAST)
        self._executor: Executor | None = None
        self._others: list[BaseProcess] = []  # of this process, that are not ours
        self._broken = 0
        self._place: TemporaryDirectory[str] | None = None
        self._number = 0

    def submit(self, task: Task) -> Future[bytes] | None:
        """Give a task to a process; None where they die one after another, or the disk takes no task."""
        from concurrent.futures.process import BrokenProcessPool

        while self._broken < self._MOST_BROKEN:
            file = self._new_file()
            try:
                file.write_bytes(task.data)
                return _read_later(self._given(task.work, file), file)
            except BrokenProcessPool:
                self._broken += 1
                self._end(patience=0)
            except OSError:
                return None
        return None

    def _new_file(self) -> Path:
        from tempfile import TemporaryDirectory

        self._place = self._place or TemporaryDirectory(prefix="kingdom-")
        self._number += 1
        return Path(self._place.name, str(self._number))

    def _given(self, work: Work, file: Path) -> Future[None]:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import active_children, get_context

        if self._executor is None:
            self._others = active_children()
            self._executor = ProcessPoolExecutor(self.width, mp_context=get_context("spawn"), initializer=_begin)
        return self._executor.submit(_by_file, work, file)

    def _end(self, patience: float) -> None:
        """End the processes. patience: seconds that they may take for it. One whose neighbour was killed can wait for it for ever; one that
        was started just then is forgotten by Python's pool, which waits for its end."""
        if self._executor is None:
            return
        from multiprocessing import active_children

        self._executor.shutdown(wait=False, cancel_futures=True)
        end = time.monotonic() + patience
        for child in active_children():
            if child not in self._others:
                child.join(max(0, end - time.monotonic()))
                child.kill()
        self._executor = None

    def close(self) -> None:
        """End the processes; what they still do is of no use to anybody."""
        self._end(LOOK)
        if self._place is not None:
            self._place.cleanup()


def _begin() -> None:
    """Make a worker ready: it ends with who started it, however that one ends, and leaves Ctrl-C to it."""
    import multiprocessing
    import threading

    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os.kill(os.getpid(), signal.SIGKILL)


def _by_file(work: Work, file: Path) -> None:
    """Do a task in a worker: the file with the data gets the result."""
    file.write_bytes(done(work, file.read_bytes()))


def _read_later(written: Future[None], file: Path) -> Future[bytes]:
    """Return what will be the content of a file once it is written."""
    from concurrent.futures import Future

    content: Future[bytes] = Future()

    def read(_: Future[None]) -> None:
        try:
            written.result()
            content.set_result(file.read_bytes())
        except BaseException as error:  # it is raised where the result is asked for
            content.set_exception(error)
        finally:
            file.unlink(missing_ok=True)

    written.add_done_callback(read)
    return content


def is_fault(result: bytes) -> bool:
    """Return whether a task ended with an exception, whose words this is."""
    return result.startswith(_FAULT)


def done(work: Work, data: bytes) -> bytes:
    """Do a task in a worker. An exception there stops nothing: whoever gave the task away does it again."""
    try:
        return work(data)
    except (Faults, OSError):  # of the campaign, which who does it again tells, or of a disk that is full there
        return NOT_DONE
    except Exception as error:
        return _FAULT + f"{type(error).__name__}: {error}"[:_MOST_SAID].encode("utf-8", "replace")
    finally:
        if gc.get_count()[0] > LITTER:
            gc.collect()


class Outcome(NamedTuple, Generic[Result]):
    """What a run came to: its result, or the exception that stopped it."""

    value: Result | None = None
    error: Exception | None = None

    def get(self) -> Result:
        """Return the result, or raise the exception."""
        if self.error is not None:
            raise self.error
        assert self.value is not None
        return self.value


class _Run(Generic[Result]):
    """A run that is under way. waits: its tasks, and the futures of those that somebody took."""

    def __init__(self, place: int, steps: Steps[Result]):
        self.place, self.steps = place, steps
        self.mask = -1  # its umask while others go on
        self.tasks: Sequence[Task] = ()
        self.waits: list[Future[bytes] | None] = []

    def is_ready(self) -> bool:
        return all(future is None or future.done() for future in self.waits)

    def results(self, team: Team) -> list[bytes]:
        """What came of its tasks. The words of exceptions go to the team's faults."""
        pairs = zip(self.tasks, self.waits, strict=True)
        results = [team.judged(task, future, _result_of(future)) for task, future in pairs]
        failed = [result for result in results if is_fault(result)]
        words = [result.removeprefix(_FAULT).decode("utf-8", "replace") for result in failed]
        team.faults += [" ".join(text.split())[:_MOST_SAID] for text in words]
        return [NOT_DONE if result in failed else result for result in results]


def _result_of(future: Future[bytes] | None) -> bytes:
    try:
        return NOT_DONE if future is None else future.result()
    except Exception:  # its worker died, or nobody took it
        return NOT_DONE


def side_by_side(runs: Iterable[Steps[Result]], team: Team) -> Iterator[Outcome[Result]]:
    """Let runs go on side by side while others work for them; yield what each came to, in their order.

    If this is closed or stopped, so are the runs that are under way.
    """
    going = _SideBySide(runs, team)
    try:
        yield from going.outcomes()
    finally:
        going.close()


class _SideBySide(Generic[Result]):
    def __init__(self, runs: Iterable[Steps[Result]], team: Team):
        self._new = enumerate(runs)
        self._team = team
        self._more = True  # whether there may be runs that have not begun
        self._going: deque[_Run[Result]] = deque()  # those that wait for results, the oldest first
        self._held: list[_Run[Result]] = []  # those whose tasks nobody got yet
        self._came: dict[int, Outcome[Result]] = {}
        self._told = 0
        self._looked = self._since = time.monotonic()  # when the team looked last; when something was done last
        self._is_worth_it = False

    def outcomes(self) -> Iterator[Outcome[Result]]:
        while self._more or self._going or self._held:
            ready = next((run for run in self._going if run.is_ready()), None)
            busy = sum(not run.is_ready() for run in self._going)
            has_room = len(self._going) + len(self._held) < min(WINDOW, 2 * self._team.width + 2)
            if self._more and has_room and (not ready or busy <= self._team.width):
                self._begin()
            elif ready is not None:
                self._going.remove(ready)
                self._go_on(ready, ready.results(self._team))
            elif self._held:
                self._give(last=not self._more)
            else:
                self._wait()
            while self._told in self._came:
                yield self._came.pop(self._told)
                self._told += 1

    def _wait(self) -> None:
        """Wait until something is done. What will never be done is not waited for."""
        from concurrent.futures import FIRST_COMPLETED, wait

        futures = [future for run in self._going for future in run.waits if future and not future.done()]
        is_done = not futures  # none are left if all came just now
        while not is_done:
            is_done = bool(wait(futures, LOOK, FIRST_COMPLETED).done)
            now = time.monotonic()
            self._since = now if is_done else self._since
            if now - self._looked >= LOOK:  # also while others go on: one may stand still
                self._looked = now
                self._team.look(now - self._since)

    def _begin(self) -> None:
        place, steps = next(self._new, (0, None))
        if steps is None:
            self._more = False
        else:
            self._go_on(_Run(place, steps), None)

    def _go_on(self, run: _Run[Result], results: Sequence[bytes] | None) -> None:
        """Let a run go on until it needs others again. Each has an umask of its own while it holds its campaign."""
        usual = os.umask(0o077)
        os.umask(usual if run.mask < 0 else run.mask)
        try:
            run.tasks = next(run.steps) if results is None else run.steps.send(results)
        except StopIteration as stop:
            self._came[run.place] = Outcome(stop.value)
        except Exception as error:
            self._came[run.place] = Outcome(error=error)
        else:
            self._held.append(run)
            if self._is_worth_it or self._pays():
                self._give()
        finally:
            run.mask = os.umask(usual)

    def _pays(self) -> bool:
        """Whether what is held is worth others: who waits for one task alone saves nothing by it."""
        tasks = [task for run in self._held for task in run.tasks]
        return not self._team.least or len(tasks) > 1 and sum(task.size for task in tasks) >= self._team.least

    def _give(self, last: bool = False) -> None:
        """Give the tasks away. last: no more will come beside them, so what is too little for others is done here."""
        alone = last and not self._is_worth_it and not self._pays()
        self._is_worth_it = self._is_worth_it or not alone
        for run in self._held:
            run.waits = [None if alone else self._team.submit(task) for task in run.tasks]
        self._going += self._held
        self._held = []

    def close(self) -> None:
        for run in (*self._going, *self._held):
            usual = os.umask(run.mask)
            try:
                run.steps.close()
            finally:
                os.umask(usual)

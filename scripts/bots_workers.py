"""Who plays the campaigns of `scripts/bots`: processes of this machine, or the workers of a Dask scheduler."""

from __future__ import annotations

import argparse
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from kingdom.campaign import workers
from kingdom.campaign.workers import NOT_DONE, Steps, Task, Team, side_by_side

Played = TypeVar("Played")
_SENT = (
    "bots_workers",
    "bots_kingdoms",
    "bots_mixed",
    "bots_dangers",
    "bots_advice",
    "bots_raids",
)  # each after those that it imports
_TURNS = 50  # about as many as a campaign has: how much work one is


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say who plays."""
    parser.add_argument("--workers", type=int, default=workers.cores(), metavar="N", help="processes that play")
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help="of a Dask cluster, whose workers play")
    parser.add_argument("--trust-network", action="store_true", help="nobody else is in the network of that cluster")


@contextmanager
def team_of(given: argparse.Namespace) -> Iterator[Team]:
    """Have others play while the block runs. A cluster is sent these scripts. Raises NoTeam."""
    here = workers.Processes(max(1, given.workers))
    team: Team = here if given.workers > 1 else workers.Team()
    if given.scheduler:
        from kingdom.campaign.cluster import Cluster

        cluster = Cluster(given.scheduler, given.trust_network, here)
        cluster.send([Path(__file__).with_name(f"{name}.py") for name in _SENT])
        team = cluster
    try:
        yield team
    finally:
        team.close()


def played(play: Callable[[str], Played], seeds: Sequence[str], team: Team) -> list[Played]:
    """Return what came of each seed's campaign. play: a function of a module, or a partial of one."""
    return [outcome.get() for outcome in side_by_side((_given(play, seed) for seed in seeds), team)]


def _given(play: Callable[[str], Played], seed: str) -> Steps[Any]:
    (result,) = yield [Task(play_one, pickle.dumps((play, seed)), _TURNS)]
    return play(seed) if result == NOT_DONE else pickle.loads(result)


def play_one(data: bytes) -> bytes:
    """Play one campaign in a worker. The pickles are our own: no other program sends them."""
    play, seed = pickle.loads(data)
    return pickle.dumps(play(seed))

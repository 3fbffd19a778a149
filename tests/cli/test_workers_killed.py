"""Workers killed at random moments of a night: nothing is lost, nothing doubled, and every turn comes out as without them."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kit.clusters import Cluster, kill
from tests.kit.nights import Night, children, kill_one
from tests.kit.tiny_game import contents

pytestmark = pytest.mark.filterwarnings("ignore")  # the libraries' own
COUNT = 10  # campaigns
TIMES = [2, pytest.param(100, marks=pytest.mark.long)]  # kills


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    made = Night(tmp_path_factory.mktemp("night"), COUNT)
    yield made
    made.post.stop()


@pytest.fixture(scope="module")
def undisturbed(night: Night, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The turns that one process keeps."""
    alone = night.again(tmp_path_factory.mktemp("alone"))
    code, out, err = alone.run("--workers", "1")
    assert (code, err) == (0, ""), (out, err)
    alone.prove()
    return turns(alone)


def turns(night: Night) -> dict[str, bytes]:
    return {name: data for name, data in contents(night.folder).items() if "/turns/" in name}


def nights(
    night: Night, undisturbed: dict[str, bytes], place: Path, times: int, words: list[str], disturb: Callable
) -> int:
    """Run so many nights, each disturbed at a random moment; return how often somebody was killed."""
    chance, lasts, killed = random.Random(str(place)), 3.0, 0
    for number in range(times):
        tonight = night.again(place / str(number))
        begun = time.monotonic()
        process = tonight.start(*words)
        time.sleep(chance.uniform(0, 0.9 * lasts))
        killed += disturb(process, chance)
        out, err = process.communicate(timeout=300)
        lasts = 0.8 * lasts + 0.2 * (time.monotonic() - begun)
        assert process.returncode == 0, (number, out, err)
        tonight.prove()
        assert turns(tonight) == undisturbed, number
        shutil.rmtree(place / str(number))
    return killed


@pytest.mark.parametrize("times", TIMES)
def test_processes_killed_at_random_moments(times: int, night, undisturbed, tmp_path) -> None:
    def disturb(process, chance: random.Random) -> bool:
        end = time.monotonic() + 2
        while not kill_one(children(process), chance):
            if process.poll() is not None or time.monotonic() > end:
                return False
        return True

    assert (
        nights(night, undisturbed, tmp_path, times, ["--workers", "2"], disturb) >= times // 3
    )  # the last moments of a night have nobody to kill


@pytest.mark.parametrize("times", TIMES)
def test_workers_of_a_cluster_killed_at_random_moments(times: int, night, undisturbed, tmp_path) -> None:
    with Cluster(2) as two:

        def disturb(_: object, chance: random.Random) -> bool:
            victim = chance.choice(two.workers)
            kill(victim)
            two.workers.remove(victim)
            two.workers.append(two.start_worker())
            return True

        for number in range(times):
            two.wait_for(2)
            words = ["--scheduler", two.address]
            assert nights(night, undisturbed, tmp_path / str(number), 1, words, disturb) == 1

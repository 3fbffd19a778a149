"""H2: all campaigns of a house fall due at once and a worker dies; in the morning each turn is kept once, each report sent once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.clusters import Cluster, kill
from tests.kit.nights import Night

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.long]  # the warnings are the libraries' own


@pytest.mark.parametrize("count", [16, 1_000])
def test_the_night(count: int, tmp_path: Path) -> None:
    """Two Dask workers, of which one dies when a third of the turns is kept. A campaign is damaged."""
    night = Night(tmp_path, count)
    try:
        state = night.folder / "c0003" / "turns" / "0000" / "state.json"
        state.write_bytes(state.read_bytes()[:-1])
        with Cluster(2) as two:
            process = night.start("--scheduler", two.address)
            night.wait_for(count // 3, process)
            kill(two.workers[0])
            out, err = process.communicate()
        assert out.endswith(f"{count} campaigns: {count - 1} played, 0 waiting, 1 failing, 0 busy.\n")
        assert process.returncode == 1 and "state.json" in err and "Traceback" not in err
        night.prove("c0003")
        assert "gm-3@example.org" in {to for to, _ in night.sent()}

        before = len(night.post.received)  # in the morning
        code, out, _ = night.run()
        assert (code, out.splitlines()[-1]) == (1, f"{count} campaigns: 0 played, 0 waiting, 1 failing, 0 busy.")
        night.prove("c0003")
        assert len(night.post.received) == before
    finally:
        night.post.stop()

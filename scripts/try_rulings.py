"""Changes each figure and each branch of the rules and demands that a test fails. Run it with `scripts/try_rulings`.

Without a name it tries every ruling and table, with names only those. It prints a line for each of them, and one for each
change that no test noticed; then the exit code is 1. How it works: tests/games/realm/trials.py.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time


def main(names: list[str]) -> int:
    from tests.games.realm.changes import TABLES, Broken, rulings
    from tests.games.realm.trials import tried

    wanted = names or [*rulings(), *TABLES]
    failed = 0
    for name in wanted:
        begun = time.perf_counter()
        try:
            changes, unnoticed = tried(name)
        except Broken as problem:
            changes, unnoticed = 0, [str(problem)]
        failed += len(unnoticed)
        print(f"{name}: {changes} changes, {len(unnoticed)} unnoticed, {time.perf_counter() - begun:.1f} s", flush=True)
        for says in unnoticed:
            print(f"    no test notices {says}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["KINGDOM_CACHE"] = cache
        sys.exit(main(sys.argv[1:]))

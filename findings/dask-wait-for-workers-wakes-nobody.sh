#!/bin/sh
# distributed 2026.8.0 (PyPI): a cluster that adapts from nothing, `cluster.adapt(minimum=0)`, starts workers for tasks alone.
# `Client.wait_for_workers(1)` is no task: it waits for its whole timeout, as the cluster waits for it, though one empty task brings a
# worker at once. Who looks first whether workers are there, and then gives out work, never gives any.
# Seen on 2026-11-28: wait_for_workers: TimeoutError after 10 seconds, 0 workers; an empty task is done, by 1 worker.
set -eu
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv env
env/bin/pip -q install distributed==2026.8.0 dask==2026.8.0 2>/dev/null
cat >try.py <<'END'
import logging, sys
from distributed import Client, LocalCluster

if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    with LocalCluster(n_workers=0, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster:
        cluster.adapt(minimum=0, maximum=1, interval="200ms")
        with Client(cluster.scheduler_address) as client:
            try:
                client.wait_for_workers(1, timeout=10)
                waited = "there are some"
            except TimeoutError:
                waited = "TimeoutError"
            before = len(client.nthreads())
            done = client.submit(int, pure=False).result(timeout=60)
            after = len(client.nthreads())
    print(f"wait_for_workers: {waited}, {before} workers; an empty task: {done}, {after} worker")
    sys.exit((waited, before, done, after) != ("TimeoutError", 0, 0, 1))
END
env/bin/python try.py

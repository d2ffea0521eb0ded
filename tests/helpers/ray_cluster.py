"""A Ray cluster of two nodes in a network that has only loopback, in which corpora are built.

unshare --net python -m tests.helpers.ray_cluster CRAWL FOLDER SETTINGS
"""

import fcntl
import json
import os
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

from dehusk.corpus.build import build
from dehusk.corpus.settings import Settings
from tests.helpers.planted_steps import killing_task

UP = 0x1
SET_FLAGS = 0x8914  # SIOCSIFFLAGS


def bring_up_loopback() -> None:
    """Make 127.0.0.1 usable, which it is not in a new network; end if there is any other network."""
    if [name for _, name in socket.if_nameindex()] != ["lo"]:
        raise SystemExit("Ray opens ports: run this in a network of its own, by `unshare --net`")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SET_FLAGS, struct.pack("16sh", b"lo", UP))


def tasks() -> list[int]:
    """Return the processes that process a file; in a namespace of its own, /proc has no others than ours."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            if "ray::process_file" in (folder / "cmdline").read_text():
                found.append(int(folder.name))
    return found


def kill_when(folder: Path, parts: int, victim: Callable[[], int]) -> None:
    """Kill a process as soon as so many parts are finished."""
    while len(list((folder / "work").glob("part-*.json"))) < parts:
        time.sleep(0.01)
    os.kill(victim(), signal.SIGKILL)


def start(folder: str) -> tuple[Cluster, Any]:
    """Start two nodes that notice soon when the other one is gone, and are patient on a busy machine."""
    soon = {"health_check_period_ms": 1000, "health_check_timeout_ms": 10_000, "health_check_failure_threshold": 3}
    common = {"num_cpus": 1, "node_ip_address": "127.0.0.1"}
    head = {**common, "include_dashboard": False, "_system_config": soon, "temp_dir": folder}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    return cluster, cluster.add_node(**common)


def nodes(address: str) -> int:
    """Return how many nodes there are."""
    ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    try:
        return sum(node["Alive"] for node in ray.nodes())
    finally:
        ray.shutdown()


def main(crawl: str, folder: str, settings: str) -> None:
    """Build a corpus while a task is killed and then a node, and another one in which a file kills its tasks."""
    os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_raylet_start_wait_time_s="300")
    bring_up_loopback()
    killed, hopeless = Path(folder, "killed"), Path(folder, "hopeless")
    files, wanted = sorted(map(str, Path(crawl).glob("*.warc.gz"))), Settings.read(Path(settings))
    with tempfile.TemporaryDirectory(prefix="ray-") as work:
        cluster, second = start(work)

        def kill() -> None:
            kill_when(killed, 3, lambda: tasks()[0])
            kill_when(killed, 8, lambda: int(second.all_processes["raylet"][0].process.pid))

        try:
            killer = threading.Thread(target=kill, daemon=True)
            killer.start()
            build(files, killed, wanted, cluster=cluster.address)
            report = {"killed": not killer.is_alive(), "nodes": nodes(cluster.address)}
            build(files, hopeless, wanted, worker=killing_task, cluster=cluster.address)
        finally:
            cluster.shutdown()
    Path(folder, "report.json").write_text(json.dumps(report))


if __name__ == "__main__":
    main(*sys.argv[1:])

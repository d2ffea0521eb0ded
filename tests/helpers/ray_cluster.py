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
from ray._private import services
from ray.cluster_utils import Cluster

from dehusk.corpus.build import build
from dehusk.corpus.settings import Settings
from testing.planted_steps import killing_task

UP = 0x1
SET_FLAGS = 0x8914  # SIOCSIFFLAGS
PATIENCE = 60  # seconds for what is killed to be gone


def bring_up_loopback() -> None:
    """Make 127.0.0.1 usable, which it is not in a new network; end if there are other networks or processes."""
    if os.getpid() != 1 or [name for _, name in socket.if_nameindex()] != ["lo"]:
        raise SystemExit("Ray opens ports: run this in namespaces of its own, by `unshare`")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SET_FLAGS, struct.pack("16sh", b"lo", UP))


def processes(word: str) -> list[int]:
    """Return the processes whose command has the word; in a namespace of its own, all are ours."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            if word in (folder / "cmdline").read_text():
                found.append(int(folder.name))
    return found


def kill_when(folder: Path, parts: int, victim: Callable[[], int]) -> None:
    """Kill a process as soon as so many parts are finished."""
    while len(list((folder / "work").glob("part-*.json"))) < parts:
        time.sleep(0.01)
    while True:
        with suppress(IndexError, ProcessLookupError):  # between two tasks there is none
            os.kill(victim(), signal.SIGKILL)
            return
        time.sleep(0.01)


def be_patient() -> None:
    """Have Ray wait for its processes for minutes: half a minute, its limit, is too short on a busy machine."""
    os.environ.update(RAY_agent_register_timeout_ms="300000", RAY_worker_register_timeout_seconds="300")
    find = services.get_node

    def find_in_time(address: str, node: str) -> Any:
        deadline = time.monotonic() + 300
        while True:
            try:
                return find(address, node)
            except RuntimeError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    services.get_node = find_in_time


def start(folder: str) -> tuple[Cluster, Any]:
    """Start two nodes that notice soon when the other one is gone; all that they write is in the folder."""
    # Not `temp_dir`: `Cluster` writes its address to the default folder all the same, and fails if there is none.
    os.environ["RAY_TMPDIR"] = folder
    soon = {"health_check_period_ms": 1000, "health_check_timeout_ms": 10_000, "health_check_failure_threshold": 3}
    head = {**_node(20000), "include_dashboard": False, "_system_config": soon}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    return cluster, cluster.add_node(**_node(20100))


def _node(port: int) -> dict[str, Any]:
    """Return the arguments of a node. For ports that it does not know, it waits no longer than 15 s."""
    names = ("metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port", "runtime_env_agent_port")
    ports = {name: port + place for place, name in enumerate(names)}
    return {"num_cpus": 1, "node_ip_address": "127.0.0.1", **ports}


def nodes_left(address: str) -> int:
    """Return how many nodes there are when Ray has noticed that one is gone, or has had the time to."""
    end = time.monotonic() + PATIENCE
    while (found := nodes(address)) > 1 and time.monotonic() < end:
        time.sleep(0.5)
    return found


def nodes(address: str) -> int:
    """Return how many nodes there are."""
    ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    try:
        return sum(node["Alive"] for node in ray.nodes())
    finally:
        ray.shutdown()


def main(crawl: str, folder: str, settings: str) -> None:
    """Build a corpus while a task is killed and then a node, and another one in which a file kills its tasks."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    bring_up_loopback()
    be_patient()
    killed, hopeless = Path(folder, "killed"), Path(folder, "hopeless")
    files, wanted = sorted(map(str, Path(crawl).glob("*.warc.gz"))), Settings.read(Path(settings))
    with tempfile.TemporaryDirectory(prefix="ray-") as work:
        cluster, second = start(work)

        def kill() -> None:
            kill_when(killed, 3, lambda: processes("ray::process_file")[0])
            kill_when(killed, 8, lambda: int(second.all_processes["raylet"][0].process.pid))

        try:
            killer = threading.Thread(target=kill, daemon=True)
            killer.start()
            build(files, killed, wanted, cluster=cluster.address)
            killer.join(PATIENCE)
            report = {"killed": not killer.is_alive(), "nodes": nodes_left(cluster.address)}
            build(files, hopeless, wanted, worker=killing_task, cluster=cluster.address)
        finally:
            cluster.shutdown()
    Path(folder, "report.json").write_text(json.dumps(report))


if __name__ == "__main__":
    main(*sys.argv[1:])

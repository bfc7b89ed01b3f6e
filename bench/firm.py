"""A firm of a certain size in a database, and a server on it."""

import asyncio
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.processes import cpu_seconds, resident_kib, usual_environment
from rostrum.base.passwords import Passwords
from rostrum.contracts.app_entries import AppImport
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.config import ManagerConfig, read_config
from rostrum.manager.manager import Manager
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users

ADMIN = ("admin", "admin-password")
MOST_AT_ONCE = 5000
SERVE = [sys.executable, "-c", "from rostrum.cli.main import main; main()", "manager", "serve", "--config"]


@dataclass(frozen=True, slots=True)
class Server:
    """A running server, and what its start cost."""

    address: str
    pid: int
    start_seconds: float

    @property
    def resident_mib(self) -> float:
        """Memory that the process holds now."""
        return resident_kib(self.pid) / 1024

    @property
    def cpu_seconds(self) -> float:
        """Processor time that the process has used so far."""
        return cpu_seconds(self.pid)


def document(folder: Path, store: str = "", **auth: Any) -> dict[str, Any]:
    return {
        "auth_method": "basic",
        "port": 0,
        "store": store or f"sqlite:///{folder}/rostrum.db",
        "token": {"secret": "only for measuring, and long enough for it"},
        "cors": {"credentials": True, "origin": "http://admin.example.com"},
        "auth_basic": {"predefinedUsers": [":".join(ADMIN)], **auth},
        "log": {"level": "warning"},
    }


@contextmanager
def firm(*, users: int, apps: int, store: str = "", **auth: Any) -> Iterator[Path]:
    """Make the database; the answer is the configuration file."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        config = folder / "rostrum.json"
        settings = document(folder, store, **auth)
        config.write_text(json.dumps(settings))
        asyncio.run(_fill(read_config(settings, {}).config, users, apps))
        yield config


@contextmanager
def served(config: Path, prefix: Sequence[str] = ()) -> Iterator[Server]:
    started = time.perf_counter()
    process = subprocess.Popen(
        [*prefix, *SERVE, str(config)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=usual_environment(),
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        yield Server(address, process.pid, time.perf_counter() - started)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


async def _fill(config: ManagerConfig, users: int, apps: int) -> None:
    manager = Manager.of(config, passwords=Passwords(memory_kib=8, rounds=1))
    await manager.open()
    parts = manager.resources()
    for start in range(0, apps, MOST_AT_ONCE):
        definitions = [definition(number) for number in range(start, min(start + MOST_AT_ONCE, apps))]
        body = AppImport.model_validate({"applications": definitions, "public": True})
        await parts["apps"].import_all(SYSTEM, body)
    async with manager.storage.write(SYSTEM.user) as work:
        for number in range(users):
            await work.of(Users).add(User(id=f"user{number:06}", groups=("Trading",), stamp=work.stamp()))
    await manager.close()


def definition(number: int) -> dict[str, Any]:
    """About 800 bytes, as real definitions have."""
    return {
        "name": f"app-{number:05}",
        "type": "window",
        "title": f"Application number {number}",
        "caption": "What this application is for, in a sentence of usual length, and then in another that says who "
        "uses it, on which desks, and whom to ask when it does not do what it should.",
        "details": {
            "url": f"https://apps.example.com/{number}/index.html?environment=production&region=emea",
            "width": 800, "height": 600, "minWidth": 400, "minHeight": 300, "mode": "tab", "allowCollapse": True,
            "loader": {"enabled": True, "text": "Loading the application, please wait a moment"},
        },
        "customProperties": {"owner": "desk tools", "costCentre": "4711", "support": "desk-tools@example.com"},
        "keywords": ["trading", "desk", "blotter", "orders", "positions"],
        "intents": [{"name": "ViewInstrument", "contexts": ["fdc3.instrument"], "displayName": "View instrument"}],
    }  # fmt: skip

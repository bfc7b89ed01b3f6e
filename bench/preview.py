"""The cost of previews: the time per user must not grow with the number of users."""

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from bench.effort import Effort, costs, meter
from bench.figures import Sample
from bench.firm import ADMIN, Server, definition, document, served
from rostrum.base import json_text
from rostrum.base.passwords import Passwords
from rostrum.contracts.system_config import Scope
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.apps.model import App
from rostrum.manager.apps.repository import Apps
from rostrum.manager.config import read_config
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.groups.model import Group
from rostrum.manager.groups.repository import Groups
from rostrum.manager.manager import Manager
from rostrum.manager.storage import Work
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users

SMALL, LARGE = 1_000, 10_000
ROUNDS = 3
DEPARTMENTS, DESKS, APPS = 8, 40, 300
OWN_FILE_EVERY = 20

SYSTEM_JSON: dict[str, Any] = {
    "notifications": {"enabled": True, "toastExpiry": 15000, "placement": {"panel": "right", "toasts": "bottom-right"}},
    "tray": {"about": True, "applications": True, "diagnostic": True, "feedback": True, "restart": True},
    "alerts": {"enabled": True, "width": 400, "height": 82, "ttl": 5000},
    "windowManagement": {"group": {"header": {"defaultTitle": "Desk"}}, "snapToScreenEdges": {"distance": 20}},
}

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "a value of the base configuration": (
        "configs",
        {"action": "change", "key": "base", "document": {"contents": {**SYSTEM_JSON, "uiVersion": "26.3"}}},
    ),
    "a value that some users override": (
        "configs",
        {
            "action": "change",
            "key": "base",
            "document": {"contents": {**SYSTEM_JSON, "notifications": {"toastExpiry": 4000}}},
        },
    ),
    "the access list of an app": (
        "apps",
        {"action": "change", "key": "app-00001", "document": {"accessList": ["Department 1", "Department 2"]}},
    ),
    "the groups that a group inherits from": (
        "groups",
        {"action": "change", "key": "Desk 1", "document": {"expandsTo": ["Department 2", "Department 3"]}},
    ),
}


def report() -> str:
    costs = {users: measured(users) for users in (SMALL, LARGE)}
    rows = []
    for name in CASES:
        small, large = costs[SMALL][name], costs[LARGE][name]
        rows.append(
            f"| {name} | {small[0] * 1000:.0f} ms | {large[0] * 1000:.0f} ms | {large[1] * 1000:.0f} ms | "
            f"{large[0] / small[0] / (LARGE / SMALL):.2f} |"
        )
    return (
        "## Previews of changes\n\n"
        f"Processor time of the server for one preview that covers all users. The firm has {DEPARTMENTS} departments, "
        f"{DESKS} desks and {APPS} apps, and every {OWN_FILE_EVERY}th user has a configuration file. The last column "
        f"is the time per user with {LARGE:,} users, divided by the time per user with {SMALL:,}: 1 is linear growth, "
        "less is better.\n\n"
        f"| change | {SMALL:,} users | {LARGE:,} users | elapsed time | growth per user |\n|---|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


def sample() -> Sample:
    """Measure previews for the smaller number of users."""
    found: Sample = {}
    with company(SMALL) as config, served(config) as server:
        for name, (kind, change) in CASES.items():
            found |= costs(name, [effort for effort, _ in previewed(server, kind, change)])
    return found


def measured(users: int) -> dict[str, tuple[float, float]]:
    """Give CPU and elapsed seconds of each case."""
    with company(users) as config, served(config) as server:
        return {name: cost(server, kind, change) for name, (kind, change) in CASES.items()}


def cost(server: Server, kind: str, change: dict[str, Any]) -> tuple[float, float]:
    found = previewed(server, kind, change)
    return statistics.median(effort.seconds for effort, _ in found), statistics.median(elapsed for _, elapsed in found)


def previewed(server: Server, kind: str, change: dict[str, Any]) -> list[tuple[Effort, float]]:
    """Give the effort of the server for each preview, and the elapsed seconds."""
    found = []
    with httpx.Client(base_url=server.address, auth=ADMIN, timeout=300) as client, meter(server.pid) as read:
        client.get("/me").raise_for_status()
        for _ in range(ROUNDS):
            before, began = read(), time.perf_counter()
            answer = client.post(f"/admin/previews/{kind}", json={"changes": [change]}).raise_for_status()
            found.append((read().since(before), time.perf_counter() - began))
            assert answer.json()["affected"] > 0
    return found


@contextmanager
def company(users: int) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        config = folder / "rostrum.json"
        config.write_text(json.dumps(document(folder)))
        asyncio.run(_fill(folder, users))
        yield config


async def _fill(folder: Path, users: int) -> None:
    manager = Manager.of(read_config(document(folder), {}).config, passwords=Passwords(memory_kib=8, rounds=1))
    await manager.open()
    async with manager.storage.write(SYSTEM.user) as work:
        await _shared(work)
        for number in range(users):
            user = f"user{number:06}"
            await work.of(Users).add(User(id=user, groups=(f"Desk {number % DESKS}",), stamp=work.stamp()))
            if number % OWN_FILE_EVERY == 0:
                own = {"notifications": {"toastExpiry": 1000 + number}}
                await work.of(ConfigFiles).add(_file(work, f"own-{number}", Scope.USER, user, own))
    await manager.close()


async def _shared(work: Work) -> None:
    stamp = work.stamp()
    for number in range(DEPARTMENTS):
        await work.of(Groups).add(Group(name=f"Department {number}", stamp=stamp))
    for number in range(DESKS):
        expands = (f"Department {number % DEPARTMENTS}",)
        await work.of(Groups).add(Group(name=f"Desk {number}", priority=number, expands_to=expands, stamp=stamp))
        contents = {"tray": {"feedback": bool(number % 2)}}
        await work.of(ConfigFiles).add(_file(work, f"desk-{number}", Scope.GROUP, f"Desk {number}", contents))
    for number in range(APPS):
        text = json_text.dump(definition(number)).decode()
        access = (f"Department {number % DEPARTMENTS}",)
        app = App(name=f"app-{number:05}", type="window", title="", definition=text, access=access, stamp=stamp)
        await work.of(Apps).add(app)
    await work.of(ConfigFiles).add(_file(work, "base", Scope.BASE, "", SYSTEM_JSON))
    await work.of(ConfigFiles).add(_file(work, "v10", Scope.VERSION, "10", {"channels": {"enabled": True}}))


def _file(work: Work, key: str, scope: Scope, target: str, contents: dict[str, Any]) -> ConfigFile:
    text = json_text.dump(contents).decode()
    return ConfigFile(id=key, file="system.json", scope=scope, target=target, contents=text, stamp=work.stamp())

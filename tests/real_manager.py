"""A real manager on loopback, filled through its own API."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.conftest import ADMIN, ORIGIN, SECRET
from tests.end_to_end.processes import Running, serving
from tests.plain_http import NO_TLS
from tests.tables import add_tables_at_once

USER = ("ann", "a long password")


@dataclass
class Manager:
    """A running manager and its administrator."""

    address: str
    process: Running
    file: str

    def admin(self, method: str, path: str, body: Any = None, expect: int = 200) -> Any:
        answer = httpx.request(method, self.address + path, json=body, auth=ADMIN, timeout=30, verify=NO_TLS)
        assert answer.status_code == expect, answer.text
        return answer.json() if answer.content else None

    def add_app(self, name: str, **members: Any) -> None:
        definition = {"name": name, "type": "window", "details": {"url": "https://example.com"}}
        self.admin("POST", "/admin/apps", {"definition": definition, "public": True, **members}, 201)


def configuration(folder: Path, port: int = 0, **members: Any) -> str:
    """Write the file that a manager is started with."""
    config = {
        "auth_method": "basic",
        "port": port,
        "store": f"sqlite:///{folder}/rostrum.db",
        "token": {"secret": SECRET},
        "cors": {"credentials": True, "origin": ORIGIN},
        "auth_basic": {"predefinedUsers": [":".join(ADMIN), ":".join(USER)]},
        **members,
    }
    path = folder / "manager.json"
    path.write_text(json.dumps(config))
    return str(path)


@contextmanager
def manager(folder: Path, **members: Any) -> Iterator[Manager]:
    """Run a manager; ann is a user of it."""
    file = configuration(folder, **members)
    if "store" not in members:
        add_tables_at_once(f"sqlite:///{folder}/rostrum.db")
    with serving("manager", "serve", "--config", file) as process:
        yield Manager(process.address, process, file)
        process.stop()

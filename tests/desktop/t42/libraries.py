"""A platform for the unmodified desktop libraries, and the Node process that calls them."""

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rostrum.desktop.platform import Platform
from tests.desktop.test_platform import APPS, Desk
from tools.node import find_node

FOLDER = Path(__file__).resolve().parent
PROJECT = FOLDER.parent.parent / "gateway" / "node"
LIBRARIES = ("@interopio/desktop", "@glue42/desktop")
PAGES = "https://pages.example.com"


@dataclass(frozen=True)
class Reported:
    """What a library answered to each call."""

    values: dict[str, Any]
    errors: dict[str, str]

    def __getitem__(self, name: str) -> Any:
        assert name not in self.errors, f"{name}: {self.errors[name]}"
        return self.values[name]


def write_apps(desk: Desk, **client: Any) -> None:
    """Define a clock, a node app that connects to the gateway, and the app that the library acts for."""
    desk.write_app(
        "clock",
        title="Clock",
        caption="Shows the time",
        keywords=["time"],
        customProperties={"team": "fx"},
        details={"url": f"{PAGES}/clock", "left": 0, "top": 0, "width": 900, "height": 500, "mode": "flat"},
    )
    script = str(FOLDER / "helper.mjs")
    desk.write_app("helper", type="node", details={"path": script, "parameters": f"'{PROJECT}'", "passGlueToken": True})
    desk.write_app("node-client", title="Client", details={"url": f"{PAGES}/client"}, **client)
    desk.system(appStores=[*APPS["appStores"], {"type": "in-memory"}])


async def call_library(platform: Platform, library: str, token: str, **more: Any) -> Reported:
    """Run calls of a library in one Node process, as the app that the token is bound to."""
    assert (PROJECT / "node_modules").is_dir(), "the npm clients are not installed; `make test` installs them"
    given = {
        "project": str(PROJECT),
        "library": library,
        "address": platform.gateway.address,
        "token": token,
        "pages": PAGES,
        **more,
    }
    process = await asyncio.create_subprocess_exec(
        *find_node().command("node", str(FOLDER / "node_calls.mjs"), json.dumps(given)), stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(120):
        out, _ = await process.communicate()
    reports = [json.loads(line) for line in out.splitlines()]
    return Reported(
        values={one["name"]: one.get("value") for one in reports if "error" not in one},
        errors={one["name"]: one["error"] for one in reports if "error" in one},
    )

"""The calls of a request that changes an app, ``PUT /admin/apps/{name}``.

The request is traced in the manager of the tests, without a network and on an SQLite database. Requests of the same
kind come before it: the first ones also read the caller, prepare statements, and share the event loop with work that
the start has left.
"""

import asyncio
import tempfile
from typing import TYPE_CHECKING, Any

from tools.measure.figure import Figure
from tools.measure.tracing import Trace, tracing

if TYPE_CHECKING:
    import httpx

_NAME = "blotter"
_EARLIER = 4
"""The number of requests before the traced one. From the fourth request on, all requests have the same calls."""


def measure() -> Figure:
    """Start a manager, and trace the request."""
    with tempfile.TemporaryDirectory() as folder:
        values = asyncio.run(_traced(f"sqlite:///{folder}/rostrum.db"))
    return Figure(
        values,
        [
            f"{values['files']} files in {values['folders']} folders, {values['functions']} functions, "
            f"{values['calls']:,} calls, {values['changes_of_file']:,} changes of file"
        ],
    )


async def trace_put(admin: "httpx.AsyncClient", *, earlier: int = 0) -> Trace:
    """Create an app, change it some times, and trace the next change."""
    (await admin.post("/admin/apps", json=_app(0))).raise_for_status()
    for number in range(earlier):
        (await admin.put(f"/admin/apps/{_NAME}", json=_app(number + 1))).raise_for_status()
    with tracing() as trace:
        changed = await admin.put(f"/admin/apps/{_NAME}", json=_app(earlier + 1))
    changed.raise_for_status()
    return trace


async def _traced(store: str) -> dict[str, Any]:
    from rostrum.base.clock import SettableClock
    from tests.conftest import manager_config, running_api

    async with running_api(manager_config(store), SettableClock()) as api:
        return (await trace_put(api.admin, earlier=_EARLIER)).as_json()


def _app(number: int) -> dict[str, Any]:
    details = {"url": f"https://apps.example.com/{number}"}
    return {"definition": {"name": _NAME, "type": "window", "details": details}, "accessList": ["Trading"]}

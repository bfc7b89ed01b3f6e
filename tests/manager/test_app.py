"""The application with a server that speaks the lifespan protocol, such as one of several processes."""

import asyncio
from pathlib import Path

import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.passwords import Passwords
from rostrum.manager.app import ManagerApp, create_app
from rostrum.manager.errors import Unavailable
from rostrum.manager.http.asgi import Message
from tests.conftest import ADMIN, Api, manager_config, running_api


class Server:
    """Starts and stops an application, and collects what it reports."""

    def __init__(self, app: ManagerApp) -> None:
        self._app = app
        self._requests: asyncio.Queue[Message] = asyncio.Queue()
        self._reports: asyncio.Queue[Message] = asyncio.Queue()

    def run(self) -> asyncio.Task[None]:
        return asyncio.ensure_future(self._app({"type": "lifespan"}, self._requests.get, self._reports.put))

    async def ask(self, phase: str) -> Message:
        """Begin a phase, and return what the application reports."""
        await self._requests.put({"type": f"lifespan.{phase}"})
        async with asyncio.timeout(60):
            return await self._reports.get()


def app_on(store: str, clock: SettableClock) -> ManagerApp:
    return create_app(manager_config(store), clock, Passwords(memory_kib=8, rounds=1))


@pytest.mark.long
async def test_the_parts_are_open_between_start_and_end(sqlite: str, clock: SettableClock) -> None:
    app = app_on(sqlite, clock)
    server = Server(app)
    running = server.run()

    assert await server.ask("startup") == {"type": "lifespan.startup.complete"}
    assert (await Api(app, manager_config(sqlite)).admin.get("/me")).status_code == 200
    assert await server.ask("shutdown") == {"type": "lifespan.shutdown.complete"}
    await running


@pytest.mark.long
@pytest.mark.rule("R-0-3")
async def test_the_address_of_the_interface_contains_its_prefix(sqlite: str, clock: SettableClock) -> None:
    prefixes = {"api": "/api", "v1/desk": "/v1/desk", "/": ""}
    for base, prefix in prefixes.items():
        async with running_api(manager_config(sqlite, base=base), clock) as api, api.client(ADMIN) as client:
            found = {
                other: (await client.get(f"http://manager.example.com{other}/me")).status_code
                for other in prefixes.values()
            }
        assert found == {other: 200 if other == prefix else 404 for other in prefixes.values()}


async def test_a_start_that_fails_is_reported_with_its_reason(clock: SettableClock, tmp_path: Path) -> None:
    (tmp_path / "rostrum.db").write_text("This is no database. " * 100)
    server = Server(app_on(f"sqlite:///{tmp_path}/rostrum.db", clock))
    running = server.run()

    report = await server.ask("startup")

    assert report["type"] == "lifespan.startup.failed"
    assert "not a database" in report["message"]
    with pytest.raises(Unavailable):
        await running

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rostrum.base.clock import SettableClock
from rostrum.base.passwords import Passwords
from rostrum.manager.app import create_app
from tests.conftest import Api, manager_config


@asynccontextmanager
async def not_opened(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager that could not reach its database yet."""
    config = manager_config(store)
    app = create_app(config, clock, Passwords(memory_kib=8, rounds=1))
    yield Api(app, config)
    await app._manager.close()


async def test_a_running_server_is_alive_and_ready_without_credentials(api: Api) -> None:
    live = await api.client().get("/health/live")
    ready = await api.client().get("/health/ready")

    assert (live.status_code, live.json()) == (200, {"status": "ok", "checks": {}})
    assert (ready.status_code, ready.json()) == (200, {"status": "ok", "checks": {"database": "ok"}})
    for answer in (live, ready):
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Set-Cookie" not in answer.headers


async def test_wrong_credentials_do_not_make_a_server_unhealthy(api: Api) -> None:
    assert (await api.client(("admin", "wrong")).get("/health/ready")).status_code == 200


async def test_a_server_whose_database_is_gone_is_alive_but_not_ready(clock: SettableClock) -> None:
    with socket.socket() as taken:
        # Bound but not listening: connections are refused, and nobody else gets the port.
        taken.bind(("127.0.0.1", 0))
        store = f"postgresql://nobody@127.0.0.1:{taken.getsockname()[1]}/nothing"
        async with not_opened(store, clock) as api:
            ready = await api.client().get("/health/ready")
            asked = await api.admin.get("/me")
            live = await api.client().get("/health/live")

        assert (ready.status_code, ready.json()["status"]) == (503, "unavailable")
        assert ready.json()["checks"] == {"database": "does not respond"}
        assert (asked.status_code, asked.json()["error"]["code"]) == (503, 503)
        assert int(asked.headers["Retry-After"]) > 0
        assert live.status_code == 200

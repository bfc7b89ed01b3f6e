"""What Prometheus reads."""

import logging

import pytest
from prometheus_client.parser import text_string_to_metric_families

from rostrum.base.clock import SettableClock
from rostrum.manager.http.asgi import Message, Receive, Scope, Send
from rostrum.manager.http.edge import Edge
from rostrum.manager.http.metrics import Metrics
from tests.conftest import ADMIN, Api, manager_config, running_api


async def samples(api: Api) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    async with api.client() as client:
        answer = await client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def requests(route: str, status: int, method: str = "GET") -> tuple[str, tuple[tuple[str, str], ...]]:
    return "rostrum_requests_total", (("method", method), ("route", route), ("status", str(status)))


async def test_requests_are_counted_by_method_route_and_status_without_names(api: Api) -> None:
    async with api.client(ADMIN) as client:
        for _ in range(2):
            await client.get("/me")
        await client.get("/admin/users/admin")
        await client.get("/admin/users/nobody-of-this-name")
        await client.get("/apps")
        await client.get("/nowhere/at/all")
    found = await samples(api)
    assert found[requests("/api/me", 200)] == 2
    users = [key for key in found if "/admin/users/{" in str(key) and key[0] == "rostrum_requests_total"]
    assert sorted(dict(labels)["status"] for _, labels in users) == ["200", "404"]
    assert found[requests("/api/apps", 200)] == 1
    assert found[requests("(none)", 404)] == 1
    assert "nobody-of-this-name" not in str(found)


async def test_times_are_a_histogram_and_open_streams_a_gauge(api: Api) -> None:
    async with api.client(ADMIN) as client:
        await client.get("/me")
    found = await samples(api)
    assert found["rostrum_request_seconds_bucket", (("le", "+Inf"), ("route", "/api/me"))] == 1
    assert found["rostrum_request_seconds_count", (("route", "/api/me"),)] == 1
    assert found["rostrum_event_clients", ()] == 0


@pytest.mark.parametrize(("slow", "level"), [(0.0, logging.INFO), (1e-9, logging.WARNING)])
async def test_a_request_that_takes_too_long_is_a_warning(
    caplog: pytest.LogCaptureFixture, slow: float, level: int
) -> None:
    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200})

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def ignore(_: Message) -> None: ...

    scope: Scope = {"type": "http", "scheme": "http", "method": "GET", "path": "/x", "headers": [], "query_string": b""}
    with caplog.at_level(logging.INFO, "rostrum.access"):
        await Edge(app, Metrics(), slow=slow)(scope, receive, ignore)
    (record,) = caplog.records
    assert record.levelno == level
    assert record.getMessage().startswith("slow: ") is (level == logging.WARNING)


async def test_the_limit_of_slowness_comes_from_the_settings(
    sqlite: str, clock: SettableClock, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "rostrum.access"):
        async with running_api(manager_config(sqlite, log={"slow": 0}), clock) as api, api.client(ADMIN) as client:
            await client.get("/me")
    own = [record for record in caplog.records if "GET /api/me " in record.getMessage()]
    assert [record.levelno for record in own] == [logging.INFO]

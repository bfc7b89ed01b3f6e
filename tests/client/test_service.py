"""One service: time limits, sizes, statuses, hostile answers."""

import pytest

from rostrum.client import service as service_module
from rostrum.client.errors import NotPermitted, Refused, Unreachable
from rostrum.client.service import Service
from tests.sources.server import answering, down, running, serving, slow


@pytest.mark.parametrize(
    ("status", "error"),
    [(401, NotPermitted), (403, NotPermitted), (404, Refused), (307, Refused), (429, Unreachable), (503, Unreachable)],
)
async def test_statuses_have_their_meaning(status: int, error: type[Exception]) -> None:
    behaviour = answering(status, b"<html>", "Location: http://elsewhere.example/")
    async with running(behaviour) as server, Service(server.url) as service:
        with pytest.raises(error, match=f"status {status}"):
            await service.request("GET")
    assert len(server.requests) == 1


async def test_an_answer_that_never_comes_is_unreachable_after_the_time_limit() -> None:
    async with slow() as server, Service(server.url, timeout=0.2) as service:
        with pytest.raises(Unreachable, match=r"within 0\.2 s"):
            await service.request("GET")


async def test_a_refused_connection_is_unreachable() -> None:
    async with down() as server, Service(server.url) as service:
        with pytest.raises(Unreachable):
            await service.request("GET")


async def test_an_answer_longer_than_allowed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "MAX_BYTES", 1000)
    async with running(serving({"x": "y" * 2000})) as server, Service(server.url) as service:
        with pytest.raises(Refused, match="longer than 1,000 bytes"):
            await service.request("GET")


async def test_an_answer_that_is_not_json_is_refused() -> None:
    async with running(answering(200, b"<html>")) as server, Service(server.url) as service:
        with pytest.raises(Refused, match="not JSON"):
            await service.request("GET")


@pytest.mark.parametrize("address", ["ftp://x/", "http://", "http://a b/", "no address"])
async def test_an_address_that_cannot_be_used_is_reported_without_being_repeated(address: str) -> None:
    async with Service(f"{address}?key=secret") as service:
        with pytest.raises((Refused, Unreachable)) as refused:
            await service.request("GET")
    assert "secret" not in str(refused.value)


async def test_queries_bodies_and_versions_are_sent() -> None:
    async with running(serving({"ok": True})) as server, Service(server.url) as service:
        await service.request("PUT", "/x", json={"a": 1}, query={"q": "ü &"}, etag='"v1"')
    (request,) = server.requests
    assert (request.method, request.path) == ("PUT", "/systemConfig/get/x?q=%C3%BC+%26")
    assert (request.json, request.headers["if-none-match"]) == ({"a": 1}, '"v1"')
    assert request.headers["content-type"] == "application/json"


@pytest.mark.parametrize("tag", ['"é"', '"' + "x" * 2000 + '"'])
async def test_a_version_that_cannot_be_sent_back_is_ignored(tag: str) -> None:
    async with running(answering(200, b"{}", f"ETag: {tag}")) as server, Service(server.url) as service:
        assert (await service.request("GET")).etag is None

"""Remote sources: requests, accepted responses, and retries."""

import gzip
import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.base.errors import Invalid
from rostrum.sources.answer import checked_files
from rostrum.sources.rest_source import RestReader, open_client
from rostrum.sources.source import Fetched, RequestIdentity, Source
from tests.sources.server import (
    ANSWER,
    Request,
    Slept,
    answering,
    down,
    in_turn,
    response,
    running,
    serving,
    slow,
    until_asked,
)


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with open_client() as client:
        yield client


@pytest.fixture
def slept() -> Slept:
    return Slept()


@pytest.fixture
def reader(client: httpx.AsyncClient, slept: Slept) -> RestReader:
    return RestReader(client, slept, max_bytes=100_000)


def documents(fetched: Fetched) -> dict[str, Any]:
    return {name: file.document for name, file in fetched.files.items()}


async def test_the_files_of_a_good_answer_are_fetched(reader: RestReader) -> None:
    files = {**ANSWER, "custom.json": {"contents": [1]}, "channels.json": {"contents": []}}
    async with running(serving(files)) as server:
        fetched = await reader(Source(type="rest", source=server.url))
    assert (fetched.status, fetched.error, fetched.age) == ("ok", None, None)
    assert documents(fetched) == {"system.json": {"build": "remote"}, "custom.json": [1], "channels.json": []}


@pytest.mark.rule("R-2.8-16")
async def test_the_impersonation_is_sent_in_every_request_with_a_star_for_the_group(reader: RestReader) -> None:
    someone = RequestIdentity(user="ann", version="10.1")
    async with running(in_turn(answering(500), serving(ANSWER))) as server:
        await reader(Source(type="rest", source=server.url, impersonation=someone))
    assert [(request.method, request.path) for request in server.requests] == [("POST", "/systemConfig/get")] * 2
    assert [request.json for request in server.requests] == [{"user": "ann", "group": "*", "version": "10.1"}] * 2


async def test_a_cookie_of_one_source_is_not_sent_to_another_port_of_the_same_host(reader: RestReader) -> None:
    files = json.dumps(ANSWER).encode()
    async with (
        running(answering(200, files, "Set-Cookie: session=secret; Path=/")) as manager,
        running(serving(ANSWER)) as other,
    ):
        for server in (manager, other, manager):
            assert (await reader(Source(type="rest", source=server.url))).status == "ok"
    assert ["cookie" in request.headers for request in (*manager.requests, *other.requests)] == [False] * 3


async def test_an_empty_answer_is_a_good_one(reader: RestReader) -> None:
    async with running(serving({})) as server:
        assert (await reader(Source(type="rest", source=server.url))).status == "ok"


@pytest.mark.rule("R-2.8-17", "R-2.8-18", "L-D-1", "L-8-3")
@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
async def test_a_server_that_is_not_well_is_asked_again_after_growing_waits(
    reader: RestReader, slept: Slept, status: int
) -> None:
    async with running(answering(status)) as server:
        fetched = await reader(Source(type="rest", source=server.url, rest_backoff_factor=200_000))
    assert len(server.requests) == 1 + 3
    assert slept.seconds == [200, 300, 300]
    assert fetched.error == f"answered with status {status}"


@pytest.mark.parametrize("status", [201, 204, 400, 401, 403, 404, 410])
async def test_a_refusal_is_not_asked_again(reader: RestReader, slept: Slept, status: int) -> None:
    async with running(answering(status)) as server:
        fetched = await reader(Source(type="rest", source=server.url))
    assert (len(server.requests), slept.seconds) == (1, [])
    assert fetched.status == "failed"
    assert f"status {status}" in str(fetched.error)


async def test_retries_stop_at_the_first_good_answer(reader: RestReader, slept: Slept) -> None:
    async with running(in_turn(answering(503), answering(500), serving(ANSWER))) as server:
        fetched = await reader(Source(type="rest", source=server.url))
    assert (fetched.status, len(server.requests), slept.seconds) == ("ok", 3, [1, 2])


@pytest.mark.rule("R-2.8-19", "L-D-2")
@pytest.mark.parametrize(("members", "seconds"), [({}, 30), ({"rest_timeout": 7}, 7)])
async def test_no_full_answer_in_time_is_worth_another_try(
    reader: RestReader, slept: Slept, members: dict[str, Any], seconds: int
) -> None:
    limits: list[float] = []

    def limit(seconds: float) -> AbstractAsyncContextManager[None]:
        limits.append(seconds)
        return until_asked(server)

    async with slow() as server:
        source = Source(type="rest", source=server.url, rest_retries=1, **members)
        fetched = await replace(reader, limit=limit)(source)
    assert (len(server.requests), slept.seconds, limits) == (2, [1], [seconds, seconds])
    assert fetched.error == f"no full answer within {seconds} s"


async def test_a_refused_connection_is_retried(reader: RestReader, slept: Slept) -> None:
    async with down() as server:
        fetched = await reader(Source(type="rest", source=server.url, rest_retries=2))
    assert slept.seconds == [1, 2]
    assert str(fetched.error).startswith("the connection failed")


async def test_half_an_answer_is_no_answer(reader: RestReader) -> None:
    async with running(answering(200, b'{"system.json', "Content-Length: 500")) as server:
        fetched = await reader(Source(type="rest", source=server.url, rest_retries=0))
    assert fetched.status == "failed"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_redirect_inside_the_origin_is_followed_with_the_same_request(reader: RestReader, status: int) -> None:
    async with running(in_turn(answering(status, b"", "Location: /elsewhere"), serving(ANSWER))) as server:
        fetched = await reader(Source(type="rest", source=server.url))
    assert fetched.status == "ok"
    assert [request.path for request in server.requests] == ["/systemConfig/get", "/elsewhere"]
    assert server.requests[1].json == {"group": "*"}


async def test_a_redirect_to_another_origin_is_not_followed(reader: RestReader) -> None:
    async with (
        running(serving(ANSWER)) as other,
        running(answering(307, b"", f"Location: {other.url}")) as server,
    ):
        fetched = await reader(Source(type="rest", source=server.url))
    assert other.requests == []
    assert fetched.error == f"the address redirects to another origin (http://127.0.0.1:{other.port})"


async def test_redirects_in_a_circle_end(reader: RestReader) -> None:
    async with running(answering(308, b"", "Location: /again")) as server:
        fetched = await reader(Source(type="rest", source=server.url))
    assert (len(server.requests), fetched.error) == (6, "the address redirects more than 5 times")


async def test_see_other_is_refused(reader: RestReader) -> None:
    async with running(answering(303, b"", "Location: /other")) as server:
        assert "status 303" in str((await reader(Source(type="rest", source=server.url))).error)


@pytest.mark.parametrize("packed", [False, True])
async def test_an_answer_that_is_too_long_is_cut_off(reader: RestReader, packed: bool) -> None:
    body = json.dumps({"system.json": {"contents": {"a": "x" * 1_000_000}}}).encode()
    behaviour = answering(200, gzip.compress(body), "Content-Encoding: gzip") if packed else answering(200, body)
    async with running(behaviour) as server:
        fetched = await reader(Source(type="rest", source=server.url))
    assert (len(server.requests), fetched.error) == (1, "the answer is longer than 100,000 bytes")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"<html>", "not JSON"),
        (b"", "not JSON"),
        (b'{"system.json": {"contents": {}', "not JSON"),
        (b"\xff", "not "),
        (b"[" * 5000, "nested deeper|not JSON"),
        (b"[]", "must be an object of files"),
        (b'{"system.json": {}}', "system.json in the answer must be an object with contents"),
        (b'{"system.json": {"contents": []}}', "contents of system.json in the answer must be an object"),
        (b'{"custom.json": {"contents": 1}}', "contents of custom.json"),
        (b'{"../system.json": {"contents": {}}}', "not a file name"),
        (b'{"C:system.json": {"contents": {}}}', "not a file name"),
        (b'{".json": {"contents": {}}}', "not a file name"),
        (b'{"a.json": {"contents": {}}, "A.json": {"contents": {}}}', "differ only in case"),
    ],
)
async def test_an_answer_that_makes_no_sense_is_refused_with_the_reason(
    reader: RestReader, body: bytes, message: str
) -> None:
    async with running(answering(200, body)) as server:
        fetched = await reader(Source(type="rest", source=server.url))
    assert len(server.requests) == 1
    assert fetched.files == {}
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(fetched.error)


@pytest.mark.parametrize("address", ["ftp://example.com/", "nonsense", "", "http://", "http://[::1", "http://a:99999/"])
async def test_an_address_that_cannot_be_used_is_reported(reader: RestReader, address: str) -> None:
    fetched = await reader(Source(type="rest", source=address, rest_retries=0))
    assert fetched.status == "failed"
    assert fetched.error


@pytest.mark.parametrize(
    "address", ["http://ann:secret@[::1", "http://ann:secret@h:port/", "ann:secret@h", "x://ann:secret@h"]
)
async def test_credentials_in_an_address_that_cannot_be_used_are_not_shown(reader: RestReader, address: str) -> None:
    source = Source(type="rest", source=address, rest_retries=0)
    fetched = await reader(source)
    assert fetched.status == "failed"
    assert "secret" not in f"{source.name} {fetched.error} {fetched.remarks}"


async def test_credentials_are_sent_but_never_shown(reader: RestReader) -> None:
    async with running(answering(401)) as server:
        address = server.url.replace("//", "//ann:secret@") + "?token=hidden"
        source = Source(type="rest", source=address)
        fetched = await reader(source)
    assert server.requests[0].headers["authorization"].startswith("Basic ")
    shown = f"{source.name} {fetched.error} {fetched.remarks}"
    assert "secret" not in shown
    assert "hidden" not in shown
    assert "ann" not in shown


def test_an_answer_with_thousands_of_files_is_refused() -> None:
    with pytest.raises(Invalid, match="1001 files"):
        checked_files({f"f{number}.json": {"contents": {}} for number in range(1001)})


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=8),
        lambda child: st.dictionaries(
            st.sampled_from(["system.json", "contents", "x", "../a.json"]), child, max_size=3
        ),
    )
)
def test_any_answer_is_files_or_a_reason(answer: Any) -> None:
    with suppress(Invalid):
        files = checked_files(answer)
        assert all("/" not in name and isinstance(file.document, dict | list) for name, file in files.items())


@pytest.mark.parametrize("tag", [b'"\xc3\xa9"', b'"\xff"', b'"' + b"x" * 2000 + b'"', b""])
async def test_a_validator_that_cannot_be_sent_back_is_not_used(reader: RestReader, tag: bytes) -> None:
    async def behave(_: Request) -> bytes:
        body = json.dumps(ANSWER).encode()
        return response(200, body, "ETag: @").replace(b"@", tag)

    async with running(behave) as server:
        for _ in range(2):
            assert (await reader(Source(type="rest", source=server.url))).status == "ok"
    assert not [request for request in server.requests if "if-none-match" in request.headers]

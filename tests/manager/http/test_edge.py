import asyncio
import gzip
import logging
import zlib
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import ADMIN, Api, manager_config, running_api

GZIP = {"content-encoding": "gzip", "content-type": "application/json"}


async def post(api: Api, body: bytes, **headers: str) -> httpx.Response:
    return await api.admin.post("/admin/groups", content=body, headers={**GZIP, **headers})


async def raw_request(api: Api, path: bytes, headers: list[tuple[bytes, bytes]], pieces: list[bytes]) -> dict[str, Any]:
    """Send a request that no client library would; its answer, and how many pieces of the body were taken."""
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path.decode("latin-1"),
        "raw_path": path,
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "server": ("manager.example.com", 80),
        "client": ("127.0.0.9", 4711),
    }
    outcome: dict[str, Any] = {"taken": 0}

    async def receive() -> dict[str, Any]:
        if outcome["taken"] == len(pieces):
            await asyncio.Event().wait()
        outcome["taken"] += 1
        more = outcome["taken"] < len(pieces)
        return {"type": "http.request", "body": pieces[outcome["taken"] - 1], "more_body": more}

    async def send(message: Any) -> None:
        outcome.update({name: value for name, value in message.items() if name in ("status", "body")})

    async with asyncio.timeout(20):
        await api.app(scope, receive, send)
    return outcome


async def test_a_request_id_is_given_back(api: Api) -> None:
    for sent in ("abc-123", "A.b_c", "x" * 64):
        answer = await api.client().get("/health/live", headers={"x-request-id": sent})
        assert answer.headers.get_list("x-request-id") == [sent]


async def test_a_request_without_a_usable_id_gets_one(api: Api) -> None:
    made = set()
    for sent in (None, "", "x" * 65, "a b", "a\tb", "<script>", "ü"):
        headers = [] if sent is None else [(b"x-request-id", sent.encode())]
        answer = await api.client().get("/health/live", headers=headers)
        made.add(answer.headers["x-request-id"])
        assert answer.headers["x-request-id"] != sent

    assert len(made) == 7


async def test_every_answer_forbids_guessing_its_type_and_has_an_id(api: Api) -> None:
    answers = [
        await api.client().get("/health/live"),
        await api.client().get("/me"),
        await api.client().get("/nothing"),
        await api.client().get("/%ff"),
        await post(api, b"", **{"content-encoding": "br"}),
        await api.client().options("/me", headers={"origin": "http://evil.example.org"}),
    ]

    assert [answer.status_code for answer in answers] == [200, 401, 404, 400, 415, 400]
    for answer in answers:
        assert answer.headers.get_list("x-content-type-options") == ["nosniff"]
        assert len(answer.headers.get_list("x-request-id")) == 1


@pytest.mark.long
async def test_names_may_hold_whatever_an_address_can_quote(api: Api) -> None:
    for name in ("a/b", "/", "a//b", "%2F", "a%2Fb", "ü/ß 𠀋", "a?b#c", "a+b c", "import/x", "../x"):
        created = await api.admin.post("/admin/groups", json={"name": name, "priority": 3})
        assert created.status_code == 201
        address = httpx.URL("http://manager.example.com").join(created.headers["location"])

        answer = await api.admin.get(address)

        assert (answer.status_code, answer.json().get("name")) == (200, name)
        assert (await api.admin.patch(address, json={"priority": 4})).json()["priority"] == 4
        assert (await api.admin.delete(address)).status_code == 204
        assert (await api.admin.get(address)).status_code == 404


async def test_an_address_that_is_not_utf_8_is_refused(api: Api) -> None:
    for path in ("/admin/groups/%ff", "/admin/groups/%c3", "/%c0%af", "/admin/groups/%ed%a0%80"):
        answer = await api.admin.get(path)
        assert answer.status_code == 400
        assert answer.json() == {"error": {"code": 400, "message": "the address is not UTF-8"}}


async def test_an_address_with_a_control_character_is_refused(api: Api) -> None:
    for path in ("%00", "a%00b", "%01", "%0a", "%0D%0Ax", "%1b[31m", "%7f", "%1F"):
        answer = await api.admin.get(f"/admin/groups/{path}")
        assert answer.status_code == 400, path
        assert answer.json()["error"]["message"] == "the address holds a control character"


async def test_a_query_that_is_not_utf8_is_refused(api: Api) -> None:
    for path in ("/me?x=%ff", "/admin/users?q=%ff%fe", "/prefs?app=%c3"):
        answer = await api.admin.get(path)
        assert answer.status_code == 400, path
        assert answer.json() == {"error": {"code": 400, "message": "the address is not UTF-8"}}


async def test_what_only_looks_like_one_is_taken(api: Api) -> None:
    answers = [await api.admin.get(path) for path in ("/admin/groups/%2501", "/admin/groups?q=%01")]

    assert [answer.status_code for answer in answers] == [404, 200]


async def test_a_packed_body_is_unpacked(api: Api) -> None:
    for number, encoding in enumerate(("gzip", "GZIP", "x-gzip", " gzip ")):
        body = b'{"name": "Desk %d"}' % number
        assert (await post(api, gzip.compress(body), **{"content-encoding": encoding})).status_code == 201
    for encoding in ("identity", ""):
        body = b'{"name": "plain-%s"}' % encoding.encode()
        assert (await post(api, body, **{"content-encoding": encoding})).status_code == 201


@pytest.mark.long
async def test_a_large_packed_body_comes_out_complete(api: Api) -> None:
    targets = [f"group {number} {'x' * 200}" for number in range(1000)]
    body = '{"name": "Desk", "expandsTo": ["' + '", "'.join(targets) + '"]}'
    packed = gzip.compress(body.encode(), compresslevel=0)
    pieces = [packed[start : start + 1000] for start in range(0, len(packed), 1000)]

    async def stream() -> Any:
        for piece in pieces:
            yield piece

    answer = await api.admin.post("/admin/groups", content=stream(), headers=GZIP)

    assert answer.status_code == 201
    assert answer.json()["expandsTo"] == sorted(targets)


async def test_a_broken_packed_body_is_the_senders_mistake(api: Api) -> None:
    good = gzip.compress(b'{"name": "Desk", "expandsTo": ["Floor"]}')
    flipped = bytearray(good)
    flipped[-6] ^= 1
    broken = [
        b"",
        b"{}",
        good[:10],
        good[:-20],
        bytes(flipped),
        zlib.compress(b'{"name": "Desk"}'),
        b"\x1f\x8b" + b"x" * 500,
    ]

    answers = [await post(api, body) for body in broken]

    assert [answer.status_code for answer in answers] == [400] * len(broken)
    assert (await api.admin.get("/admin/groups/Desk")).status_code == 404


@pytest.mark.long
async def test_a_bomb_is_refused_when_it_gets_too_large(sqlite: str, clock: SettableClock) -> None:
    bomb = gzip.compress(b'{"name": "' + b"a" * 50_000_000)
    async with running_api(manager_config(sqlite, maxBody=1_000_000), clock) as api:
        answer = await post(api, bomb)

        assert len(bomb) < 100_000
        assert answer.status_code == 413
        assert answer.json() == {"error": {"code": 413, "message": "the body is larger than this server accepts"}}
        plain = await api.admin.post("/admin/groups", content=b"a" * 1_000_001)
        assert plain.status_code == 413


# The framework leaves the half-read part of a form that grew too large to the garbage collector.
@pytest.mark.long
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_a_packed_crash_report_bomb_is_refused(sqlite: str, clock: SettableClock) -> None:
    head = b'--x\r\nContent-Disposition: form-data; name="upload_file_minidump"; filename="d"\r\n\r\n'
    bomb = gzip.compress(head + b"\0" * 20_000_000)
    async with running_api(manager_config(sqlite, maxCrash=1_000_000), clock) as api:
        headers = {"content-encoding": "gzip", "content-type": "multipart/form-data; boundary=x"}
        answer = await api.admin.post("/crashes", content=bomb, headers=headers)

    assert answer.status_code == 413


async def test_what_follows_the_packed_body_is_not_taken_in(api: Api) -> None:
    packed = gzip.compress(b'{"name": "Desk"}')
    token = (await api.admin.post("/token/refresh")).json()["token"]
    headers = [
        (b"authorization", f"Bearer {token}".encode()),
        (b"content-encoding", b"gzip"),
        (b"content-type", b"application/json"),
    ]

    outcome = await raw_request(api, b"/api/admin/groups", headers, [packed, *([b"x" * 1000] * 100)])

    assert outcome["status"] == 201
    assert outcome["taken"] == 1


async def test_a_download_asked_for_with_a_packed_body_is_served(api: Api) -> None:
    form = {"upload_file_minidump": ("d.dmp", b"MDMP" * 1000)}
    crash = (await api.admin.post("/crashes", files=form)).text

    async with asyncio.timeout(20):
        answer = await api.admin.request("GET", f"/admin/crashes/{crash}/minidump", content=b"", headers=GZIP)

    assert answer.status_code == 200
    assert answer.content == b"MDMP" * 1000


async def test_another_encoding_is_refused(api: Api) -> None:
    for encoding in ("br", "deflate", "zstd", "gzip, gzip", "nonsense", "\x80"):
        headers = [(b"content-encoding", encoding.encode("latin-1")), (b"content-type", b"application/json")]
        answer = await api.admin.post("/admin/groups", content=b'{"name": "Desk"}', headers=headers)

        assert answer.status_code == 415
        assert answer.json()["error"] == {"code": 415, "message": "the body may be compressed with gzip only"}


async def test_a_log_line_reports_what_was_asked_and_no_secret(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "rostrum")
    login = await api.admin.get("/me?password=query-secret")
    cookie = login.cookies["PLATFORM_SESSION"]
    token = (await api.admin.post("/sessions?token=query-secret", json={})).json()["token"]
    await api.client(("admin", "guessed-secret")).get("/me")
    await api.client().get("/me", headers={"cookie": f"PLATFORM_SESSION={cookie}"})
    await api.client().get("/me", headers={"authorization": f"Bearer {token}"})
    await api.admin.post("/admin/users", json={"id": "ann", "password": "body-secret"})
    await api.admin.patch("/admin/users/ann", json={"password": "other-body-secret", "typo": 1})
    await api.client().get("/%ff?x=query-secret")

    # What the test's own client logs is not the server's word.
    ours = [record for record in caplog.records if record.name.startswith("rostrum")]
    lines = [record.getMessage() for record in ours if record.name == "rostrum.access"]
    assert [line.rpartition(" ")[0].rpartition(" ")[0] for line in lines[:3]] == [
        "GET /api/me 200",
        "POST /api/sessions 201",
        "GET /api/me 401",
    ]
    assert len(lines) == 8
    for secret in ("query-secret", "guessed-secret", "body-secret", ADMIN[1], cookie, token):
        assert all(secret not in caplog.handler.format(record) for record in ours)


async def test_log_lines_name_the_request_they_belong_to(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    from rostrum.base.log import request_id

    seen: list[str] = []

    class Watch(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            seen.append(request_id.get())

    caplog.set_level(logging.INFO, "rostrum.access")
    watch, log = Watch(), logging.getLogger("rostrum.access")
    log.addHandler(watch)
    try:
        await api.client().get("/health/live", headers={"x-request-id": "my-request"})
    finally:
        log.removeHandler(watch)

    assert seen == ["my-request"]
    assert request_id.get() == ""

"""What the log reports sign-ins, as a program reads it."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.log import set_up_logging
from rostrum.manager.auth.security_log import RefusedRights
from tests.conftest import Api

HERE = "127.0.0.9"


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Log as the server does with ``log.format`` json."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    set_up_logging("info", "json", stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)


async def test_every_way_in_and_out_is_reported_and_no_secret(api: Api, lines: io.StringIO) -> None:
    ann = await api.add_user("ann")
    headers = {"X-Request-Id": "the-request"}

    async def told(answered: Any, status: int) -> list[tuple[str, ...]]:
        """What one request left in the log."""
        assert answered.status_code == status, answered.text
        events = [json.loads(line) for line in lines.getvalue().splitlines()]
        lines.seek(0)
        lines.truncate()
        found = [event for event in events if event["logger"] == "rostrum.security" and event["user"] != "admin"]
        assert all(event["request"] == "the-request" for event in found)
        return [
            (event["event"], event["user"], event["address"], *([event["actor"]] if "actor" in event else []))
            for event in found
        ]

    await told(await ann.get("/health/live"), 200)
    first = await ann.get("/me", headers=headers)
    assert await told(first, 200) == [("logIn", "ann", HERE)]
    assert await told(await ann.get("/apps", headers=headers), 200) == []
    wrong = api.client(("ann", "not her password"))
    assert await told(await wrong.get("/me", headers=headers), 401) == [("logInRefused", "ann", HERE)]
    assert await told(await wrong.get("/me", headers=headers), 401) == []
    nobody = api.client(("correct horse", "x"))
    assert await told(await nobody.get("/me", headers=headers), 401) == [("logInRefused", "(unknown)", HERE)]
    opened = await ann.post("/sessions", json={"machine": {"id": "pc"}}, headers=headers)
    assert await told(opened, 201) == [("tokenMade", "ann", HERE)]
    client = {**headers, "Authorization": f"Bearer {opened.json()['token']}"}
    assert await told(await api.client().post("/token/refresh", headers=client), 201) == [("tokenMade", "ann", HERE)]
    ended = await api.admin.delete(f"/admin/sessions/{opened.json()['id']}", headers=headers)
    assert await told(ended, 204) == [("tokenRevoked", "ann", HERE, "admin")]
    other = (await ann.post("/sessions", json={"machine": {"id": "pc"}})).json()["id"]
    lines.seek(0)
    lines.truncate()
    assert await told(await ann.delete(f"/sessions/{other}", headers=headers), 204) == [("tokenRevoked", "ann", HERE)]
    cookie = {"Cookie": f"PLATFORM_SESSION={first.cookies['PLATFORM_SESSION']}", "Origin": "http://manager.example.com"}
    out = await api.client().post("/logout", headers={**headers, **cookie})
    assert await told(out, 204) == [("logOut", "ann", HERE)]
    changed = await api.admin.patch(
        "/admin/users/ann", json={"password": "quite another", "disabled": True}, headers=headers
    )
    assert await told(changed, 200) == [
        ("passwordChanged", "ann", HERE, "admin"),
        ("userDisabled", "ann", HERE, "admin"),
    ]
    for number in range(20):
        answer = await api.client(("ann", f"guess {number}")).get("/me", headers=headers)
        if answer.status_code == 429:
            break
    assert ("logInThrottled", "ann", HERE) in await told(answer, 429)


async def test_no_secret_is_in_the_log(api: Api, lines: io.StringIO) -> None:
    ann = await api.add_user("ann")
    token = (await ann.post("/sessions", json={"machine": {"id": "pc"}})).json()["token"]
    await api.client(("ann", "not her password")).get("/me")
    await api.client(("typed a password here", "x")).get("/me")
    await api.admin.patch("/admin/users/ann", json={"password": "quite another"})

    said = lines.getvalue()
    assert '"event":"logIn"' in said
    for secret in ("ann-password", "not her password", "typed a password here", "quite another", token):
        assert secret not in said


def refusals(lines: io.StringIO) -> list[tuple[str, ...]]:
    """Return the refused rights that were reported, and forget them."""
    events = [json.loads(line) for line in lines.getvalue().splitlines()]
    lines.seek(0)
    lines.truncate()
    return [
        (event["user"], event["operation"], event["address"], event["level"])
        for event in events
        if event.get("event") == "forbidden"
    ]


async def test_refused_rights_are_reported_with_the_user_but_do_not_flood_the_log(
    api: Api, lines: io.StringIO, clock: SettableClock
) -> None:
    ann = await api.add_user("ann", "PLATFORM_MANAGER:APPS:WRITE")
    await api.add_user("root", "PLATFORM_SERVER_ADMIN")
    made = await ann.post("/me/tokens", json={"name": "t", "permissions": [], "expiresInDays": 3})
    refusals(lines)
    for _ in range(3):
        assert (await ann.get("/admin/users")).status_code == 403
        # A right that depends on the document.
        program = {"definition": {"name": "x", "type": "exe", "details": {"command": "x"}}, "public": True}
        assert (await ann.post("/admin/apps", json=program)).status_code == 403
    assert refusals(lines) == [("ann", "listUsers", HERE, "warning"), ("ann", "createApp", HERE, "warning")]
    robot = api.client()
    answer = await robot.get("/admin/apps", headers={"authorization": f"Bearer {made.json()['token']}"})
    assert answer.status_code == 403
    assert refusals(lines) == [("ann", "listApps", HERE, "warning")]
    clock.advance(60)
    assert (await ann.get("/admin/users")).status_code == 403
    assert refusals(lines) == [("ann", "listUsers", HERE, "warning")]


def test_one_user_cannot_use_up_the_reports_of_others(lines: io.StringIO) -> None:
    clock = SettableClock()
    reports = RefusedRights(clock)
    for number in range(1000):
        reports.add("ann", f"operation{number}", HERE)
    reports.add("ben", "operation1", HERE)
    found = refusals(lines)
    assert [user for user, *_ in found].count("ann") == 20
    assert found[-1][0] == "ben"
    for number in range(5000):
        reports.add(f"user{number}", "x", HERE)
    assert len(refusals(lines)) == 498
    clock.advance(60)
    reports.add("ann", "x", HERE)
    assert "5482 further refused rights were not reported" in lines.getvalue()

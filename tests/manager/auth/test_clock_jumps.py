"""The clock of the machine is set by a day, forward or back, while people are signed in."""

import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.purge import purge
from tests.conftest import ADMIN, SECRET, Api, manager_config, running_api
from tests.manager.http.test_authentication import checks as checks  # noqa: PLC0414 - a fixture
from tests.manager.http.test_authentication import cookie_of, session_of, status, with_bearer, with_cookie

DAY = 24 * 60 * 60
LIFETIME = 60 * 60


@pytest.mark.parametrize("jump", [DAY, -DAY])
async def test_what_is_measured_in_seconds_does_not_notice_that_the_clock_is_set(
    api: Api, clock: SettableClock, checks: list[str], jump: int
) -> None:
    ann = await api.add_user("ann")
    await api.add_user("bob")
    assert await status(ann) == 200
    for number in range(10):
        await status(api.client(("bob", f"guess {number}")))
    checks.clear()

    clock.jump(jump)

    # Who guesses has to wait as long as before, and no longer; a password that was right is still remembered.
    assert await status(api.client(("bob", "guess"))) == 429
    assert await status(ann) == 200
    assert checks == []
    clock.advance(10)
    assert await status(api.client(("bob", "bob-password"))) == 200


@pytest.mark.parametrize("jump", [DAY, -DAY])
async def test_log_ins_last_until_the_time_that_they_were_signed_for(api: Api, clock: SettableClock, jump: int) -> None:
    await api.add_user("ann")
    cookie, (session, token) = await cookie_of(api), await session_of(api)
    before = with_cookie(api, cookie)
    assert await status(before) == 200

    clock.jump(jump)

    assert await status(before) == (401 if jump > 0 else 200)
    # The client's token was signed for longer than a day.
    assert await status(with_bearer(api, token)) == 200
    # A user who signs in now stays signed in for the usual time, and a client with a heartbeat is active.
    after = with_cookie(api, await cookie_of(api))
    clock.advance(LIFETIME - 1)
    assert await status(after) == 200
    beat = await api.client(("ann", "ann-password")).patch(f"/sessions/{session}", json={})
    assert beat.json()["active"] is True
    clock.advance(1)
    assert await status(after) == 401
    clock.jump(-jump)
    assert await status(after) == (200 if jump > 0 else 401)


@pytest.mark.parametrize("jump", [DAY, -DAY])
async def test_revisions_and_the_audit_go_on_and_nothing_is_forgotten_before_its_time(
    api: Api, clock: SettableClock, jump: int
) -> None:
    config = manager_config(api.config.store, purge={"crashes": 2, "sessions": 2})
    made = [(await api.admin.post("/admin/groups", json={"name": "before"})).json()["revision"]]
    await api.admin.post("/crashes", files=[("prod", (None, "x"))])

    for step in (jump, -jump):
        clock.jump(step)
        made.append((await api.admin.post("/admin/groups", json={"name": f"after {step}"})).json()["revision"])
        await purge(api.app._manager.storage, config)

    assert made == sorted(set(made))
    assert (await api.admin.get("/admin/audit/verify")).json()["ok"] is True
    assert (await api.admin.get("/admin/crashes")).json()["total"] == 1
    newest = (await api.admin.get("/admin/audit")).json()["items"][0]
    assert newest["revision"] == made[-1]


async def test_who_has_signed_out_stays_so_when_a_clock_that_went_ahead_is_set_right(
    sqlite: str, clock: SettableClock
) -> None:
    config = manager_config(sqlite, token={"secret": SECRET, "expiresIn": LIFETIME})
    async with running_api(config, clock) as api:
        cookie = with_cookie(api, await cookie_of(api, ADMIN), origin="http://manager.example.com")
        assert (await cookie.post("/logout")).status_code == 204

        clock.jump(DAY)
        await purge(api.app._manager.storage, config)
        clock.jump(-DAY)

        assert await status(cookie) == 401

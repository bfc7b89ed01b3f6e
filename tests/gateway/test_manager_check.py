"""Sign-ins checked by a manager, a real one."""

import asyncio
from collections.abc import Callable

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.gateway.authentication import Account, CannotCheck
from rostrum.gateway.manager_check import ManagerCheck
from tests.conftest import ADMIN, Api

BASE = "http://manager.example.com/api"


async def test_users_of_the_manager_may_sign_in(api: Api) -> None:
    await api.add_user("ada.birch")
    check = ManagerCheck(BASE + "/", api.client())

    assert await check.check(*ADMIN, "127.0.0.1") == Account(user="admin")
    assert await check.check("ada.birch", "ada.birch-password", "127.0.0.1") == Account(user="ada.birch")
    assert await check.check("ada.birch", "wrong", "127.0.0.1") is None
    assert await check.check("nobody", "x", "127.0.0.1") is None
    await check.close()


async def test_a_name_with_a_colon_belongs_to_no_user(api: Api) -> None:
    check = ManagerCheck(BASE, api.client())

    assert await check.check("admin:admin-password", "", "127.0.0.1") is None


def answering(*, status: int = 200, text: str = "{}", wait: float = 0) -> ManagerCheck:
    async def answer(request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(wait)
        return httpx.Response(status, stream=httpx.ByteStream(text.encode()))

    return ManagerCheck(BASE, httpx.AsyncClient(transport=httpx.MockTransport(answer)), timeout_seconds=0.05)


@pytest.mark.parametrize(
    "check",
    [
        lambda: answering(status=500),
        lambda: answering(status=302),
        lambda: answering(text="nonsense"),
        lambda: answering(text="[]"),
        lambda: answering(text='{"id": 7}'),
        lambda: answering(text='{"id": ""}'),
        lambda: answering(wait=30),
    ],
)
async def test_no_user_can_sign_in_if_the_response_of_the_manager_is_invalid(check: Callable[[], ManagerCheck]) -> None:
    with pytest.raises(CannotCheck) as caught:
        await check().check("ada", "the secret", "127.0.0.1")

    assert "the secret" not in str(caught.value)


async def test_no_user_can_sign_in_while_the_manager_is_unavailable() -> None:
    with pytest.raises(CannotCheck):
        await ManagerCheck("http://127.0.0.1:9").check("ada", "secret", "127.0.0.1")


async def test_the_session_of_a_renewed_token_ends_twelve_hours_after_the_sign_in(
    api: Api, clock: SettableClock
) -> None:
    cookie = (await api.admin.get("/signin")).cookies["PLATFORM_SESSION"]
    page = api.client(cookies={"PLATFORM_SESSION": cookie}, headers={"origin": "http://manager.example.com"})
    first = (await page.post("/token/refresh")).json()["token"]
    renewed = await api.client().post("/token/refresh", headers={"authorization": f"Bearer {first}"})
    check = ManagerCheck(BASE, api.client())
    account = await check.check_token(renewed.json()["token"])
    assert account is not None
    session = account.session
    assert session is not None

    clock.advance(12 * 3600 - 1)
    assert await session.confirm()
    # All tokens that the gateway has made in this session end with it.
    clock.advance(1)
    assert not await session.confirm()
    assert session.is_ended
    await check.close()

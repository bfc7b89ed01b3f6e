"""Pages: how the admin UI signs in, and how its requests differ from those of other clients."""

from base64 import b64encode
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import ADMIN, ORIGIN, Api, manager_config, running_api
from tests.manager.http.test_authentication import REVOCATIONS
from tests.manager.http.test_rights import operations

MARK = {"x-requested-with": "rostrum-admin-ui"}
ANN = ("ann", "ann-password")
PREDEFINED = {"predefinedUsers": [":".join(ADMIN)]}


def basic(user: str, password: str) -> dict[str, str]:
    return {"authorization": "Basic " + b64encode(f"{user}:{password}".encode()).decode()}


def page(api: Api, **headers: str) -> httpx.AsyncClient:
    """The admin UI with the headers that it sends."""
    return api.client(headers={**MARK, **headers})


def with_token(api: Api, token: str) -> httpx.AsyncClient:
    return page(api, authorization=f"Bearer {token}")


async def token_of(api: Api, auth: tuple[str, str] = ANN) -> str:
    answer = await page(api, **basic(*auth)).get("/signin", params={"token": "true"})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["token"])


@pytest.mark.long
async def test_requests_of_the_admin_ui_are_never_challenged_with_basic(api: Api) -> None:
    challenges = set()
    for _, method, address, body in operations():
        answers = [
            await page(api).request(method, address, json=body),
            await page(api, **basic("admin", "wrong")).request(method, address, json=body),
            await page(api, cookie="PLATFORM_SESSION=old").request(method, address, json=body),
        ]
        challenges |= {answer.headers.get("www-authenticate") for answer in answers if answer.status_code == 401}

    assert challenges == {'Form realm="rostrum"'}
    # Programs, and people who open an address in the browser, are challenged as before.
    assert (await api.client().get("/me")).headers["www-authenticate"].startswith("Basic ")


async def test_a_password_that_the_browser_adds_to_requests_of_the_admin_ui_does_not_count(api: Api) -> None:
    await api.add_user("ann")
    cookie = (await page(api, **basic(*ANN)).get("/signin")).cookies["PLATFORM_SESSION"]
    added = basic(*ADMIN)

    # Twice, because the second answer may come from ready bytes.
    for _ in range(2):
        assert (await page(api, **added).get("/me")).status_code == 401
        mine = await page(api, **added, cookie=f"PLATFORM_SESSION={cookie}").get("/me")
        assert (mine.status_code, mine.json()["id"], "set-cookie" in mine.headers) == (200, "ann", False)
    # Other pages that send a password themselves are programs like any other.
    assert (await api.client(ADMIN, headers={"x-requested-with": "XMLHttpRequest"}).get("/me")).status_code == 200


@pytest.mark.rule("E-4-9")
async def test_signing_in_answers_who_it_is_and_sets_the_cookie(api: Api) -> None:
    ann = await api.add_user("ann", "Desk")

    answer = await page(api, **basic(*ANN)).get("/signin")

    assert answer.json() == {"user": (await ann.get("/me")).json()}
    assert answer.headers["cache-control"] == "no-store"
    cookie = answer.cookies["PLATFORM_SESSION"]
    assert (await page(api, cookie=f"PLATFORM_SESSION={cookie}").get("/me")).json()["id"] == "ann"
    # Only a password signs in: neither a cookie nor the token of a desktop can be exchanged for a token of a page.
    desktop = (await ann.post("/sessions", json={})).json()["token"]
    for headers in ({"cookie": f"PLATFORM_SESSION={cookie}"}, {"authorization": f"Bearer {desktop}"}):
        assert (await page(api, **headers).get("/signin", params={"token": "true"})).status_code == 401


@pytest.mark.parametrize("has_cookies", [True, False])
async def test_pages_are_informed_beforehand_whether_there_are_session_cookies(
    sqlite: str, clock: SettableClock, has_cookies: bool
) -> None:
    config = manager_config(sqlite, auth_basic={**PREDEFINED, "useSessionCookie": has_cookies})
    async with running_api(config, clock) as api:
        answer = await page(api, origin=ORIGIN).get("/signin/options")

        assert answer.json() == {"sessionCookie": has_cookies}
        assert answer.headers["access-control-allow-origin"] == ORIGIN
        signed_in = await page(api, **basic(*ADMIN)).get("/signin")
        assert ("set-cookie" in signed_in.headers) is has_cookies


async def test_a_token_replaces_the_cookie_and_ends_with_the_session(sqlite: str, clock: SettableClock) -> None:
    config = manager_config(sqlite, auth_basic={**PREDEFINED, "sessionLifetime": 60})
    async with running_api(config, clock) as api:
        await api.add_user("ann")
        answer = await page(api, **basic(*ANN)).get("/signin", params={"token": "true"})
        token = answer.json()["token"]
        assert (answer.json()["expiresIn"], answer.json()["renewable"]) == (60, False)
        client = with_token(api, token)
        # A write needs no allowed origin: no browser sends a token by itself.
        made = (await client.post("/token/refresh")).json()["token"]
        assert (await page(api, cookie=f"PLATFORM_SESSION={token}").get("/me")).status_code == 401
        assert (await client.get("/signin", params={"token": "true"})).status_code == 401

        clock.advance(59)
        assert [(await with_token(api, each).get("/me")).status_code for each in (token, made)] == [200, 200]
        clock.advance(1)
        assert [(await with_token(api, each).get("/me")).status_code for each in (token, made)] == [401, 401]


async def test_without_session_cookies_a_page_renews_its_token(sqlite: str, clock: SettableClock) -> None:
    config = manager_config(sqlite, auth_basic={**PREDEFINED, "useSessionCookie": False, "sessionLifetime": 60})
    async with running_api(config, clock) as api:
        first = await token_of(api, ADMIN)
        clock.advance(3000)
        renewed = await with_token(api, first).get("/signin", params={"token": "true"})
        second = renewed.json()["token"]
        # The lifetime of sessions has no effect without session cookies.
        assert (renewed.json()["expiresIn"], renewed.json()["renewable"]) == (3600, True)
        clock.advance(3000)

        assert (await with_token(api, first).get("/me")).status_code == 401
        assert (await with_token(api, second).get("/me")).status_code == 200
        # Signing out ends all tokens that were made from one sign-in.
        assert (await with_token(api, second).post("/logout")).status_code == 204
        assert (await with_token(api, second).get("/me")).status_code == 401
        assert (await with_token(api, second).get("/signin")).status_code == 401


@pytest.mark.parametrize("revoked", REVOCATIONS)
async def test_the_token_of_a_page_ends_with_the_account(api: Api, revoked: Callable[[Api], Any]) -> None:
    await api.add_user("ann")
    client = with_token(api, await token_of(api))
    assert (await client.get("/me")).status_code == 200

    await revoked(api)

    assert (await client.get("/me")).status_code == 401

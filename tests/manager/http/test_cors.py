from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import ORIGIN, Api, manager_config, running_api

FOREIGN = "http://evil.example.org"


async def preflight(api: Api, origin: str, method: str = "GET", *headers: str) -> httpx.Response:
    asked = {"origin": origin, "access-control-request-method": method}
    if headers:
        asked["access-control-request-headers"] = ", ".join(headers)
    return await api.client().options("/admin/users", headers=asked)


def names(answer: httpx.Response, header: str) -> set[str]:
    return {name.strip().lower() for name in answer.headers[header].split(",")}


@pytest.mark.rule("R-2.2-8")
async def test_a_preflight_of_an_allowed_page_is_answered_without_credentials(api: Api) -> None:
    wanted = {"authorization", "content-type", "if-match", "if-none-match", "user", "x-request-id", "x-own-header"}
    answer = await preflight(api, ORIGIN, "PATCH", *sorted(wanted))

    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == ORIGIN
    assert answer.headers["access-control-allow-credentials"] == "true"
    assert answer.headers["access-control-max-age"] == "600"
    assert "Origin" in answer.headers["vary"]
    assert names(answer, "access-control-allow-methods") == {"get", "head", "put", "patch", "post", "delete"}
    assert wanted <= names(answer, "access-control-allow-headers")


@pytest.mark.rule("R-2.2-13")
async def test_the_status_of_a_preflight_is_a_setting(sqlite: str, clock: SettableClock) -> None:
    cors = {"credentials": True, "origin": ORIGIN, "optionsSuccessStatus": 200, "preflightContinue": False}
    async with running_api(manager_config(sqlite, cors=cors), clock) as api:
        answer = await preflight(api, ORIGIN)
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == ORIGIN
        assert (await preflight(api, FOREIGN)).status_code == 400
        assert (await api.admin.options("/admin/users")).status_code == 204


async def test_options_lists_the_methods_of_a_path(api: Api) -> None:
    allowed = [
        (await api.admin.options(path)).headers["allow"]
        for path in ("/admin/users/nobody", "/me", "/admin/crashes", "/admin/import", "/docs")
    ]

    assert allowed == [
        "DELETE, GET, OPTIONS, PATCH, PUT",
        "GET, OPTIONS",
        "GET, OPTIONS",
        "OPTIONS, POST",
        "GET, OPTIONS",
    ]
    assert (await api.client().options("/admin/users")).status_code == 401
    assert (await api.client().options("/directory/a-key/v2/apps")).status_code == 401


async def test_a_preflight_for_what_is_not_allowed_is_refused(api: Api) -> None:
    refused = [
        await preflight(api, FOREIGN),
        await preflight(api, "null"),
        await preflight(api, f"{ORIGIN}.evil.org"),
        await preflight(api, f"{ORIGIN}:8080"),
        await preflight(api, ORIGIN.replace(".", "x")),
        await preflight(api, ORIGIN.replace("http:", "https:")),
        await preflight(api, ORIGIN, "TRACE"),
        await preflight(api, FOREIGN, "GET", "authorization"),
    ]

    assert [answer.status_code for answer in refused] == [400] * len(refused)
    assert all("access-control-allow-origin" not in answer.headers for answer in refused)


async def test_answers_and_errors_alike_can_be_read_by_allowed_pages(api: Api) -> None:
    await api.add_user("ann")
    asked = {"origin": ORIGIN}
    answers = [
        await api.admin.get("/me", headers=asked),
        await api.client().get("/me", headers=asked),
        await api.client(("ann", "ann-password")).get("/admin/users", headers=asked),
        await api.admin.get("/admin/users/nobody", headers=asked),
        await api.admin.get("/nothing/here", headers=asked),
        await api.admin.put("/me", headers=asked),
        await api.admin.post("/admin/users", content=b"{", headers={**asked, "content-type": "application/json"}),
    ]

    assert [answer.status_code for answer in answers] == [200, 401, 403, 404, 404, 405, 400]
    for answer in answers:
        assert answer.headers.get_list("access-control-allow-origin") == [ORIGIN]
        assert answer.headers["access-control-allow-credentials"] == "true"
        assert names(answer, "access-control-expose-headers") == {"etag", "location", "retry-after", "x-request-id"}
        assert "Origin" in answer.headers["vary"]


async def test_requests_that_the_edge_refuses_can_be_read_by_allowed_pages(api: Api) -> None:
    asked = {"origin": ORIGIN}
    answers = [
        await api.admin.get("/apps/%ff", headers=asked),
        await api.admin.post("/admin/users", content=b"{}", headers={**asked, "content-type": "text/plain"}),
        await api.admin.post("/admin/users", content=b"x", headers={**asked, "content-encoding": "br"}),
    ]

    assert [answer.status_code for answer in answers] == [400, 415, 415]
    assert [answer.headers.get("access-control-allow-origin") for answer in answers] == [ORIGIN] * 3
    foreign = await api.admin.post("/admin/users", json={}, headers={"origin": FOREIGN})
    assert foreign.status_code == 403
    assert "access-control-allow-origin" not in foreign.headers


async def test_pages_of_two_origins_share_a_cached_response_and_each_gets_its_own_origin(
    sqlite: str, clock: SettableClock
) -> None:
    origins = ["https://desk.example.com", "http://127.0.0.1:3000"]
    async with running_api(manager_config(sqlite, cors={"credentials": True, "origin": origins}), clock) as api:
        answers = [await api.admin.get("/apps", headers={"origin": origin}) for origin in (*origins, *origins)]
        plain = await api.admin.get("/apps")

    assert [answer.headers.get_list("access-control-allow-origin") for answer in answers] == [
        [origin] for origin in (*origins, *origins)
    ]
    assert all("Origin" in answer.headers["vary"] for answer in answers)
    assert "access-control-allow-origin" not in plain.headers


async def test_a_slowed_down_guess_can_be_read_too(api: Api) -> None:
    for number in range(10):
        await api.client(("ann", f"guess {number}")).get("/me")

    answer = await api.client(("ann", "guess")).get("/me", headers={"origin": ORIGIN})

    assert answer.status_code == 429
    assert answer.headers["access-control-allow-origin"] == ORIGIN


async def test_a_foreign_page_is_given_no_leave_to_read(api: Api) -> None:
    for origin in (FOREIGN, "null", f"{ORIGIN}.evil.org"):
        answers = [
            await api.admin.get("/me", headers={"origin": origin}),
            await api.client().get("/me", headers={"origin": origin}),
            await api.client().get("/nothing", headers={"origin": origin}),
            await api.client().get("/me", headers={"origin": origin, "cookie": "PLATFORM_SESSION=x"}),
        ]
        assert all("access-control-allow-origin" not in answer.headers for answer in answers)


async def test_without_an_origin_nothing_is_said_about_it(api: Api) -> None:
    answer = await api.admin.get("/me")

    assert not [name for name in answer.headers if name.startswith("access-control-")]


async def test_several_origins_are_each_named_back(sqlite: str, clock: SettableClock) -> None:
    origins = ["https://desk.example.com", "http://127.0.0.1:3000"]
    async with running_api(manager_config(sqlite, cors={"credentials": True, "origin": origins}), clock) as api:
        for origin in origins:
            assert (await preflight(api, origin)).headers["access-control-allow-origin"] == origin
            answer = await api.admin.get("/me", headers={"origin": origin})
            assert answer.headers["access-control-allow-origin"] == origin
        assert (await preflight(api, ORIGIN)).status_code == 400


@pytest.mark.rule("R-2.2-13")
async def test_the_other_options_are_followed(sqlite: str, clock: SettableClock) -> None:
    cors: dict[str, Any] = {
        "credentials": True,
        "origin": ORIGIN,
        "methods": ["GET", "POST"],
        "allowedHeaders": ["X-Desk"],
        "exposedHeaders": ["X-Floor"],
        "maxAge": 7,
    }
    async with running_api(manager_config(sqlite, cors=cors), clock) as api:
        allowed = await preflight(api, ORIGIN, "POST", "x-desk")
        answer = await api.admin.get("/me", headers={"origin": ORIGIN})

        assert allowed.status_code == 204
        assert names(allowed, "access-control-allow-methods") == {"get", "post"}
        assert "x-desk" in names(allowed, "access-control-allow-headers")
        assert allowed.headers["access-control-max-age"] == "7"
        assert answer.headers["access-control-expose-headers"] == "X-Floor"
        assert (await preflight(api, ORIGIN, "DELETE")).status_code == 400
        assert (await preflight(api, ORIGIN, "POST", "if-match")).status_code == 400


async def test_true_names_whichever_origin_asks_and_lets_its_pages_write(sqlite: str, clock: SettableClock) -> None:
    async with running_api(manager_config(sqlite, cors={"credentials": True, "origin": True}), clock) as api:
        for origin in (FOREIGN, "http://other.example.net:8080"):
            assert (await preflight(api, origin, "POST")).headers["access-control-allow-origin"] == origin
            # Twice, because the second answer may come from ready bytes.
            for _ in range(2):
                answer = await api.admin.get("/me", headers={"origin": origin})
                assert answer.headers["access-control-allow-origin"] == origin
                assert answer.headers["access-control-allow-credentials"] == "true"
            name = origin.rpartition("/")[2]
            made = await api.admin.post("/admin/groups", json={"name": name}, headers={"origin": origin})
            assert made.status_code == 201


async def test_caches_are_informed_that_answers_differ_by_credentials_and_by_origin(api: Api) -> None:
    for headers in ({}, {"origin": ORIGIN}, {"origin": FOREIGN}):
        # /me comes from ready bytes the second time, the list of users never does.
        for path, client in (
            ("/me", api.admin),
            ("/me", api.admin),
            ("/admin/users", api.admin),
            ("/me", api.client()),
        ):
            answer = await client.get(path, headers=headers)
            assert {"authorization", "cookie", "origin"} <= names(answer, "vary"), (path, headers)
            assert answer.headers.get_list("vary") == [answer.headers["vary"]]


@pytest.mark.parametrize("cors", [None, {"origin": "*"}])
async def test_without_cookies_cors_may_be_left_out_or_open(
    sqlite: str, clock: SettableClock, cors: dict[str, Any] | None
) -> None:
    members = {"predefinedUsers": ["admin:admin-password"], "useSessionCookie": False}
    config = manager_config(sqlite, auth_basic=members, cors=cors or {})
    async with running_api(config, clock) as api:
        answer = await api.admin.get("/me", headers={"origin": FOREIGN})

        assert answer.status_code == 200
        assert answer.headers.get("access-control-allow-origin") == ("*" if cors else None)
        assert "access-control-allow-credentials" not in answer.headers

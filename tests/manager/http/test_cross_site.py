"""What a page of another site can make the browser of a signed-in administrator send."""

from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import ADMIN, ORIGIN, Api, manager_config, running_api

OWN = "http://manager.example.com"
EVIL = "http://evil.example.org"
FORM_TYPES = ["text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "TEXT/PLAIN"]
JSON_TYPES = ["application/json", "application/json; charset=utf-8", "Application/JSON", "application/merge-patch+json"]
FOREIGN = [
    EVIL,
    "null",
    "",
    "*",
    f"{ORIGIN}.evil.org",
    f"{OWN}.evil.org",
    f"{OWN}:81",
    OWN.replace("http", "https"),
    "file://",
    "http://manager.example.com@evil.org",
    "http://[::1",
]


async def make_admin(api: Api, headers: dict[str, str], **more: Any) -> httpx.Response:
    body = b'{"id": "mallory", "password": "a long password", "groups": ["PLATFORM_SERVER_ADMIN"], "email": "a@b.c"}'
    return await api.admin.post("/admin/users", content=body, headers=headers, **more)


async def credentials(api: Api) -> list[dict[str, str]]:
    """The headers of each kind of credentials that an administrator's browser may add."""
    answer = await api.admin.get("/me")
    token = (await api.admin.post("/token/refresh")).json()["token"]
    return [
        {"authorization": answer.request.headers["authorization"]},
        {"authorization": f"Bearer {token}"},
        {"cookie": f"PLATFORM_SESSION={answer.cookies['PLATFORM_SESSION']}"},
    ]


async def test_a_form_of_another_site_cannot_create_an_administrator(api: Api) -> None:
    for kind in FORM_TYPES:
        for origin in ({"origin": EVIL}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}, {}):
            answer = await make_admin(api, {"content-type": kind, **origin})
            assert answer.status_code == (403 if origin else 415), (kind, origin)

    assert (await api.admin.get("/admin/users/mallory")).status_code == 404


@pytest.mark.long
async def test_a_write_of_a_foreign_origin_is_refused_whatever_the_credentials(api: Api) -> None:
    for given in await credentials(api):
        for origin in FOREIGN:
            for method, path, body in (
                ("POST", "/admin/groups", {"name": "Desk"}),
                ("PUT", "/admin/groups/PLATFORM_SERVER_ADMIN", {"priority": 9}),
                ("PATCH", "/admin/groups/PLATFORM_SERVER_ADMIN", {"priority": 9}),
                ("DELETE", "/admin/groups/PLATFORM_SERVER_ADMIN", None),
                ("POST", "/prefs", {"app": "a", "data": {}}),
                ("POST", "/systemConfig/get", {}),
                ("POST", "/logout", None),
                ("POST", "/nothing", {}),
            ):
                answer = await api.client().request(method, path, json=body, headers={**given, "origin": origin})
                assert answer.status_code == 403, (method, path, origin)
                assert answer.json()["error"]["code"] == 403

    groups = (await api.admin.get("/admin/groups")).json()["items"]
    assert [(group["name"], group["priority"]) for group in groups] == [("PLATFORM_SERVER_ADMIN", 0)]


@pytest.mark.long
async def test_every_write_there_is_refuses_a_foreign_origin(api: Api) -> None:
    for path, operations in api.app.openapi()["paths"].items():
        for method in [method for method in ("post", "put", "patch", "delete") if method in operations]:
            answer = await api.admin.request(method, f"{OWN}{path}", headers={"origin": EVIL})
            assert answer.status_code == 403, (method, path)
            assert {"403"} <= operations[method]["responses"].keys()


async def test_own_pages_and_pages_that_cors_names_may_write(api: Api) -> None:
    number = 0
    for given in await credentials(api):
        for origin in (OWN, f"{OWN}:80", OWN.upper().replace("HTTP", "http"), ORIGIN):
            number += 1
            headers = {**given, "origin": origin, "sec-fetch-site": "cross-site"}
            answer = await api.client().post("/admin/groups", json={"name": f"Desk {number}"}, headers=headers)
            assert answer.status_code == 201, (origin, answer.text)


async def test_how_far_away_a_page_is_decides_only_without_an_origin(api: Api) -> None:
    outcomes = {
        site: (await api.admin.post("/token/refresh", headers={"sec-fetch-site": site})).status_code
        for site in ("same-origin", "none", "same-site", "cross-site", "nonsense")
    }

    assert outcomes == {"same-origin": 201, "none": 201, "same-site": 403, "cross-site": 403, "nonsense": 403}


async def test_one_foreign_origin_among_several_is_enough_to_refuse(api: Api) -> None:
    headers = [("origin", OWN), ("origin", EVIL)]
    assert (await api.admin.post("/token/refresh", headers=headers)).status_code == 403
    assert (await api.admin.post("/token/refresh", headers=headers[::-1])).status_code == 403


async def test_an_open_cors_setting_lets_no_other_page_write(sqlite: str, clock: SettableClock) -> None:
    members = {"predefinedUsers": [":".join(ADMIN)], "useSessionCookie": False}
    async with running_api(manager_config(sqlite, auth_basic=members, cors={"origin": "*"}), clock) as api:
        for origin in (EVIL, "*"):
            read = await api.admin.get("/me", headers={"origin": origin})
            write = await api.admin.post("/admin/groups", json={"name": "Desk"}, headers={"origin": origin})
            assert (read.status_code, write.status_code) == (200, 403)


async def test_json_is_read_only_under_a_json_type(api: Api) -> None:
    outcomes = {}
    others = ["text/json", "application/octet-stream", "image/png", "multipart/form-data; boundary=x", "json"]
    for number, kind in enumerate([*JSON_TYPES, *others, *FORM_TYPES]):
        body = b'{"name": "Desk %d"}' % number
        answer = await api.admin.post("/admin/groups", content=body, headers={"content-type": kind})
        outcomes[kind] = answer.status_code
    outcomes["none"] = (await api.admin.post("/admin/groups", content=b'{"name": "No type"}')).status_code

    assert {kind for kind, status in outcomes.items() if status == 201} == set(JSON_TYPES)
    assert {status for status in outcomes.values() if status != 201} == {415}


async def test_an_import_is_not_read_from_a_form(api: Api) -> None:
    for kind in FORM_TYPES:
        assert (await api.admin.post("/admin/import", content=b"x", headers={"content-type": kind})).status_code == 415


async def test_clients_of_the_rest_stores_work_as_before(api: Api) -> None:
    layout = {"name": "Morning", "type": "Global", "components": []}
    ann = await api.add_user("ann")
    asked = {"user": "ann"}
    statuses = [
        (await ann.post("/layouts", json={"layout": layout}, headers=asked)).status_code,
        (await ann.put("/layouts", json={"layout": layout, "newName": "Evening"}, headers=asked)).status_code,
        (await ann.post("/layouts/default", json={"name": "Evening", "type": "Global"}, headers=asked)).status_code,
        (await ann.request("DELETE", "/layouts", json={"ids": ["Evening (Global)"]}, headers=asked)).status_code,
        (await ann.post("/prefs", json={"app": "a", "data": {"x": 1}}, headers=asked)).status_code,
        (await ann.request("GET", "/prefs", json={"app": "a"}, headers=asked)).status_code,
        (await ann.request("GET", "/prefs", content=b'{"app": "a"}', headers=asked)).status_code,
        (await ann.request("DELETE", "/prefs", json={"app": "a"}, headers=asked)).status_code,
        (await ann.request("DELETE", "/prefs", headers=asked)).status_code,
        (await ann.post("/systemConfig/get", json={"configs": "*"}, headers=asked)).status_code,
        (await ann.post("/systemConfig/get", headers=asked)).status_code,
        (await ann.get("/apps", headers=asked)).status_code,
    ]

    assert all(status < 300 for status in statuses), statuses


@pytest.mark.parametrize(
    "path", ["/api/docs", "/api/openapi.json", "/api/me", "/admin/", "/api/nothing", "/api/%ff", "/"]
)
async def test_no_response_can_be_shown_in_a_frame(api: Api, path: str) -> None:
    answer = await api.admin.get(f"{OWN}{path}")

    assert answer.headers.get_list("x-frame-options") == ["DENY"]
    policies = answer.headers.get_list("content-security-policy")
    assert len(policies) == 1
    assert "frame-ancestors 'none'" in policies[0]
    again = await api.admin.get(f"{OWN}{path}")
    assert again.headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("path", ["/api/docs", "/api/me", "/admin/", "/api/nothing"])
async def test_browsers_stay_with_https_once_they_used_it(sqlite: str, clock: SettableClock, path: str) -> None:
    async with running_api(manager_config(sqlite), clock) as api:
        secure = await api.admin.get(f"https://manager.example.com{path}")
        polled = await api.admin.get(f"https://manager.example.com{path}")
        plain = await api.admin.get(f"{OWN}{path}")
    async with running_api(manager_config(sqlite, tls={"hstsMaxAge": 0}), clock) as api:
        without = await api.admin.get(f"https://manager.example.com{path}")

    assert secure.headers["strict-transport-security"] == "max-age=31536000"
    assert polled.headers["strict-transport-security"] == "max-age=31536000"
    assert "strict-transport-security" not in plain.headers
    assert "strict-transport-security" not in without.headers


async def test_over_https_the_session_cookie_cannot_be_set_by_a_sibling_host(api: Api) -> None:
    answer = await api.admin.get("https://manager.example.com/api/me")
    name, _, rest = answer.headers["set-cookie"].partition("=")
    token, *attributes = rest.split("; ")

    assert name == "__Host-PLATFORM_SESSION"
    assert {"Secure", "Path=/", "HttpOnly"} <= set(attributes)
    assert not any(attribute.startswith("Domain") for attribute in attributes)

    async def status(cookie: str, scheme: str = "https") -> int:
        found = await api.client().get(
            f"{scheme}://manager.example.com/api/me", headers={"cookie": f"{cookie}={token}"}
        )
        return found.status_code

    assert await status("__Host-PLATFORM_SESSION") == 200
    # A sibling host, or the same one without TLS, can set this name, but not the other.
    assert await status("PLATFORM_SESSION") == 401
    assert await status("PLATFORM_SESSION", "http") == 200

    headers = {"cookie": f"__Host-PLATFORM_SESSION={token}", "origin": "https://manager.example.com"}
    ended = await api.client().post("https://manager.example.com/api/logout", headers=headers)
    assert ended.headers.get_list("set-cookie")[0].startswith("__Host-PLATFORM_SESSION=; Max-Age=0")
    assert await status("__Host-PLATFORM_SESSION") == 401


@pytest.mark.parametrize("question", ["header", "query", "body", "escaped", "identifier"])
async def test_a_cached_response_is_never_given_to_those_who_may_not_ask_for_it(api: Api, question: str) -> None:
    ann, bob = await api.add_user("ann", "Desk"), await api.add_user("bob", "Desk")
    secret = {"file": "system.json", "contents": {"build": "of ann"}, "user": "ann"}
    assert (await api.admin.post("/admin/configs", json=secret)).status_code == 201

    async def ask(client: httpx.AsyncClient) -> httpx.Response:
        path = "/systemConfig/get"
        json = {"content-type": "application/json"}
        match question:
            case "header":
                return await client.post(path, headers={"impersonated_user": "ann"})
            case "query":
                return await client.get(path, params={"user": "ann"})
            case "body":
                return await client.post(path, json={"impersonation": {"user": "ann"}})
            case "escaped":
                return await client.post(path, content=b'{"us\\u0065r": "ann"}', headers=json)
            case _:
                return await client.post(path, json={"identifier": '{"user": "ann"}'})

    for _ in range(3):
        assert (await ask(ann)).json()["system.json"]["contents"] == {"build": "of ann"}
        assert (await ask(bob)).status_code == 403


async def test_a_user_without_files_of_their_own_is_not_impersonated_from_the_cache_either(api: Api) -> None:
    ann, bob = await api.add_user("ann", "Desk"), await api.add_user("bob", "Desk")
    await api.admin.post("/admin/configs", json={"file": "system.json", "contents": {"build": "x"}})

    for _ in range(3):
        for method in ("GET", "POST"):
            headers = {"impersonated_user": "ann"}
            assert (await ann.request(method, "/systemConfig/get", headers=headers)).status_code == 200
            assert (await bob.request(method, "/systemConfig/get", headers=headers)).status_code == 403

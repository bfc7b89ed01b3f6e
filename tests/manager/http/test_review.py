"""What a reviewer found: each stays corrected."""

import httpx
import pytest

from tests.conftest import ADMIN, Api


async def session(client: httpx.AsyncClient) -> tuple[str, str]:
    opened = (await client.post("/sessions", json={"machine": {"name": "PC"}})).json()
    return opened["id"], opened["token"]


def bearer(api: Api, token: str) -> httpx.AsyncClient:
    return api.client(headers={"Authorization": f"Bearer {token}"})


async def test_signing_out_ends_every_token_made_from_the_sign_in_and_the_session(api: Api) -> None:
    session_id, token = await session(api.admin)
    refreshed = (await bearer(api, token).post("/token/refresh")).json()["token"]
    assert (await bearer(api, refreshed).get("/me")).status_code == 200

    assert (await bearer(api, token).post("/logout")).status_code == 204

    assert (await bearer(api, token).get("/me")).status_code == 401
    assert (await bearer(api, refreshed).get("/me")).status_code == 401
    assert (await api.admin.get(f"/admin/sessions/{session_id}")).json()["ended"] is not None


async def test_a_token_made_with_the_cookie_ends_with_it(api: Api) -> None:
    cookie = dict((await api.admin.get("/me")).cookies)
    page = api.client(cookies=cookie, headers={"Origin": "http://manager.example.com"})
    token = (await page.post("/token/refresh")).json()["token"]
    assert (await bearer(api, token).get("/me")).status_code == 200

    await page.post("/logout")

    assert (await bearer(api, token).get("/me")).status_code == 401


async def test_a_new_password_ends_the_client_sessions_for_administrators_to_see(api: Api) -> None:
    ann = await api.add_user("ann")
    session_id, _ = await session(ann)

    await api.admin.patch("/admin/users/ann", json={"password": "another one"})

    assert (await api.admin.get(f"/admin/sessions/{session_id}")).json()["active"] is False


async def test_programs_and_code_run_only_on_sessions_of_people_without_more_rights(api: Api) -> None:
    support = await api.add_user("support", "PLATFORM_MANAGER:COMMANDS:WRITE")
    ann = await api.add_user("ann")
    running = ("ExecuteCode", "StartApps", "RestoreLayout", "executecode", "OwnCommand")
    harmless = ("GetSystemInfo", "Restart", "Shutdown", "Refresh")
    body = {"commands": [*running, *harmless]}
    admins, anns = [(await one.post("/sessions", json=body)).json()["id"] for one in (api.admin, ann)]

    async def send(session_id: str, command: str) -> int:
        return (await support.post("/admin/commands", json={"session": session_id, "command": command})).status_code

    for command in running:
        assert (await send(admins, command), await send(anns, command)) == (403, 201), command
    for command in harmless:
        assert await send(admins, command) == 201, command


async def test_head_is_answered_like_get_without_the_body(api: Api) -> None:
    read, head = await api.admin.get("/apps"), await api.admin.head("/apps")

    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == read.headers["etag"]


async def test_an_import_is_never_answered_as_nothing_new(api: Api) -> None:
    definition = {"name": "a", "type": "window", "details": {"url": "https://apps.example.com"}}

    answer = await api.admin.post(
        "/admin/imports/apps", json={"applications": [definition]}, headers={"If-None-Match": "*"}
    )

    assert answer.status_code == 200


async def test_a_change_of_nothing_looks_at_the_revision_too(api: Api) -> None:
    made = await api.admin.post("/admin/prefs", json={"user": "admin", "app": "a", "data": 1})

    stale = await api.admin.patch(f"/admin/prefs/{made.json()['id']}", json={}, headers={"If-Match": '"0"'})

    assert stale.status_code == 412


async def test_what_was_read_can_be_sent_as_a_change(api: Api) -> None:
    await api.add_user("ann", "Desk")

    for address in ("/admin/users/ann", "/admin/groups/Desk"):
        read = (await api.admin.get(address)).json()
        assert (await api.admin.patch(address, json=read)).status_code == 200


async def test_files_may_be_requested_without_their_extension_but_not_by_a_path(api: Api) -> None:
    await api.admin.post("/admin/configs", json={"file": "system.json", "contents": {"a": 1}})

    named = await api.admin.post("/systemConfig/get", json={"configs": "system"})
    wrong = await api.admin.post("/systemConfig/get", json={"configs": "../../x,system.json"})

    assert named.json() == {"system.json": {"contents": {"a": 1}}}
    assert wrong.status_code == 400
    assert wrong.json()["error"]["details"][0]["path"] == "configs"


@pytest.mark.parametrize(
    ("path", "body", "place"),
    [
        ("/admin/users", {"id": "ann", "groups": ["Desk", "PLATFORM_MANAGER:APP:WRITE"]}, "groups[1]"),
        ("/admin/groups", {"name": "PLATFORM_SERVER_ADMINS"}, "name[0]"),
        ("/admin/groups", {"name": "Desk", "expandsTo": ["PLATFORM_MANAGER:APPS:WRIT"]}, "expandsTo[0]"),
    ],
)
async def test_a_misspelt_permission_is_found(api: Api, path: str, body: dict[str, object], place: str) -> None:
    refused = await api.admin.post(path, json=body)

    assert refused.status_code == 400
    assert refused.json()["error"]["details"][0]["path"] == place
    assert "did you mean PLATFORM_" in refused.json()["error"]["details"][0]["message"]


async def test_removing_many_layouts_is_bounded(api: Api) -> None:
    refused = await api.admin.request("DELETE", "/layouts", json={"ids": ["a (Global)"] * 501})

    assert refused.status_code == 400


async def test_anyone_who_gets_the_id_of_a_deleted_user_finds_nothing_of_theirs(api: Api) -> None:
    ann = await api.add_user("ann")
    await ann.post("/layouts", json={"layout": {"name": "Mine", "type": "Global", "components": []}})
    await api.admin.delete("/admin/users/ann")

    again = await api.add_user("ann")

    assert (await again.get("/layouts")).json() == {"layouts": []}


@pytest.mark.parametrize("address", ["/feedback", "/crashes"])
async def test_a_form_in_an_encoding_that_gives_half_characters_is_refused(api: Api, address: str) -> None:
    body = (
        b'--x\r\nContent-Disposition: form-data; name="description"\r\n'
        b"Content-Type: text/plain; charset=unicode_escape\r\n\r\n\\ud800\r\n--x--\r\n"
    )

    refused = await api.client(ADMIN).post(
        address, content=body, headers={"Content-Type": "multipart/form-data; boundary=x"}
    )

    assert refused.status_code == 400

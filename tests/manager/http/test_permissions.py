from typing import Any

import httpx
import pytest

from tests.conftest import ADMIN, Api

ADMIN_GROUP = "PLATFORM_SERVER_ADMIN"

PERMISSIONS = {
    "apps": "APPS",
    "layouts": "LAYOUTS",
    "prefs": "PREFERENCES",
    "configs": "SYSTEM_CONFIGS",
    "crashes": "CRASHES",
    "feedback": "FEEDBACKS",
    "sessions": "SESSIONS",
    "commands": "COMMANDS",
    "machines": "MACHINES",
    "users": "USERS",
    "groups": "GROUPS",
    "audit": "AUDITS",
}
"""What the part of an address after /admin/ is called in the names of permission groups."""

APP = {"name": "blotter", "type": "window", "title": "Blotter", "details": {"url": "https://blotter.example.com"}}
LAYOUT = {"name": "Morning", "type": "Workspace", "components": [{"type": "Workspace", "state": {"children": []}}]}
BODIES: dict[str, Any] = {
    "AppEntry": {"definition": APP},
    "AppChange": {"public": True},
    "NewDirectory": {"user": "admin"},
    "AppImport": {"applications": [APP]},
    "LayoutEntry": {"definition": LAYOUT},
    "LayoutChange": {"public": True},
    "LayoutImport": {"layouts": [LAYOUT]},
    "NewPreference": {"user": "admin", "app": "blotter", "data": {}},
    "PreferenceDocument": {"data": {}},
    "PreferenceChange": {"data": {}},
    "ConfigDocument": {"file": "system.json", "contents": {}},
    "ConfigChange": {"contents": {}},
    "PreviewRequest": {"changes": [{"action": "delete", "key": "x"}]},
    "Review": {"reviewed": True},
    "NewCommand": {"session": "x", "command": "SendFeedback"},
    "NewCommandRun": {"key": "k", "command": "Restart", "target": {"filter": {}}},
    "CommandRunRequest": {"command": "Restart", "target": {"filter": {}}},
    "NewRollout": {"key": "x", "content": {}, "stages": [{"percent": 10}]},
    "RolloutPlan": {"key": "x", "stages": [{"percent": 10}]},
    "NewUser": {"id": "x"},
    "UserDocument": {},
    "UserChange": {},
    "UserSignOut": {},
    "NewGroup": {"name": "x"},
    "GroupDocument": {},
    "GroupChange": {},
    "RollBack": {"revision": "2999-12-31T00:00:00Z"},
    "RollBackAll": {"revision": "2999-12-31T00:00:00Z"},
}
"""A body that is fine, for each kind of body that an admin operation takes."""


def group(resource: str, kind: str) -> str:
    return f"PLATFORM_MANAGER:{PERMISSIONS[resource]}:{kind}"


async def test_a_permission_may_come_from_a_group_that_inherits_from_it(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "Operators", "expandsTo": ["Desk"]})
    await api.admin.patch("/admin/groups/Desk", json={"expandsTo": [group("apps", "WRITE")]})
    user = await api.add_user("ann", "Operators")

    assert (await user.post("/admin/apps", json={"definition": APP})).status_code == 201


class TestUsersWrite:
    """Anyone who may write users must not become more than that by it."""

    @pytest.fixture
    async def clerk(self, api: Api) -> httpx.AsyncClient:
        return await api.add_user("clerk", group("users", "WRITE"))

    async def test_may_do_the_daily_work(self, api: Api, clerk: httpx.AsyncClient) -> None:
        made = await clerk.post("/admin/users", json={"id": "bob", "password": "bob-password", "groups": ["Desk"]})
        given = await clerk.patch("/admin/users/bob", json={"groups": ["Floor", group("users", "READ")]})
        password = await clerk.patch("/admin/users/bob", json={"password": "another-password"})
        gone = await clerk.delete("/admin/users/bob")

        assert [answer.status_code for answer in (made, given, password, gone)] == [201, 200, 200, 204]

    async def test_gives_no_right_they_lack(self, api: Api, clerk: httpx.AsyncClient) -> None:
        await api.add_user("bob", "Desk")
        await api.admin.post("/admin/groups", json={"name": "Hidden", "expandsTo": ["Deeper"]})
        await api.admin.patch("/admin/groups/Deeper", json={"expandsTo": [ADMIN_GROUP]})
        for name in (ADMIN_GROUP, group("apps", "READ"), group("groups", "WRITE"), "Hidden", "Deeper"):
            answers = [
                await clerk.post("/admin/users", json={"id": "eve", "password": "eve-password", "groups": [name]}),
                await clerk.patch("/admin/users/bob", json={"groups": ["Desk", name]}),
                await clerk.put("/admin/users/bob", json={"groups": [name]}),
                await clerk.patch("/admin/users/clerk", json={"groups": [group("users", "WRITE"), name]}),
                await clerk.put("/admin/users/clerk", json={"groups": [group("users", "WRITE"), name]}),
            ]
            assert [answer.status_code for answer in answers] == [403] * 5, name

        users = (await api.admin.get("/admin/users")).json()["items"]
        assert {user["id"]: user["groups"] for user in users} == {
            "admin": [ADMIN_GROUP],
            "bob": ["Desk"],
            "clerk": [group("users", "WRITE")],
        }

    async def test_takes_no_right_they_lack_and_touches_nobody_above(self, api: Api, clerk: httpx.AsyncClient) -> None:
        await api.admin.post("/admin/groups", json={"name": "Bosses", "expandsTo": [ADMIN_GROUP]})
        await api.add_user("boss", "Bosses")
        await api.add_user("bob", group("apps", "READ"))
        for user in ("admin", "boss", "bob"):
            before = (await api.admin.get(f"/admin/users/{user}")).json()
            answers = [
                await clerk.patch(f"/admin/users/{user}", json={"groups": []}),
                await clerk.put(f"/admin/users/{user}", json={}),
                await clerk.patch(f"/admin/users/{user}", json={"password": "taken over"}),
                await clerk.patch(f"/admin/users/{user}", json={"password": None}),
                await clerk.patch(f"/admin/users/{user}", json={"disabled": True}),
                await clerk.patch(f"/admin/users/{user}", json={"email": "clerk@example.com"}),
                await clerk.delete(f"/admin/users/{user}"),
            ]
            assert [answer.status_code for answer in answers] == [403] * 7
            assert (await api.admin.get(f"/admin/users/{user}")).json() == before
            assert (await api.client((user, "taken over")).get("/me")).status_code == 401


class TestGroupsWrite:
    """Anyone who may write groups must not become more than that by it."""

    @pytest.fixture
    async def clerk(self, api: Api) -> httpx.AsyncClient:
        return await api.add_user("clerk", "Desk", group("groups", "WRITE"))

    async def test_may_do_the_daily_work(self, clerk: httpx.AsyncClient) -> None:
        made = await clerk.post("/admin/groups", json={"name": "Floor", "expandsTo": ["Desk"]})
        changed = await clerk.patch("/admin/groups/Desk", json={"expandsTo": ["House"], "priority": 3})
        gone = await clerk.delete("/admin/groups/Floor")

        assert [answer.status_code for answer in (made, changed, gone)] == [201, 200, 204]

    async def test_makes_no_group_that_inherits_from_rights_they_lack(self, api: Api, clerk: httpx.AsyncClient) -> None:
        await api.admin.post("/admin/groups", json={"name": "Bosses", "expandsTo": [ADMIN_GROUP]})
        await api.admin.post("/admin/groups", json={"name": "Readers", "expandsTo": [group("apps", "READ")]})
        for name in (ADMIN_GROUP, "Bosses", "Readers", group("users", "READ"), group("apps", "WRITE")):
            answers = [
                await clerk.post("/admin/groups", json={"name": "New", "expandsTo": [name]}),
                await clerk.patch("/admin/groups/Desk", json={"expandsTo": [name]}),
                await clerk.put("/admin/groups/Desk", json={"expandsTo": ["House", name]}),
                await clerk.patch(f"/admin/groups/{group('groups', 'WRITE')}", json={"expandsTo": [name]}),
            ]
            assert [answer.status_code for answer in answers] == [403] * 4, name

        assert (await clerk.get("/me")).json()["permissions"] == [group("groups", "READ"), group("groups", "WRITE")]

    async def test_cannot_get_there_in_two_steps(self, api: Api, clerk: httpx.AsyncClient) -> None:
        assert (await clerk.patch("/admin/groups/Desk", json={"expandsTo": ["Later"]})).status_code == 200
        assert (await clerk.patch("/admin/groups/Later", json={"expandsTo": [ADMIN_GROUP]})).status_code == 403
        assert (await clerk.delete("/admin/groups/Later")).status_code == 204
        again = await clerk.post("/admin/groups", json={"name": "Later", "expandsTo": [ADMIN_GROUP]})
        assert again.status_code == 403

    async def test_cannot_take_rights_from_those_who_have_them(self, api: Api, clerk: httpx.AsyncClient) -> None:
        await api.admin.post("/admin/groups", json={"name": "Bosses", "expandsTo": [ADMIN_GROUP]})
        await api.admin.post("/admin/groups", json={"name": "Readers", "expandsTo": [group("apps", "READ")]})
        await api.add_user("bob", "Readers", group("apps", "WRITE"))
        for name in ("Bosses", "Readers", ADMIN_GROUP, group("apps", "WRITE")):
            answers = [
                await clerk.patch(f"/admin/groups/{name}", json={"expandsTo": []}),
                await clerk.put(f"/admin/groups/{name}", json={}),
                await clerk.delete(f"/admin/groups/{name}"),
            ]
            assert {answer.status_code for answer in answers} <= {403, 409}, name

        names = {each["name"] for each in (await api.admin.get("/admin/groups")).json()["items"]}
        assert {"Bosses", "Readers", ADMIN_GROUP, group("apps", "WRITE")} <= names
        assert (await api.client(("bob", "bob-password")).get("/admin/apps")).status_code == 200

    async def test_makes_no_group_under_the_name_of_a_permission(self, api: Api, clerk: httpx.AsyncClient) -> None:
        for name in (group("users", "WRITE"), group("groups", "WRITE"), "PLATFORM_MANAGER:LATER:WRITE", ADMIN_GROUP):
            answer = await clerk.post("/admin/groups", json={"name": name})
            assert answer.status_code in (400, 403, 409), name


@pytest.mark.rule("R-1-13", "R-5-6")
async def test_the_admin_group_can_be_given_to_others_and_works_at_once(api: Api) -> None:
    user = await api.add_user("ann")
    assert (await user.get("/admin/users")).status_code == 403

    await api.admin.patch("/admin/users/ann", json={"groups": [ADMIN_GROUP]})

    assert (await user.get("/admin/users")).status_code == 200
    given = await user.post("/admin/users", json={"id": "bob", "password": "bob-password", "groups": [ADMIN_GROUP]})
    assert given.status_code == 201
    assert (await user.patch("/admin/users/admin", json={"groups": []})).status_code == 200
    assert (await api.admin.get("/admin/users")).status_code == 403


async def test_users_cannot_lock_themselves_out(api: Api) -> None:
    answers = [
        await api.admin.delete("/admin/users/admin"),
        await api.admin.patch("/admin/users/admin", json={"disabled": True}),
        await api.admin.patch("/admin/users/admin", json={"groups": []}),
        await api.admin.patch("/admin/users/admin", json={"groups": ["Desk", group("users", "WRITE")]}),
        await api.admin.put("/admin/users/admin", json={}),
        await api.admin.put("/admin/users/admin", json={"groups": [ADMIN_GROUP], "disabled": True}),
        await api.admin.delete(f"/admin/groups/{ADMIN_GROUP}"),
    ]

    assert [answer.status_code for answer in answers] == [409] * 7
    assert (await api.admin.get("/me")).json()["groups"] == [ADMIN_GROUP]


async def test_a_user_writer_cannot_shut_themselves_out_either(api: Api) -> None:
    clerk = await api.add_user("clerk", group("users", "WRITE"))

    assert (await clerk.delete("/admin/users/clerk")).status_code == 409
    assert (await clerk.patch("/admin/users/clerk", json={"disabled": True})).status_code == 409


async def test_an_administrator_can_change_themselves_otherwise(api: Api) -> None:
    answer = await api.admin.patch("/admin/users/admin", json={"email": "root@example.com", "password": "new password"})

    assert answer.status_code == 200
    assert (await api.client((ADMIN[0], "new password")).get("/me")).status_code == 200


async def test_a_user_may_read_and_answer_only_their_own_commands(api: Api) -> None:
    user = await api.add_user("ann")
    await api.add_user("bob")
    opened = (await user.post("/sessions", json={"commands": ["SendFeedback"]})).json()["id"]
    sent = await api.admin.post("/admin/commands", json={"session": opened, "command": "SendFeedback"})
    command = sent.json()["items"][0]["id"]
    other = api.client(("bob", "bob-password"))

    for client, expected in ((other, 404), (api.admin, 404), (user, 200)):
        assert (await client.get(f"/sessions/{opened}/commands")).status_code == expected
    answer = await other.post(f"/sessions/{opened}/commands/{command}/result", json={"status": "done"})
    assert answer.status_code == 404

from urllib.parse import quote

import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users
from tests.conftest import ADMIN, Api, manager_config, running_api


@pytest.mark.rule("R-2.1-3")
async def test_a_user_is_made_with_everything_but_the_password_in_the_answer(api: Api) -> None:
    body = {"id": "ann", "password": "secret-1", "email": "ann@example.com", "groups": ["b", "a"], "apps": ["x"]}

    answer = await api.admin.post("/admin/users", json=body)

    assert answer.status_code == 201
    assert answer.headers["Location"] == "/api/admin/users/ann"
    made = answer.json()
    stamp = {
        "revision": made["revision"],
        "created": "2026-01-01T00:00:00Z",
        "createdBy": "admin",
        "modified": "2026-01-01T00:00:00Z",
        "modifiedBy": "admin",
    }
    assert made == {
        "id": "ann",
        "displayName": None,
        "email": "ann@example.com",
        "groups": ["a", "b"],
        "apps": ["x"],
        "layouts": [],
        "disabled": False,
        "disabledSince": None,
        "service": False,
        "lastSeen": None,
        **stamp,
    }
    read = await api.admin.get("/admin/users/ann")
    assert read.json() == made
    assert read.headers["ETag"] == answer.headers["ETag"]


async def test_a_user_without_a_password_cannot_sign_in(api: Api) -> None:
    await api.admin.post("/admin/users", json={"id": "ann"})

    assert (await api.client(("ann", "")).get("/me")).status_code == 401
    assert (await api.client(("ann", "None")).get("/me")).status_code == 401


async def test_a_location_leads_to_the_user_whatever_the_id_holds(api: Api) -> None:
    for user in ("a/b", "Zoë Müller", "100%", "a?b#c", "+;,@"):
        made = await api.admin.post("/admin/users", json={"id": user})

        read = await api.client(("admin", "admin-password")).get(
            f"http://manager.example.com{made.headers['Location']}"
        )

        assert read.json()["id"] == user


async def test_a_second_user_with_the_same_id_is_refused(api: Api) -> None:
    await api.add_user("ann", email="first@example.com")

    answer = await api.admin.post("/admin/users", json={"id": "ann", "email": "second@example.com"})

    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == 409
    assert (await api.admin.get("/admin/users/ann")).json()["email"] == "first@example.com"


async def test_every_problem_of_a_user_is_reported_at_once_with_its_path(api: Api) -> None:
    body = {"id": "a:b", "email": "nobody", "groups": ["", 7], "grups": [], "disabled": "perhaps", "password": ""}

    answer = await api.admin.post("/admin/users", json=body)

    assert answer.status_code == 400
    paths = {detail["path"] for detail in answer.json()["error"]["details"]}
    assert paths == {"id", "email", "groups[0]", "groups[1]", "grups", "disabled", "password"}


async def test_ids_that_could_be_mistaken_are_refused(api: Api) -> None:
    for user in ("", "*", "a:b", "a(b", "a\nb", "x" * 257, None, 7):
        answer = await api.admin.post("/admin/users", json={"id": user})

        assert answer.status_code == 400
        assert [detail["path"] for detail in answer.json()["error"]["details"]] == ["id"]


@pytest.mark.parametrize(
    "user_id",
    ["admin ", " admin", "ad\u200bmin", "\u0430dmin", "ａｄｍｉｎ", "ann\u00a0lee", "ann  lee", "admin\u202e"],
    ids=ascii,
)
async def test_ids_that_hide_something_are_refused(api: Api, user_id: str) -> None:
    answer = await api.admin.post("/admin/users", json={"id": user_id})

    assert answer.status_code == 400
    assert [detail["path"] for detail in answer.json()["error"]["details"]] == ["id"]


@pytest.mark.parametrize(
    ("stored", "similar"),
    [
        ("alice", "ALICE"),
        ("cop", "\u0441\u043e\u0440"),
        ("straße", "STRASSE"),
        ("ADMIN", "admin"),
        ("ann-lee", "ann\u2010lee"),
    ],
    ids=ascii,
)
async def test_an_id_that_looks_like_an_existing_one_is_refused(api: Api, stored: str, similar: str) -> None:
    if stored != "ADMIN":
        assert (await api.admin.post("/admin/users", json={"id": stored})).status_code == 201

    answer = await api.admin.post("/admin/users", json={"id": similar if stored != "ADMIN" else stored})

    assert answer.status_code == 409
    assert "too similar to the existing user ID" in answer.json()["error"]["message"]


async def test_similar_users_that_are_stored_already_keep_working(api: Api) -> None:
    manager = api.app._manager
    hashed = {user: await manager.passwords.hash(f"{user} long password") for user in ("alice", "ALICE", "alice ")}
    async with manager.storage.write("older version") as work:
        for user, password_hash in hashed.items():
            await work.of(Users).add(
                User(id=user, password_hash=password_hash, epoch=work.revision, stamp=work.stamp())
            )

    for user in hashed:
        me = await api.client((user, f"{user} long password")).get("/me")
        assert (me.status_code, me.json()["id"]) == (200, user)
        changed = await api.admin.patch(f"/admin/users/{quote(user)}", json={"email": "a@b.c"})
        assert changed.status_code == 200
    refused = await api.admin.post("/admin/users", json={"id": "Alice"})
    assert refused.status_code == 409
    assert "too similar to the existing user ID 'ALICE'" in refused.json()["error"]["message"]


async def test_an_id_that_is_free_again_can_be_given_in_another_spelling(api: Api) -> None:
    await api.add_user("alice")
    assert (await api.admin.post("/admin/users", json={"id": "Alice"})).status_code == 409
    assert (await api.admin.delete("/admin/users/alice")).status_code == 204
    assert (await api.admin.post("/admin/users", json={"id": "Alice"})).status_code == 201
    # Nor does the history bring the first one back beside it.
    restored = await api.admin.post("/admin/users/alice/rollback", json={"revision": 2})
    assert restored.status_code in (404, 409)


@pytest.mark.parametrize("password", ["1", "short", "1234567", "password", "PASSWORD", "1q2w3e4r", "iloveyou"])
async def test_a_weak_password_is_refused_wherever_one_is_set(api: Api, password: str) -> None:
    ann = await api.add_user("ann")
    answers = [
        await api.admin.post("/admin/users", json={"id": "bob", "password": password}),
        await api.admin.patch("/admin/users/ann", json={"password": password}),
        await api.admin.put("/admin/users/ann", json={"password": password}),
        await ann.put("/me/password", json={"current": "ann-password", "new": password}),
    ]

    assert [answer.status_code for answer in answers] == [400] * 4
    paths = [detail["path"] for answer in answers for detail in answer.json()["error"]["details"]]
    assert paths == ["password", "password", "password", "new"]
    assert (await api.admin.get("/admin/users/bob")).status_code == 404
    assert (await api.client(("ann", "ann-password")).get("/me")).status_code == 200


async def test_the_rules_for_passwords_are_settings(sqlite: str, clock: SettableClock) -> None:
    members = {"predefinedUsers": [":".join(ADMIN)], "passwordMinLength": 4, "passwordRefuseCommon": False}
    async with running_api(manager_config(sqlite, auth_basic=members), clock) as api:
        assert (await api.admin.post("/admin/users", json={"id": "bob", "password": "abc"})).status_code == 400
        assert (await api.admin.post("/admin/users", json={"id": "bob", "password": "1234"})).status_code == 201


async def test_a_user_that_was_read_can_be_changed_and_sent_back(api: Api, clock: SettableClock) -> None:
    await api.add_user("ann", "Desk", email="ann@example.com", apps=["blotter"])
    read = await api.admin.get("/admin/users/ann")
    body = read.json()
    body["groups"].append("Floor")
    clock.advance(60)

    answer = await api.admin.put("/admin/users/ann", json=body, headers={"If-Match": read.headers["ETag"]})

    assert answer.status_code == 200
    assert answer.json() == {**body, "revision": answer.json()["revision"], "modified": "2026-01-01T00:01:00Z"}
    assert answer.json()["revision"] > body["revision"]
    assert answer.headers["ETag"] != read.headers["ETag"]
    assert (await api.client(("ann", "ann-password")).get("/me")).status_code == 200


async def test_replacing_a_user_sets_what_was_left_out_to_nothing(api: Api) -> None:
    await api.add_user("ann", "Desk", email="ann@example.com", apps=["blotter"])

    replaced = (await api.admin.put("/admin/users/ann", json={})).json()

    assert (replaced["email"], replaced["groups"], replaced["apps"]) == (None, [], [])


async def test_changing_a_user_touches_only_what_was_sent(api: Api) -> None:
    await api.add_user("ann", "Desk", email="ann@example.com", apps=["blotter"])

    changed = (await api.admin.patch("/admin/users/ann", json={"apps": ["news"], "email": None})).json()

    assert (changed["email"], changed["groups"], changed["apps"]) == (None, ["Desk"], ["news"])


async def test_an_id_cannot_change(api: Api) -> None:
    await api.add_user("ann")

    replaced = await api.admin.put("/admin/users/ann", json={"id": "bob"})
    changed = await api.admin.patch("/admin/users/ann", json={"id": "bob"})

    for answer in (replaced, changed):
        assert answer.status_code == 400
        assert answer.json()["error"]["details"][0]["path"] == "id"


async def test_a_new_password_counts_at_once(api: Api) -> None:
    user = await api.add_user("ann")
    assert (await user.get("/me")).status_code == 200

    await api.admin.patch("/admin/users/ann", json={"password": "another: with a colon"})

    assert (await user.get("/me")).status_code == 401
    assert (await api.client(("ann", "another: with a colon")).get("/me")).status_code == 200


async def test_disabling_a_user_ends_their_sessions_and_locks_them_out(api: Api) -> None:
    user = await api.add_user("ann")
    session = (await user.post("/sessions", json={})).json()["id"]

    await api.admin.patch("/admin/users/ann", json={"disabled": True})

    assert (await user.get("/me")).status_code == 401
    assert (await api.admin.get(f"/admin/sessions/{session}")).json()["ended"] is not None
    await api.admin.patch("/admin/users/ann", json={"disabled": False})
    assert (await user.get("/me")).status_code == 200


async def test_deleting_a_user_takes_preferences_and_own_configuration_and_layouts(api: Api) -> None:
    user = await api.add_user("ann")
    await user.post("/prefs", json={"app": "blotter", "data": 1})
    await user.post("/layouts", json={"layout": {"name": "Mine", "type": "Global", "components": []}})
    await api.admin.post("/admin/configs", json={"file": "system.json", "contents": {"a": 1}, "user": "ann"})

    assert (await api.admin.delete("/admin/users/ann")).status_code == 204

    assert (await api.admin.get("/admin/users/ann")).status_code == 404
    assert (await user.get("/me")).status_code == 401
    assert (await api.admin.get("/admin/prefs")).json()["total"] == 0
    assert (await api.admin.get("/admin/configs")).json()["total"] == 0
    assert (await api.admin.get("/admin/layouts")).json()["total"] == 0
    assert (await api.admin.delete("/admin/users/ann")).status_code == 404


async def test_administrators_cannot_lock_themselves_out(api: Api) -> None:
    deleted = await api.admin.delete("/admin/users/admin")
    disabled = await api.admin.patch("/admin/users/admin", json={"disabled": True})
    stripped = await api.admin.patch("/admin/users/admin", json={"groups": []})

    assert [answer.status_code for answer in (deleted, disabled, stripped)] == [409, 409, 409]
    assert (await api.admin.get("/me")).json()["groups"] == ["PLATFORM_SERVER_ADMIN"]


async def test_reading_and_writing_need_their_own_permissions(api: Api) -> None:
    nobody = await api.add_user("nobody")
    reader = await api.add_user("reader", "PLATFORM_MANAGER:USERS:READ")
    writer = await api.add_user("writer", "PLATFORM_MANAGER:USERS:WRITE")

    assert (await nobody.get("/admin/users")).status_code == 403
    assert (await nobody.get("/admin/users/nobody")).status_code == 403
    assert (await reader.get("/admin/users")).status_code == 200
    assert (await reader.post("/admin/users", json={"id": "new"})).status_code == 403
    assert (await reader.delete("/admin/users/nobody")).status_code == 403
    assert (await writer.post("/admin/users", json={"id": "new"})).status_code == 201
    assert (await writer.get("/admin/users/new")).status_code == 200


async def test_users_cannot_grant_or_revoke_permissions_that_they_do_not_have(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "Hidden", "expandsTo": ["PLATFORM_SERVER_ADMIN"]})
    await api.add_user("victim", "PLATFORM_MANAGER:APPS:WRITE")
    writer = await api.add_user("writer", "PLATFORM_MANAGER:USERS:WRITE")

    answers = [
        await writer.post("/admin/users", json={"id": "new", "groups": ["PLATFORM_SERVER_ADMIN"]}),
        await writer.post("/admin/users", json={"id": "new", "groups": ["Hidden"]}),
        await writer.patch("/admin/users/writer", json={"groups": ["PLATFORM_MANAGER:APPS:READ"]}),
        await writer.patch("/admin/users/admin", json={"password": "stolen-password"}),
        await writer.patch("/admin/users/victim", json={"groups": []}),
        await writer.delete("/admin/users/admin"),
    ]

    assert [answer.status_code for answer in answers] == [403] * len(answers)


async def test_users_are_found_by_id_email_group_app_and_state(api: Api) -> None:
    await api.add_user("ann", "Desk", email="ann@example.com", apps=["blotter"])
    await api.add_user("bob", "Floor", disabled=True)

    async def found(**filters: str) -> list[str]:
        return [user["id"] for user in (await api.admin.get("/admin/users", params=filters)).json()["items"]]

    assert await found() == ["admin", "ann", "bob"]
    assert await found(group="Desk") == ["ann"]
    assert await found(app="blotter") == ["ann"]
    assert await found(disabled="true") == ["bob"]
    assert await found(email="*@EXAMPLE.com") == ["ann"]
    assert await found(q="example") == ["ann"]
    assert await found(group="Desk", disabled="true") == []


@pytest.mark.parametrize(
    ("body", "path", "words"),
    [
        ({"disabled": "no"}, "disabled", "must be true or false"),
        ({"disabled": 1}, "disabled", "must be true or false"),
        ({"groups": "Trading"}, "groups", "must be a list"),
        ({"gruops": []}, "gruops", 'did you mean "groups"?'),
        ({"email": "nobody"}, "email", "ann@example.com"),
    ],
)
async def test_bodies_are_read_strictly_and_the_mistake_is_reported_in_words(
    api: Api, body: dict[str, object], path: str, words: str
) -> None:
    refused = await api.admin.post("/admin/users", json={"id": "ann", **body})

    assert refused.status_code == 400
    assert [(detail["path"], words in detail["message"]) for detail in refused.json()["error"]["details"]] == [
        (path, True)
    ]


async def test_a_stale_write_cannot_bring_back_a_group_that_was_deleted(api: Api) -> None:
    await api.add_user("ann", "Desk")
    read = await api.admin.get("/admin/users/ann")
    await api.admin.delete("/admin/groups/Desk")

    refused = await api.admin.put("/admin/users/ann", json=read.json(), headers={"If-Match": read.headers["ETag"]})

    assert refused.status_code == 412
    assert (await api.admin.get("/admin/users/ann")).json()["groups"] == []

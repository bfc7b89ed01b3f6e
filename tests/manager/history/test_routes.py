"""Revisions, comparing and rolling back, as administrators see them."""

from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import ADMIN, Api

APP = {"name": "fx/rates ä", "type": "window", "details": {"url": "https://example.com/1"}}
ONE = "/admin/apps/fx%2Frates%20%C3%A4"


def app(number: int) -> dict[str, Any]:
    return {**APP, "details": {"url": f"https://example.com/{number}"}}


async def ok(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


async def three_revisions(api: Api) -> list[int]:
    """Make an app, and change it twice: the numbers of its revisions."""
    made = await ok(await api.admin.post("/admin/apps", json={"definition": app(1), "accessList": ["Desk"]}))
    changed = await ok(await api.admin.patch(ONE, json={"definition": app(2)}))
    again = await ok(await api.admin.patch(ONE, json={"public": True, "accessList": []}))
    return [made["revision"], changed["revision"], again["revision"]]


async def test_revisions_are_listed_newest_first_with_who_when_and_what(api: Api, clock: SettableClock) -> None:
    first, second, third = await three_revisions(api)

    page = await ok(await api.admin.get(f"{ONE}/revisions?limit=2"))
    assert page["total"] == 3
    assert page["items"] == [
        {
            "revision": third,
            "previous": second,
            "action": "changed",
            "at": clock.now().isoformat().replace("+00:00", "Z"),
            "actor": ADMIN[0],
            "operation": "changeApp",
            "comment": "",
            "ticket": "",
        },
        {**page["items"][0], "revision": second, "previous": first},
    ]
    (oldest,) = (await ok(await api.admin.get(f"{ONE}/revisions?limit=2&offset=2")))["items"]
    assert (oldest["action"], oldest["operation"], oldest["previous"]) == ("created", "createApp", None)
    assert (await api.admin.get("/admin/apps/none/revisions")).status_code == 404


async def test_a_document_is_read_as_of_a_revision_or_a_time(api: Api, clock: SettableClock) -> None:
    (before,) = (await ok(await api.admin.get("/admin/audit?limit=1&sort=-revision")))["items"]
    made = await ok(await api.admin.post("/admin/apps", json={"definition": app(1)}))
    clock.advance(60)
    other = await ok(await api.admin.post("/admin/groups", json={"name": "Other"}))
    clock.advance(60)
    await ok(await api.admin.patch(ONE, json={"definition": app(2)}))

    body = {"definition": app(1), "public": False, "accessList": [], "disabled": False}
    for point in (made["revision"], other["revision"], "2026-01-01T00:01:59Z", "2026-01-01T01:01:59+01:00"):
        found = await ok(await api.admin.get(f"{ONE}/revisions/{point}"))
        assert (found["kind"], found["id"], found["revision"]) == ("app", APP["name"], made["revision"])
        assert found["document"] == body
    assert (await ok(await api.admin.get(f"{ONE}/revisions/2026-01-01T00:02Z")))["document"]["definition"] == app(2)
    for point, words in (
        (before["revision"], "that existed at revision"),
        ("2025-12-31T23:59:59Z", "that existed at revision 0"),
        (10**6, "there is no revision"),
        (10**30, "there is no revision"),
        ("yesterday", "there is no revision"),
        ("2026-01-01T00:02:00", "there is no revision"),
    ):
        answer = await api.admin.get(f"{ONE}/revisions/{point}")
        assert answer.status_code == 404, point
        assert words in answer.json()["error"]["message"]


async def test_revisions_are_compared(api: Api) -> None:
    first, second, third = await three_revisions(api)

    newest = await ok(await api.admin.get(f"{ONE}/revisions/compare"))
    assert (newest["before"]["revision"], newest["after"]["revision"]) == (second, third)
    assert newest["diff"] == [
        {"op": "replace", "path": "/public", "before": False, "after": True},
        {"op": "remove", "path": "/accessList/0", "before": "Desk"},
    ]
    url = {"op": "replace", "path": "/definition/details/url"}
    some = await ok(await api.admin.get(f"{ONE}/revisions/compare?to={second}"))
    assert some["diff"] == [{**url, "before": "https://example.com/1", "after": "https://example.com/2"}]
    back = await ok(await api.admin.get(f"{ONE}/revisions/compare", params={"from": third, "to": first}))
    assert [(edit["op"], edit["path"]) for edit in back["diff"]] == [
        ("replace", "/definition/details/url"),
        ("replace", "/public"),
        ("add", "/accessList/0"),
    ]
    made = await ok(await api.admin.get(f"{ONE}/revisions/compare?to={first}"))
    assert made["before"] is None
    assert {edit["op"] for edit in made["diff"]} == {"add"}
    for params in ({"from": "10000"}, {"to": "soon"}, {"from": "-1"}):
        answer = await api.admin.get(f"{ONE}/revisions/compare", params=params)
        assert answer.status_code == 400
        assert [problem["path"] for problem in answer.json()["error"]["details"]] == list(params)


async def test_a_document_is_rolled_back_as_a_new_revision_unless_it_changed_since(api: Api) -> None:
    first, second, third = await three_revisions(api)
    was = (await ok(await api.admin.get(f"{ONE}/revisions/{first}")))["document"]

    stale = await api.admin.post(f"{ONE}/rollback", json={"revision": first}, headers={"If-Match": f'"{second}"'})
    assert stale.status_code == 412
    etag = (await api.admin.get(ONE)).headers["ETag"]
    answer = await api.admin.post(f"{ONE}/rollback", json={"revision": first}, headers={"If-Match": etag})
    done = await ok(answer)

    assert done["revision"] == third + 1
    assert (done["previous"], done["operation"], done["document"]) == (third, "rollBackApp", was)
    assert answer.headers["ETag"].startswith(f'"{third + 1}-')
    now = await ok(await api.admin.get(ONE))
    assert {name: now[name] for name in was} == was
    assert now["createdBy"] == ADMIN[0]
    same = await ok(await api.admin.get(f"{ONE}/revisions/compare", params={"from": first, "to": done["revision"]}))
    assert same["diff"] == []
    # Roll back again.
    await ok(await api.admin.post(f"{ONE}/rollback", json={"revision": third}))
    assert (await ok(await api.admin.get(ONE)))["public"] is True


async def test_a_deleted_document_comes_back(api: Api) -> None:
    first, _, third = await three_revisions(api)
    await api.admin.delete(ONE)
    deleted = (await ok(await api.admin.get(f"{ONE}/revisions")))["items"][0]
    assert (deleted["action"], deleted["previous"]) == ("deleted", third)
    assert (await ok(await api.admin.get(f"{ONE}/revisions/{deleted['revision']}")))["document"] is None

    refused = await api.admin.post(f"{ONE}/rollback", json={"revision": deleted["revision"]})
    assert refused.status_code == 409
    headers = {"If-Match": f'"{deleted["revision"]}"'}
    back = await ok(await api.admin.post(f"{ONE}/rollback", json={"revision": first}, headers=headers))

    assert (back["action"], back["document"]["definition"]) == ("created", app(1))
    assert (await ok(await api.admin.get(ONE)))["accessList"] == ["Desk"]
    # The history continues.
    assert (await ok(await api.admin.get(f"{ONE}/revisions")))["total"] == 5


WRONG_POINTS: list[tuple[Any, str]] = [
    (-1, "must be at least 0, not -1"),
    (10**30, f"must be at most {2**53}, not {10**30}"),
    (1.5, "must be a whole number, not 1.5"),
    (None, "must be a number or text, not null"),
    ([], "must be a number or text, not a list"),
    ("", "must not be empty"),
]


async def test_a_rollback_states_its_target(api: Api) -> None:
    await three_revisions(api)

    for revision, message in WRONG_POINTS:
        answer = await api.admin.post(f"{ONE}/rollback", json={"revision": revision})
        assert answer.status_code == 400
        assert answer.json()["error"]["details"] == [{"path": "revision", "message": message}]
    assert (await api.admin.post(f"{ONE}/rollback", json={})).status_code == 400


@pytest.mark.long
async def test_every_kind_of_document_comes_back_with_all_it_had(api: Api) -> None:
    admin = api.admin
    layout = {"name": "Morning", "type": "Global", "components": [], "token": "", "metadata": {"n": 1.5}}
    await ok(
        await admin.post(
            "/admin/users", json={"id": "ann", "password": "ann-password", "groups": ["Desk"], "apps": ["a"]}
        )
    )
    bodies: dict[str, Any] = {
        "apps": {"definition": APP, "public": True, "accessList": ["B", "A"], "disabled": True},
        "layouts": {"definition": layout, "owner": "ann", "accessList": ["A"], "default": True, "public": True},
        "prefs": {"user": "ann", "app": "x", "data": {"a": [1, 2.0, None]}},
        "configs": {"file": "system.json", "group": "Desk", "contents": {"a": {"b": 1}}},
        "users": {"id": "eve", "email": "e@example.com", "groups": ["Desk"], "apps": ["a"], "disabled": True},
        "groups": {"name": "House", "priority": 7, "expandsTo": ["Desk"]},
    }
    stamped = {"revision", "created", "createdBy", "modified", "modifiedBy"}
    for path, body in bodies.items():
        made = await ok(await admin.post(f"/admin/{path}", json=body))
        key = str(made.get("id", made.get("name"))).replace("/", "%2F")
        await ok(await admin.delete(f"/admin/{path}/{key}"))
        assert (await admin.get(f"/admin/{path}/{key}")).status_code == 404
        await ok(await admin.post(f"/admin/{path}/{key}/rollback", json={"revision": made["revision"]}))
        again = await ok(await admin.get(f"/admin/{path}/{key}"))
        assert {name: again[name] for name in again.keys() - stamped} == {
            name: made[name] for name in made.keys() - stamped
        }


async def test_a_password_is_in_no_revision_and_is_not_brought_back(api: Api) -> None:
    made = await ok(await api.admin.post("/admin/users", json={"id": "ann", "password": "first word"}))
    changed = await ok(await api.admin.patch("/admin/users/ann", json={"password": "second word"}))
    revisions = await api.admin.get("/admin/users/ann/revisions")
    texts = [(await api.admin.get(f"/admin/users/ann/revisions/{made['revision']}")).text, revisions.text]
    texts.append((await api.admin.get("/admin/audit")).text)
    assert not [text for text in texts if "word" in text.replace("password", "") or "argon2" in text]
    told = (await ok(await api.admin.get(f"/admin/audit?revision={changed['revision']}")))["items"][0]["changes"]
    secret = {"op": "replace", "path": "/password", "before": "(secret)", "after": "(secret)"}
    assert [(change["kind"], change["id"], change["diff"]) for change in told] == [("user", "ann", [secret])]

    # Rolled back, they keep the password they have; brought back, they have none.
    await ok(await api.admin.post("/admin/users/ann/rollback", json={"revision": made["revision"]}))
    assert (await api.client(("ann", "second word")).get("/me")).status_code == 200
    await api.admin.delete("/admin/users/ann")
    await ok(await api.admin.post("/admin/users/ann/rollback", json={"revision": made["revision"]}))
    for password in ("first word", "second word", ""):
        assert (await api.client(("ann", password)).get("/me")).status_code == 401
    await ok(await api.admin.patch("/admin/users/ann", json={"password": "third word"}))
    assert (await api.client(("ann", "third word")).get("/me")).status_code == 200


async def test_rolling_back_grants_no_permissions_that_the_caller_lacks(api: Api) -> None:
    admin_group = "PLATFORM_SERVER_ADMIN"
    rights = ["PLATFORM_MANAGER:USERS:WRITE", "PLATFORM_MANAGER:GROUPS:WRITE"]
    clerk = await api.add_user("clerk", *rights)
    made = await ok(await api.admin.post("/admin/users", json={"id": "ann", "groups": [admin_group]}))
    await ok(await api.admin.patch("/admin/users/ann", json={"groups": []}))
    grown = await ok(await api.admin.post("/admin/groups", json={"name": "Desk", "expandsTo": [admin_group]}))
    await ok(await api.admin.patch("/admin/groups/Desk", json={"expandsTo": []}))

    for url, revision in (
        ("/admin/users/ann/rollback", made["revision"]),
        ("/admin/groups/Desk/rollback", grown["revision"]),
        ("/admin/history/users/rollback", made["revision"]),
        ("/admin/history/groups/rollback", grown["revision"]),
    ):
        assert (await clerk.post(url, json={"revision": revision})).status_code == 403, url
    # Nor can an administrator end as none.
    assert (await api.admin.post("/admin/history/groups/rollback", json={"revision": 0})).status_code == 409
    assert (await api.admin.post("/admin/history/users/rollback", json={"revision": 0})).status_code == 409


async def test_all_documents_of_a_kind_go_back_at_once(api: Api) -> None:
    admin = api.admin
    ids = {}
    for name in ("A", "B", "C"):
        body = {"definition": {"name": name, "type": "Global", "components": []}, "owner": "*"}
        ids[name] = (await ok(await admin.post("/admin/layouts", json=body)))["id"]
    then = (await ok(await admin.get("/admin/layouts")))["items"]
    revision = then[-1]["revision"] if then[-1]["name"] == "C" else max(item["revision"] for item in then)

    # A and B change names with each other, C goes, D comes.
    for name, new in (("A", "X"), ("B", "A"), ("A", "B")):
        definition = {"name": new, "type": "Global", "components": []}
        await ok(await admin.patch(f"/admin/layouts/{ids[name]}", json={"definition": definition}))
    await admin.delete(f"/admin/layouts/{ids['C']}")
    body = {"definition": {"name": "D", "type": "Global", "components": []}, "owner": "*"}
    new_one = (await ok(await admin.post("/admin/layouts", json=body)))["id"]
    now = (await admin.get("/admin/layouts")).json()

    plan = await ok(await admin.post("/admin/history/layouts/rollback", json={"revision": revision, "dryRun": True}))
    assert {change["id"]: change["action"] for change in plan["changes"]} == {
        new_one: "deleted",
        ids["A"]: "changed",
        ids["B"]: "changed",
        ids["C"]: "created",
    }
    assert (plan["revision"], plan["changed"], plan["to"]) == (None, 4, revision)
    assert (await admin.get("/admin/layouts")).json() == now
    stale = {"If-Match": f'"{plan["newest"] - 1}"'}
    refused = await admin.post("/admin/history/layouts/rollback", json={"revision": revision}, headers=stale)
    assert refused.status_code == 412
    headers = {"If-Match": f'"{plan["newest"]}"'}
    done = await ok(await admin.post("/admin/history/layouts/rollback", json={"revision": revision}, headers=headers))

    assert done["revision"] == plan["newest"] + 1
    assert done["changes"] == plan["changes"]
    after = (await ok(await admin.get("/admin/layouts")))["items"]
    assert {(item["id"], item["name"]) for item in after} == {(item["id"], item["name"]) for item in then}
    # Four documents, one revision, one entry.
    entries = (await ok(await admin.get(f"/admin/audit?revision={done['revision']}")))["items"]
    assert [(entry["operation"], entry["changed"]) for entry in entries] == [("rollBackAllLayouts", 4)]
    for name in ids.values():
        assert (await ok(await admin.get(f"/admin/layouts/{name}/revisions")))["items"][0]["revision"] == (
            done["revision"]
        )


async def test_what_a_rollback_would_break_is_refused(api: Api) -> None:
    admin = api.admin
    await api.add_user("ann")
    definition = {"name": "A", "type": "Global", "components": []}
    mine = await ok(await admin.post("/admin/layouts", json={"definition": definition, "owner": "ann"}))
    await admin.delete("/admin/users/ann")
    gone = await admin.post(f"/admin/layouts/{mine['id']}/rollback", json={"revision": mine["revision"]})
    assert gone.status_code == 400
    assert "there is no user 'ann'" in gone.text

    first = await ok(await admin.post("/admin/configs", json={"file": "system.json", "contents": {"a": 1}}))
    await admin.delete(f"/admin/configs/{first['id']}")
    await ok(await admin.post("/admin/configs", json={"file": "system.json", "contents": {"a": 2}}))
    twin = await admin.post(f"/admin/configs/{first['id']}/rollback", json={"revision": first["revision"]})
    assert twin.status_code == 409
    # The whole set can: the other one did not exist then.
    await ok(await admin.post("/admin/history/configs/rollback", json={"revision": first["revision"]}))
    items = (await ok(await admin.get("/admin/configs")))["items"]
    assert [(item["id"], item["contents"]) for item in items] == [(first["id"], {"a": 1})]


async def test_consequences_for_other_documents_are_revisions_of_theirs(api: Api) -> None:
    admin = api.admin
    await api.add_user("ann", "Desk", apps=["blotter"])
    await ok(await admin.post("/admin/apps", json={"definition": {**APP, "name": "blotter"}, "accessList": ["Desk"]}))
    await ok(await admin.post("/admin/groups", json={"name": "House", "expandsTo": ["Desk"]}))

    await admin.delete("/admin/groups/Desk")
    (entry,) = (await ok(await admin.get("/admin/audit?limit=1")))["items"]
    assert [(change["kind"], change["id"], change["action"]) for change in entry["changes"]] == [
        ("group", "Desk", "deleted"),
        ("group", "House", "changed"),
        ("user", "ann", "changed"),
        ("app", "blotter", "changed"),
    ]
    for path in ("users/ann", "apps/blotter", "groups/House"):
        newest = (await ok(await admin.get(f"/admin/{path}/revisions")))["items"][0]
        assert (newest["revision"], newest["operation"]) == (entry["revision"], "deleteGroup")
        assert (await ok(await admin.get(f"/admin/{path}")))["revision"] == entry["revision"]
    found = (await ok(await admin.get("/admin/audit?kind=user&id=ann&operation=deleteGroup")))["items"]
    assert [item["number"] for item in found] == [entry["number"]]

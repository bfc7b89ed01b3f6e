from typing import Any

import pytest

from tests.conftest import Api


def definition(name: str, **members: Any) -> dict[str, Any]:
    return {"name": name, "type": "window", "details": {"url": f"https://{name}.example.com"}, **members}


async def names(client: Any) -> list[str]:
    return [app["name"] for app in (await client.get("/apps")).json()["applications"]]


async def test_an_app_is_made_read_changed_and_deleted(api: Api) -> None:
    made = await api.admin.post("/admin/apps", json={"definition": definition("blotter", title="Blotter")})
    assert made.status_code == 201
    assert made.headers["Location"] == "/api/admin/apps/blotter"
    assert made.headers["ETag"]
    assert made.json()["name"] == "blotter"
    assert (made.json()["public"], made.json()["accessList"], made.json()["disabled"]) == (False, [], False)

    assert (await api.admin.get("/admin/apps/blotter")).json() == made.json()
    changed = (await api.admin.patch("/admin/apps/blotter", json={"public": True})).json()
    assert changed["public"] is True
    assert changed["definition"] == made.json()["definition"]

    assert (await api.admin.delete("/admin/apps/blotter")).status_code == 204
    for method, body in (
        ("GET", None),
        ("PATCH", {}),
        ("PUT", {"definition": definition("blotter")}),
        ("DELETE", None),
    ):
        answer = await api.admin.request(method, "/admin/apps/blotter", json=body)
        assert answer.status_code == 404, method


async def test_an_app_that_was_read_can_be_changed_and_sent_back(api: Api) -> None:
    await api.admin.post("/admin/apps", json={"definition": definition("blotter"), "accessList": ["Desk"]})
    read = await api.admin.get("/admin/apps/blotter")
    body = {**read.json(), "public": True}

    answer = await api.admin.put("/admin/apps/blotter", json=body, headers={"If-Match": read.headers["ETag"]})

    assert answer.status_code == 200
    assert answer.json() == {**body, "revision": answer.json()["revision"]}


@pytest.mark.rule("R-2.5-1", "R-2.5-5")
async def test_a_definition_is_returned_unchanged_with_unknown_properties(api: Api) -> None:
    user = await api.add_user("ann")
    sent = definition(
        "blotter",
        type="WINDOW",
        customProperties={"a": [1, 2.5, None, True, {"é": '☃ \u2028 \\ "'}], "big": 123456789012345678901234567890},
        ourOwnThing={"nested": {"0": 1e-7}},
    )

    await api.admin.post("/admin/apps", json={"definition": sent, "public": True})

    assert (await user.get("/apps")).json() == {"applications": [sent]}
    assert (await api.admin.get("/admin/apps/blotter")).json()["definition"] == sent


@pytest.mark.long
async def test_every_way_to_see_an_app_and_no_other(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "Desk", "expandsTo": ["Floor"]})
    user = await api.add_user("ann", "Desk", apps=["given", "given-disabled"])
    other = await api.add_user("bob")
    for body in (
        {"definition": definition("public"), "public": True},
        {"definition": definition("given")},
        {"definition": definition("direct-group"), "accessList": ["Desk"]},
        {"definition": definition("nested-group"), "accessList": ["Other", "Floor"]},
        {"definition": definition("other-group"), "accessList": ["Other"]},
        {"definition": definition("nobody")},
        {"definition": definition("public-disabled"), "public": True, "disabled": True},
        {"definition": definition("given-disabled"), "disabled": True},
        {"definition": definition("group-disabled"), "accessList": ["Desk"], "disabled": True},
    ):
        assert (await api.admin.post("/admin/apps", json=body)).status_code == 201

    assert await names(user) == ["direct-group", "given", "nested-group", "public"]
    assert await names(other) == ["public"]
    assert await names(api.admin) == ["public"]


async def test_what_an_administrator_changes_counts_at_the_next_request(api: Api) -> None:
    user = await api.add_user("ann", "Desk")
    await api.admin.post("/admin/apps", json={"definition": definition("blotter"), "accessList": ["Desk"]})
    assert await names(user) == ["blotter"]

    await api.admin.patch("/admin/apps/blotter", json={"disabled": True})
    assert await names(user) == []
    await api.admin.patch("/admin/apps/blotter", json={"disabled": False})
    assert await names(user) == ["blotter"]
    await api.admin.patch("/admin/users/ann", json={"groups": []})
    assert await names(user) == []
    await api.admin.patch("/admin/users/ann", json={"apps": ["blotter"]})
    assert await names(user) == ["blotter"]


async def test_the_list_of_a_client_is_sent_again_only_when_it_changed(api: Api) -> None:
    user = await api.add_user("ann")
    await api.admin.post("/admin/apps", json={"definition": definition("blotter"), "public": True})
    for address in ("/apps", "/v2/apps", "/v2/apps/blotter"):
        tag = (await user.get(address)).headers["ETag"]

        same = await user.get(address, headers={"If-None-Match": f'"other", {tag}'})

        assert same.status_code == 304, address
        assert same.content == b""
        assert same.headers["ETag"] == tag
        assert (await user.get(address, headers={"If-None-Match": '"other"'})).status_code == 200
    tag = (await user.get("/apps")).headers["ETag"]
    await api.admin.patch("/admin/apps/blotter", json={"definition": definition("blotter", title="New")})
    assert (await user.get("/apps", headers={"If-None-Match": tag})).status_code == 200


async def test_the_app_store_is_found_with_a_slash_at_the_end_too(api: Api) -> None:
    assert (await api.admin.get("/apps/")).json() == {"applications": []}


async def test_every_problem_of_a_definition_is_reported_with_its_path(api: Api) -> None:
    wrong = {
        "name": "x",
        "type": "window",
        "details": {"url": 7, "width": "wide"},
        "title": ["no"],
        "intents": [{"name": "ViewChart"}, {"nam": "typo"}],
    }

    created = await api.admin.post("/admin/apps", json={"definition": wrong})

    assert created.status_code == 400
    paths = {detail["path"] for detail in created.json()["error"]["details"]}
    assert paths >= {"definition.details.url", "definition.details.width", "definition.title"}
    assert {"definition.intents[1].name", "definition.intents[1].nam"} <= paths
    await api.admin.post("/admin/apps", json={"definition": definition("x")})
    for method in ("PUT", "PATCH"):
        answer = await api.admin.request(method, "/admin/apps/x", json={"definition": wrong})
        assert {detail["path"] for detail in answer.json()["error"]["details"]} == paths
    assert (await api.admin.get("/admin/apps/x")).json()["definition"] == definition("x")


async def test_members_of_the_entry_are_checked_too(api: Api) -> None:
    body = {"definition": definition("x"), "public": "perhaps", "accesList": [], "accessList": ["a", ""]}

    answer = await api.admin.post("/admin/apps", json=body)

    assert answer.status_code == 400
    paths = {detail["path"] for detail in answer.json()["error"]["details"]}
    assert paths == {"public", "accesList", "accessList[1]"}


async def test_an_app_cannot_be_renamed_or_made_twice(api: Api) -> None:
    await api.admin.post("/admin/apps", json={"definition": definition("x")})

    for method in ("PUT", "PATCH"):
        answer = await api.admin.request(method, "/admin/apps/x", json={"definition": definition("y")})
        assert answer.status_code == 400
        assert answer.json()["error"]["details"][0]["path"] == "definition.name"
    assert (await api.admin.post("/admin/apps", json={"definition": definition("x")})).status_code == 409


async def test_deleting_an_app_takes_it_from_those_it_was_given_to(api: Api) -> None:
    user = await api.add_user("ann", apps=["x"])
    await api.admin.post("/admin/apps", json={"definition": definition("x")})

    await api.admin.delete("/admin/apps/x")
    await api.admin.post("/admin/apps", json={"definition": definition("x")})

    assert await names(user) == []
    assert (await api.admin.get("/admin/users/ann")).json()["apps"] == []


async def test_an_import_makes_all_apps(api: Api) -> None:
    body = {"applications": [definition("a"), definition("b")], "accessList": ["Desk"]}

    answer = await api.admin.post("/admin/imports/apps", json=body)

    assert answer.status_code == 200
    assert answer.json() == {"created": ["a", "b"], "replaced": []}
    user = await api.add_user("ann", "Desk")
    assert await names(user) == ["a", "b"]


async def test_an_import_with_one_wrong_app_makes_none_and_reports_all_problems(api: Api) -> None:
    applications = [definition("a"), {"name": "b", "type": "window"}, definition("a"), {"type": "exe", "details": {}}]

    answer = await api.admin.post("/admin/imports/apps", json={"applications": applications})

    assert answer.status_code == 400
    paths = {detail["path"] for detail in answer.json()["error"]["details"]}
    assert {"applications[1].details", "applications[2].name", "applications[3].name"} <= paths
    assert not any(path.startswith("applications[0]") for path in paths)
    assert (await api.admin.get("/admin/apps")).json()["total"] == 0


async def test_an_import_replaces_what_is_there_only_if_requested(api: Api) -> None:
    await api.admin.post("/admin/apps", json={"definition": definition("a"), "accessList": ["Desk"]})
    body = {"applications": [definition("new"), definition("a", title="New")], "public": True}

    refused = await api.admin.post("/admin/imports/apps", json=body)
    assert refused.status_code == 409
    assert "a" in refused.json()["error"]["message"]
    assert (await api.admin.get("/admin/apps")).json()["total"] == 1

    taken = await api.admin.post("/admin/imports/apps", json={**body, "overwrite": True})
    assert taken.json() == {"created": ["new"], "replaced": ["a"]}
    replaced = (await api.admin.get("/admin/apps/a")).json()
    assert replaced["definition"]["title"] == "New"
    # Who may see an app is not the importer's to change in passing.
    assert (replaced["public"], replaced["accessList"]) == (False, ["Desk"])


async def test_an_import_of_nothing_sensible_is_refused(api: Api) -> None:
    body: Any
    for body in ({}, {"applications": []}, {"applications": {}}, {"applications": [7]}, []):
        assert (await api.admin.post("/admin/imports/apps", json=body)).status_code == 400


async def test_the_directory_answers_fdc3_records(api: Api) -> None:
    record = {"appId": "native", "title": "N", "type": "native", "details": {"path": "/bin/n"}, "own": {"kept": True}}
    user = await api.add_user("ann", apps=["blotter", "native"])
    blotter = definition("blotter", title="Blotter", tooltip="Orders", icon="https://x/i.png")
    for sent in (blotter, record, definition("hidden")):
        await api.admin.post("/admin/apps", json={"definition": sent})

    answer = (await user.get("/v2/apps")).json()

    assert answer["message"] == "OK"
    first, second = answer["applications"]
    assert (first["appId"], first["title"], first["type"]) == ("blotter", "Blotter", "web")
    assert first["details"] == {"url": "https://blotter.example.com"}
    assert first["hostManifests"] == {"rostrum": blotter}
    assert second == record
    assert (await user.get("/v2/apps/native")).json() == record
    assert (await user.get("/apps")).json()["applications"] == [blotter, record]


async def test_a_directory_record_is_found_by_its_qualified_name(api: Api) -> None:
    user = await api.add_user("ann")
    for name in ("blotter", "odd@name", "a/b"):
        await api.admin.post("/admin/apps", json={"definition": definition(name), "public": True})

    async def found(app_id: str) -> Any:
        return (await user.get(f"/v2/apps/{app_id}")).json()["appId"]

    assert await found("blotter") == "blotter"
    assert await found("blotter@apps.example.com") == "blotter"
    assert await found("odd@name") == "odd@name"
    assert await found("odd@name@apps.example.com") == "odd@name"
    assert await found("a%2Fb") == "a/b"


async def test_the_directory_has_only_what_the_user_may_see(api: Api) -> None:
    user = await api.add_user("ann")
    await api.admin.post("/admin/apps", json={"definition": definition("hidden")})

    for app_id in ("hidden", "hidden@host", "nothing", "@host"):
        answer = await user.get(f"/v2/apps/{app_id}")
        assert answer.status_code == 404
        assert answer.json()["error"]["code"] == 404


async def test_reading_and_writing_need_their_own_permissions(api: Api) -> None:
    nobody = await api.add_user("nobody")
    reader = await api.add_user("reader", "PLATFORM_MANAGER:APPS:READ")
    writer = await api.add_user("writer", "PLATFORM_MANAGER:APPS:WRITE")
    body = {"definition": definition("x")}

    assert (await nobody.get("/admin/apps")).status_code == 403
    assert (await reader.post("/admin/apps", json=body)).status_code == 403
    assert (await reader.post("/admin/imports/apps", json={"applications": [definition("x")]})).status_code == 403
    assert (await writer.post("/admin/apps", json=body)).status_code == 201
    assert (await reader.get("/admin/apps/x")).status_code == 200
    assert (await reader.patch("/admin/apps/x", json={})).status_code == 403
    assert (await reader.delete("/admin/apps/x")).status_code == 403
    assert (await writer.delete("/admin/apps/x")).status_code == 204


async def test_apps_are_found_by_type_title_group_and_state(api: Api) -> None:
    await api.admin.post("/admin/apps", json={"definition": definition("a", title="Blotter"), "public": True})
    exe = {"name": "b", "type": "exe", "details": {"path": "/bin", "command": "b"}}
    await api.admin.post("/admin/apps", json={"definition": exe, "accessList": ["Desk"], "disabled": True})

    async def found(**filters: str) -> list[str]:
        return [app["name"] for app in (await api.admin.get("/admin/apps", params=filters)).json()["items"]]

    assert await found(type="exe") == ["b"]
    assert await found(title="blot*") == ["a"]
    assert await found(public="true") == ["a"]
    assert await found(disabled="true") == ["b"]
    assert await found(accessList="Desk") == ["b"]
    assert await found(q="lotte") == ["a"]


@pytest.mark.parametrize("url", ["javascript:fetch('/api/me')", " JAVASCRIPT:x", "file:///etc/passwd", "File:///x"])
async def test_an_app_whose_page_is_code_or_a_local_file_is_refused(api: Api, url: str) -> None:
    for app in (definition("evil", details={"url": url}), _record(url)):
        for answer in (
            await api.admin.post("/admin/apps", json={"definition": app, "public": True}),
            await api.admin.post("/admin/imports/apps", json={"applications": [app]}),
        ):
            assert answer.status_code == 400, answer.text
            (problem,) = answer.json()["error"]["details"]
            assert problem["path"].endswith(".details.url")


def _record(url: str) -> dict[str, Any]:
    return {"appId": "evil", "title": "Evil", "type": "web", "details": {"url": url}}


@pytest.mark.parametrize("name", ["clock ", " clock", "clo\u200bck", "clo  ck"])
async def test_a_new_app_needs_a_name_that_nobody_takes_for_another(api: Api, name: str) -> None:
    definition = {"name": name, "type": "window", "details": {"url": "https://x.example.com"}}
    change = {"action": "create", "document": {"definition": definition}}
    attempts = [
        await api.admin.post("/admin/apps", json={"definition": definition}),
        await api.admin.post("/admin/imports/apps", json={"applications": [definition]}),
        await api.admin.post("/admin/previews/apps", json={"changes": [change]}),
    ]

    assert [one.status_code for one in attempts] == [400, 400, 400]
    assert (await api.admin.get("/admin/apps")).json()["items"] == []

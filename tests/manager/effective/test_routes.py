"""Who gets what and why, over HTTP."""

from typing import Any, ClassVar

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import ADMIN, Api, manager_config, running_api

APP = {"name": "blotter", "type": "window", "details": {"url": "https://blotter.example.com"}}
LAYOUT = {"name": "Morning", "type": "Global", "components": []}


@pytest.fixture
async def firm(api: Api) -> Api:
    """Ann of the equities desk, which inherits from trading."""
    await api.admin.post("/admin/groups", json={"name": "Equities", "priority": 5, "expandsTo": ["Trading"]})
    await api.add_user("ann", "Equities")
    return api


async def ask(client: httpx.AsyncClient, url: str, **params: Any) -> Any:
    answer = await client.get(url, params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def keep(api: Api, contents: Any, **scope: str) -> dict[str, Any]:
    answer = await api.admin.post("/admin/configs", json={"file": "system.json", "contents": contents, **scope})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def test_a_value_is_explained_with_who_set_it_and_when(firm: Api, clock: SettableClock) -> None:
    base = await keep(firm, {"notifications": {"toastExpiry": 1}})
    clock.advance(60)
    group = await keep(firm, {"notifications": {"toastExpiry": 2}}, group="Trading")
    path = "notifications.toastExpiry"

    said = await ask(firm.admin, "/admin/configs/explain", user="ann", path=path)

    assert said["groups"] == [
        {"name": "Equities", "priority": 5, "via": ["Equities"]},
        {"name": "Trading", "priority": 0, "via": ["Equities", "Trading"]},
    ]
    assert [layer["id"] for layer in said["layers"]] == [base["id"], group["id"]]
    (item,) = said["items"]
    assert (item["value"], item["default"], item["setting"]["unit"]) == (2, 15000, "ms")
    assert item["winner"] == {
        "id": group["id"],
        "file": "system.json",
        "scope": "group",
        "target": "Trading",
        "revision": group["revision"],
        "modified": group["modified"],
        "modifiedBy": "admin",
        "rollout": None,
    }
    assert [(loser["id"], loser["path"], loser["value"]) for loser in item["losers"]] == [(base["id"], path, 1)]


async def test_a_draft_is_explained_in_the_place_of_the_stored_file(firm: Api) -> None:
    path = "notifications.toastExpiry"
    base = await keep(firm, {"notifications": {"toastExpiry": 1}})
    group = await keep(firm, {"notifications": {"toastExpiry": 2}}, group="Trading")

    async def said(draft: dict[str, Any], **asked: str) -> Any:
        body = {"draft": {"file": "system.json", **draft}, **asked}
        answer = await firm.admin.post("/admin/configs/explain", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    changed = {"group": "Trading", "contents": {"notifications": {"toastExpiry": 3}}}
    (item,) = (await said(changed, user="ann"))["items"]
    assert (item["path"], item["value"], item["winner"]["id"]) == (path, 3, group["id"])
    assert [(loser["id"], loser["value"]) for loser in item["losers"]] == [(base["id"], 1)]

    # A member that the draft removes is inherited again.
    (item,) = (await said({"group": "Trading", "contents": {}}, user="ann"))["items"]
    assert (item["value"], item["winner"]["id"], item["losers"]) == (1, base["id"], [])

    # A new file has no ID, and applies only to the users of its scope.
    new = {"user": "ann", "contents": {"notifications": {"toastExpiry": 4}}}
    (item,) = (await said(new, user="ann"))["items"]
    assert (item["value"], item["winner"]["id"], item["winner"]["scope"]) == (4, "", "user")
    (item,) = (await said(new, group="Trading"))["items"]
    assert (item["value"], item["winner"]["id"]) == (2, group["id"])

    stored = await ask(firm.admin, "/admin/configs/explain", user="ann", path=path)
    assert stored["items"][0]["value"] == 2
    unknown = {"draft": {"file": "system.json", "contents": {}}, "user": "nobody"}
    assert (await firm.admin.post("/admin/configs/explain", json=unknown)).status_code == 404


async def test_without_a_user_the_group_and_the_version_count(firm: Api) -> None:
    for number, scope in enumerate(({}, {"version": "10"}, {"group": "Trading"}, {"user": "ann"})):
        await keep(firm, {"tray": {"exit": bool(number % 2)}}, **scope)

    async def won(**params: str) -> list[str]:
        said = await ask(firm.admin, "/admin/configs/explain", path="tray.exit", **params)
        (item,) = said["items"]
        return [item["winner"]["scope"], *(loser["scope"] for loser in item["losers"])]

    assert await won() == ["base"]
    assert await won(version="10.1") == ["version", "base"]
    assert await won(group="Equities", version="9.1") == ["group", "base"]
    assert await won(user="ann", group="*") == ["user", "group", "base"]
    assert await won(user="ann", group="Equities", version="10") == ["user", "group", "version", "base"]


async def test_long_explanations_come_in_pages(firm: Api) -> None:
    whole = await ask(firm.admin, "/admin/configs/explain", defaults="true", limit=1000)
    page = await ask(firm.admin, "/admin/configs/explain", defaults="true", limit=5, offset=10)

    assert len(whole["items"]) == whole["total"] == page["total"]
    assert page["items"] == whole["items"][10:15]


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"user": "nobody"}, "there is no user 'nobody'"),
        ({"group": "Nowhere"}, "there is no group 'Nowhere'"),
        ({"path": "tray.exti"}, "did you mean tray.exit?"),
        ({"path": "x", "file": "own.json"}, "there is no setting 'x'"),
    ],
)
async def test_what_does_not_exist_is_not_explained(firm: Api, params: dict[str, str], words: str) -> None:
    answer = await firm.admin.get("/admin/configs/explain", params=params)

    assert answer.status_code == 404
    assert words in answer.json()["error"]["message"]


async def test_why_does_this_user_not_see_that_app(firm: Api) -> None:
    async def said(user: str = "ann") -> Any:
        (app,) = (await ask(firm.admin, f"/admin/users/{user}/effective", app="blotter"))["apps"]["items"]
        return app

    await firm.admin.post("/admin/apps", json={"definition": APP, "accessList": ["Research", "Sales"]})
    refused = await said()
    assert refused["given"] is False
    assert refused["whyNot"]["because"] == "notShared"
    assert refused["whyNot"]["groups"] == ["Research", "Sales"]
    assert refused["whyNot"]["text"] == "requires membership in Research or Sales"

    await firm.admin.patch("/admin/apps/blotter", json={"accessList": ["Trading"], "disabled": True})
    off = await said()
    assert (off["given"], off["whyNot"]["because"]) == (False, "disabled")
    assert off["reasons"][0]["via"] == ["Equities", "Trading"]

    await firm.admin.patch("/admin/apps/blotter", json={"disabled": False})
    given = await said()
    assert (given["given"], given["whyNot"]) == (True, None)
    assert given["reasons"][0]["text"] == "available to the group Trading, inherited through Equities → Trading"

    await firm.admin.patch("/admin/users/ann", json={"disabled": True})
    assert (await said())["whyNot"]["because"] == "userDisabled"


async def test_layouts_report_who_owns_them_and_what_hides_them(firm: Api) -> None:
    shared = (await firm.admin.post("/admin/layouts", json={"definition": LAYOUT, "public": True})).json()["id"]
    private = (await firm.admin.post("/admin/layouts", json={"definition": LAYOUT, "owner": "admin"})).json()["id"]
    ann = firm.client(("ann", "ann-password"))
    await ann.post("/layouts", json={"layout": LAYOUT})
    await ann.post("/layouts/default", json={"name": "Morning", "type": "Global"})

    said = await ask(firm.admin, "/admin/users/ann/effective", kind="layouts")

    (own, hidden) = sorted(said["layouts"]["items"], key=lambda item: item["owner"], reverse=True)
    assert [reason["because"] for reason in own["reasons"]] == ["owner"]
    assert (hidden["id"], hidden["given"], hidden["whyNot"]["hiddenBy"]) == (shared, False, own["id"])
    assert said["defaultLayout"] == {"name": "Morning", "type": "Global", "because": "chosen"}
    (other,) = (await ask(firm.admin, "/admin/users/ann/effective", layout=private))["layouts"]["items"]
    assert other["whyNot"]["text"] == "not public, and not available to any group"


async def test_configuration_reports_which_files_count_and_which_not(firm: Api) -> None:
    for scope in ({}, {"version": "10"}, {"group": "Trading"}, {"group": "Sales"}, {"user": "ann"}, {"user": "admin"}):
        await keep(firm, {}, **scope)

    said = await ask(firm.admin, "/admin/users/ann/effective", file="system.json", version="9.1")

    (file,) = said["configs"]["items"]
    assert [layer["scope"] for layer in file["layers"]] == ["base", "group", "user"]
    assert [each["text"] for each in file["leftOut"]] == [
        "applies to version 10; the requested version is 9.1",
        "the user is not in the group Sales",
    ]


async def test_lists_can_be_limited_to_available_or_unavailable_items(firm: Api) -> None:
    for name in "abc":
        body = {"definition": {**APP, "name": name}, "public": name == "b"}
        await firm.admin.post("/admin/apps", json=body)

    async def names(**params: Any) -> tuple[list[str], int]:
        apps = (await ask(firm.admin, "/admin/users/ann/effective", kind="apps", **params))["apps"]
        return [item["name"] for item in apps["items"]], apps["total"]

    assert await names() == (["a", "b", "c"], 3)
    assert await names(given="true") == (["b"], 1)
    assert await names(given="false", limit=1, offset=1) == (["c"], 2)


async def test_what_a_user_gets_is_searched_and_put_in_order(firm: Api) -> None:
    for name, title in (("a", "Prices"), ("b", "Orders"), ("c", "Old prices")):
        body = {"definition": {**APP, "name": name, "title": title}, "public": name == "b"}
        await firm.admin.post("/admin/apps", json=body)
    for name in ("Desk", "Prices at night"):
        definition = {"name": name, "type": "Global", "token": "", "components": []}
        await firm.admin.post("/admin/layouts", json={"definition": definition, "owner": "*", "public": name == "Desk"})

    async def names(kind: str, **params: Any) -> list[str]:
        part = (await ask(firm.admin, "/admin/users/ann/effective", kind=kind, **params))[kind]
        assert part["total"] == len(part["items"])
        return [item["name"] for item in part["items"]]

    assert await names("apps", q="PRICES") == ["a", "c"]
    assert await names("apps", q="b") == ["b"]
    assert await names("apps", q="nothing") == []
    assert await names("apps", sort="-name") == ["c", "b", "a"]
    assert await names("apps", sort="-given") == ["b", "c", "a"]
    assert await names("apps", sort="given") == ["a", "c", "b"]
    assert await names("layouts", q="global", sort="-name") == ["Prices at night", "Desk"]
    assert await names("layouts", q="night", given="false") == ["Prices at night"]
    wrong = await firm.admin.get("/admin/users/ann/effective", params={"sort": "title"})
    assert wrong.status_code == 400


async def test_parts_that_the_caller_may_not_read_are_left_out(firm: Api) -> None:
    await firm.admin.post("/admin/apps", json={"definition": APP, "public": True})
    clerk = await firm.add_user("clerk", "PLATFORM_MANAGER:USERS:READ", "PLATFORM_MANAGER:APPS:READ")

    said = await ask(clerk, "/admin/users/ann/effective")

    assert said["apps"]["total"] == 1
    assert (said["layouts"], said["defaultLayout"], said["configs"]) == (None, None, None)
    assert (await clerk.get("/admin/configs/explain")).status_code == 403


class TestChecksOnWrite:
    """Files are compared with the catalogue of settings when they are written."""

    WRONG: ClassVar = {"notifications": {"toastExpiry": "soon"}, "splash": {"width": 1}, "notifcations": {}}

    async def test_problems_are_answered_and_the_file_is_kept(self, api: Api) -> None:
        made = await keep(api, self.WRONG)

        assert [(each["severity"], each["path"], each["suggestion"]) for each in made["problems"]] == [
            ("error", "notifications.toastExpiry", None),
            ("warning", "splash", None),
            ("warning", "notifcations", "notifications"),
        ]
        assert "local file" in made["problems"][1]["message"]
        address = f"/admin/configs/{made['id']}"
        assert (await api.admin.get(address)).json()["problems"] == made["problems"]
        put = await api.admin.put(address, json={**made, "contents": {"tray": {"exit": 1}}})
        assert [each["path"] for each in put.json()["problems"]] == ["tray.exit"]
        patched = await api.admin.patch(address, json={"contents": {}})
        assert patched.json()["problems"] == []

    async def test_a_file_of_a_version_is_checked_for_that_version(self, api: Api) -> None:
        late = {"windowManagement": {"editWindowTitle": False}}

        assert (await keep(api, late, version="10"))["problems"] == []
        (problem,) = (await keep(api, late, version="9.10"))["problems"]
        assert "this is 9.10" in problem["message"]
        # A scope may be named after a version that no platform has.
        assert (await keep(api, late, version="99999999999"))["problems"] == []

    async def test_only_files_of_the_catalogue_are_validated(self, api: Api) -> None:
        for file, count in (("System-DEV-US.json", 3), ("own.json", 0), ("gilding.json", 3), ("env.json", 3)):
            answer = await api.admin.post("/admin/configs", json={"file": file, "contents": self.WRONG})
            assert (answer.status_code, len(answer.json()["problems"])) == (201, count), file
        channels = [{"name": "Red", "meta": {"color": "red"}}, {"name": "Blue", "meta": {}}]
        answer = await api.admin.post("/admin/configs", json={"file": "channels.json", "contents": channels})
        assert [each["path"] for each in answer.json()["problems"]] == ["[1].meta.color"]
        # A part of logger.json is merged with others, so it may be incomplete.
        answer = await api.admin.post("/admin/configs", json={"file": "logger.json", "contents": {"categories": {}}})
        assert answer.json()["problems"] == []

    async def test_very_many_problems_are_counted_only(self, api: Api) -> None:
        made = await keep(api, {f"unknown{number}": 1 for number in range(1000)})

        assert len(made["problems"]) == 201
        assert "800 more" in made["problems"][-1]["message"]

    async def test_errors_can_be_refused(self, sqlite: str, clock: SettableClock) -> None:
        async with running_api(manager_config(sqlite, configs={"check": "error"}), clock) as api:
            refused = await api.admin.post("/admin/configs", json={"file": "system.json", "contents": self.WRONG})
            assert refused.status_code == 400
            (detail,) = refused.json()["error"]["details"]
            assert detail["path"] == "contents.notifications.toastExpiry"
            assert (await ask(api.admin, "/admin/configs"))["total"] == 0

            refused = await api.admin.post("/admin/configs", json={"file": "channels.json", "contents": [5]})
            assert [each["path"] for each in refused.json()["error"]["details"]] == ["contents[0]"]

            made = await keep(api, {"splash": {}})
            assert [each["severity"] for each in made["problems"]] == ["warning"]
            address = f"/admin/configs/{made['id']}"
            for method, body in (("PUT", {**made, "contents": self.WRONG}), ("PATCH", {"contents": self.WRONG})):
                assert (await api.admin.request(method, address, json=body)).status_code == 400
            assert (await ask(api.admin, address))["contents"] == {"splash": {}}
            word = {"searchProvider": {"types": ["aplication"]}}
            wrong = await api.admin.patch(address, json={"contents": word})
            assert wrong.json()["error"]["details"][0]["suggestion"] == "application"

    async def test_checks_can_be_off(self, sqlite: str, clock: SettableClock) -> None:
        async with running_api(manager_config(sqlite, configs={"check": "off"}), clock) as api:
            assert "problems" not in await keep(api, self.WRONG)


async def test_the_administrators_own_sign_in_is_not_in_the_way(api: Api) -> None:
    said = await ask(api.admin, f"/admin/users/{ADMIN[0]}/effective")

    assert said["groups"] == [{"name": "PLATFORM_SERVER_ADMIN", "priority": 0, "via": ["PLATFORM_SERVER_ADMIN"]}]

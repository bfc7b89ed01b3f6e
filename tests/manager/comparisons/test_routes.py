"""Comparisons of users, groups and points in time: differences, with the reason on each side."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api


@pytest.fixture
async def each(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    async with running_api(manager_config(store), clock) as api:
        for name, access in (("blotter", ["Desk"]), ("chart", []), ("news", ["Floor"])):
            definition = {
                "name": name,
                "type": "window",
                "title": name.title(),
                "details": {"url": "https://x.example"},
            }
            await api.admin.post("/admin/apps", json={"definition": definition, "accessList": access})
        await api.admin.post("/admin/groups", json={"name": "Traders", "expandsTo": ["Desk"]})
        await api.add_user("ann", "Traders", "Floor", apps=["chart"])
        await api.add_user("bob", "Floor")
        layout = {"name": "Morning", "type": "Global", "components": []}
        await api.admin.post("/admin/layouts", json={"definition": layout, "owner": "*", "accessList": ["Desk"]})
        for scope, level in (({}, "info"), ({"group": "Desk"}, "debug")):
            body = {"file": "system.json", "contents": {"logging": {"level": level}, "env": "PROD"}, **scope}
            assert (await api.admin.post("/admin/configs", json=body)).status_code == 201
        yield api


async def compare(api: Api, path: str, **query: Any) -> dict[str, Any]:
    answer = await api.admin.get(f"{path}/compare", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def told(part: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """The differences: what each side has, with the reason."""
    return {item["key"]: tuple(_words(item[side]) for side in ("left", "right")) for item in part["items"]}  # type: ignore[misc]


def _words(state: dict[str, Any]) -> str:
    return f"{'yes' if state['given'] else 'no'}: {state['text']}"


async def test_two_users_are_compared_with_the_reason_for_each_difference(each: Api) -> None:
    found = await compare(each, "/admin/users/ann", **{"with": "bob"})

    assert (found["left"]["id"], found["right"]["id"]) == ("ann", "bob")
    assert told(found["groups"]) == {
        "Desk": ("yes: inherited through Traders → Desk", "no: not a member"),
        "Traders": ("yes: direct member", "no: not a member"),
    }
    assert (found["groups"]["same"], found["apps"]["same"]) == (1, 1)
    assert told(found["apps"]) == {
        "blotter": (
            "yes: available to the group Desk, inherited through Traders → Desk",
            "no: requires membership in Desk",
        ),
        "chart": ("yes: assigned to the user directly", "no: not public, and not available to any group"),
    }
    (layout,) = found["layouts"]["items"]
    assert (layout["name"], layout["right"]["text"]) == ("Morning (Global)", "requires membership in Desk")
    (value,) = found["configs"]["items"]
    assert (value["file"], value["path"], found["configs"]["same"]) == ("system.json", "logging.level", 1)
    assert (value["left"]["value"], value["left"]["text"]) == ("debug", "set for the group Desk")
    assert (value["right"]["value"], value["right"]["text"]) == ("info", "set for all users")
    same = await compare(each, "/admin/users/ann", **{"with": "ann"})
    assert [same[part]["total"] for part in ("groups", "apps", "layouts", "configs")] == [0, 0, 0, 0]


async def test_a_disabled_user_is_the_reason_for_all_differences(each: Api) -> None:
    await each.admin.patch("/admin/users/bob", json={"disabled": True, "groups": ["Traders", "Floor"]})

    found = await compare(each, "/admin/users/ann", **{"with": "bob"})

    assert (found["left"]["disabled"], found["right"]["disabled"]) == (False, True)
    assert {right for _, right in told(found["apps"]).values()} == {"no: the user is disabled"}
    assert {item["right"]["text"] for item in found["configs"]["items"]} == {"the user is disabled"}


async def test_two_groups_are_compared(each: Api) -> None:
    found = await compare(each, "/admin/groups/Traders", **{"with": "Floor"})

    assert told(found["apps"]) == {
        "blotter": (
            "yes: available to the group Desk, inherited through Traders → Desk",
            "no: requires membership in Desk",
        ),
        "news": ("no: requires membership in Floor", "yes: available to the group Floor"),
    }
    assert [value["left"]["value"] for value in found["configs"]["items"]] == ["debug"]


@pytest.mark.long
async def test_a_user_is_compared_at_two_points_in_time(each: Api, clock: SettableClock) -> None:
    clock.advance(3600)
    before = (await each.admin.get("/admin/users/ann")).json()["revision"]
    newest = (await each.admin.get("/admin/audit", params={"limit": 1})).json()["items"][0]["revision"]
    at = clock.now().isoformat()
    clock.advance(3600)
    config = (await each.admin.get("/admin/configs", params={"group": "Desk"})).json()["items"][0]
    await each.admin.patch(f"/admin/configs/{config['id']}", json={"contents": {"logging": {"level": "warn"}}})
    await each.admin.delete("/admin/apps/chart")
    await each.admin.put("/admin/groups/Traders", json={"expandsTo": []})
    new = {"name": "risk", "type": "window", "details": {"url": "https://x.example"}}
    await each.admin.post("/admin/apps", json={"definition": new, "public": True})
    await each.admin.delete("/admin/groups/Floor")

    for point in (str(newest), at):
        found = await compare(each, "/admin/users/ann", at=point)
        assert (found["left"]["revision"], found["right"]["revision"]) == (newest, None)
        assert told(found["apps"]) == {
            "blotter": (
                "yes: available to the group Desk, inherited through Traders → Desk",
                "no: requires membership in Desk",
            ),
            "chart": ("yes: assigned to the user directly", "no: does not exist"),
            "news": ("yes: available to the group Floor", "no: not public, and not available to any group"),
            "risk": ("no: does not exist", "yes: public"),
        }
        (value,) = found["configs"]["items"]
        assert (value["left"]["value"], value["right"]["value"]) == ("debug", "info")
    earlier = await compare(each, "/admin/users/ann", at=str(before - 1), withAt=str(newest))
    assert (earlier["left"]["exists"], earlier["right"]["exists"]) == (False, True)
    assert told(earlier["apps"])["blotter"][0] == "no: did not exist"


async def test_parts_that_the_caller_may_not_read_are_left_out(each: Api) -> None:
    eve = await each.add_user("eve", "PLATFORM_MANAGER:USERS:READ", "PLATFORM_MANAGER:APPS:READ")

    found = (await eve.get("/admin/users/ann/compare", params={"with": "bob"})).json()

    assert found["apps"]["total"] == 2
    assert (found["layouts"], found["configs"]) == (None, None)
    assert (await eve.get("/admin/groups/Desk/compare", params={"with": "Floor"})).status_code == 403
    assert (await eve.get("/admin/users/ann/compare", params={"with": "nobody"})).status_code == 400
    assert (await eve.get("/admin/users/nobody/compare", params={"with": "ann"})).status_code == 404
    assert (await eve.get("/admin/users/ann/compare", params={"at": "999999"})).status_code == 400

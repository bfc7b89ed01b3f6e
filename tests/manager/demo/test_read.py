"""The demo firm hangs together: every name that is used exists, and each page has something to show."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from pydantic import BaseModel

from rostrum.contracts.app_entries import AppEntry
from rostrum.contracts.apps import check_app
from rostrum.contracts.apps.unsupported import unsupported_details
from rostrum.contracts.groups import NewGroup
from rostrum.contracts.layout_entries import LayoutEntry
from rostrum.contracts.layouts import check_layout
from rostrum.contracts.preference_entries import NewPreference
from rostrum.contracts.system_config import ConfigDocument
from rostrum.contracts.users import NewUser
from rostrum.manager.demo.read import DemoContent, read_demo

APP_TYPES = {"window", "exe", "node", "workspaces", "webGroup", "clickonce", "citrix", "childWindow"}
COMMANDS = {
    "GetSupportedCommands",
    "GetLogs",
    "SendFeedback",
    "GetSystemInfo",
    "Restart",
    "ChangeFetchInterval",
    "ExecuteCode",
    "RestartApps",
    "RefreshApps",
    "StopApps",
}
CRASH_FIELDS = {"ver", "platform", "process_type", "guid", "_version", "_productName", "prod", "_companyName"}
LOCAL_ONLY = {
    "advancedMode",
    "allowMultipleInstances",
    "alreadyRunningAction",
    "env",
    "folders",
    "logging",
    "protocolHandler",
    "proxy",
    "region",
    "registerHtmlContainer",
    "splash",
    "switches",
}
SCOPES = ("version", "group", "user")

Item = dict[str, Any]


@pytest.fixture(scope="module")
def demo() -> DemoContent:
    return read_demo()


def app_names(demo: DemoContent) -> set[str]:
    return {app["definition"]["name"] for app in demo.apps}


def user_ids(demo: DemoContent) -> set[str]:
    return {user["id"] for user in demo.users}


def group_names(demo: DemoContent) -> set[str]:
    return {group["name"] for group in demo.groups}


def is_built_in(group: str) -> bool:
    return group.startswith("PLATFORM_")


def expanded(demo: DemoContent, groups: list[str]) -> set[str]:
    further = {group["name"]: group.get("expandsTo", []) for group in demo.groups}
    seen: set[str] = set()
    waiting = list(groups)
    while waiting:
        group = waiting.pop()
        if group not in seen:
            seen.add(group)
            waiting += further.get(group, [])
    return seen


def sees_app(demo: DemoContent, user: Item, app: Item) -> bool:
    shared = bool(expanded(demo, user["groups"]) & set(app.get("accessList", [])))
    named = app["definition"]["name"] in user.get("apps", [])
    return not app.get("disabled", False) and (app.get("public", False) or named or shared)


def sees_layout(demo: DemoContent, user: Item, layout: Item) -> bool:
    shared = bool(expanded(demo, user["groups"]) & set(layout.get("accessList", [])))
    return layout["owner"] == user["id"] or layout.get("public", False) or shared


def apps_of_tree(node: Item) -> Iterator[str]:
    if node["type"] == "window":
        yield node["config"]["appName"]
    for child in node.get("children", []):
        yield from apps_of_tree(child)


def apps_of_layout(layout: Item) -> Iterator[str]:
    for component in layout["definition"]["components"]:
        yield component["application"]
        state = component["state"]
        workspaces = state.get("workspaces", []) if component["type"] == "workspaceFrame" else [state]
        for workspace in workspaces:
            for child in workspace.get("children", []):
                yield from apps_of_tree(child)


def scope_of(config: Item) -> tuple[str, str] | None:
    return next(((kind, config[kind]) for kind in SCOPES if kind in config), None)


def merged(weak: Item, strong: Item) -> Item:
    result = dict(weak)
    for key, value in strong.items():
        below = result.get(key)
        both_objects = isinstance(below, dict) and isinstance(value, dict)
        result[key] = merged(below, value) if both_objects and below is not None else value
    return result


def system_for(demo: DemoContent, *scopes: tuple[str, str]) -> Item:
    contents = {scope_of(config): config["contents"] for config in demo.configs if config["file"] == "system.json"}
    result: Item = contents[None]
    for scope in scopes:
        result = merged(result, contents[scope])
    return result


def test_every_shipped_file_is_read_and_not_empty(demo: DemoContent) -> None:
    content = files("rostrum.manager.demo") / "content"
    shipped = {entry.name.removesuffix(".json") for entry in content.iterdir() if entry.name.endswith(".json")}
    assert shipped == set(DemoContent.__slots__)
    assert all(getattr(demo, name) for name in DemoContent.__slots__)


def test_counts_are_as_promised(demo: DemoContent) -> None:
    departments = {"Trading", "Research", "Operations"}
    assert departments <= group_names(demo)
    assert all(any(department in expanded(demo, user["groups"]) for user in demo.users) for department in departments)
    assert len(demo.users) >= 12
    assert len(demo.apps) >= 24
    assert {app["definition"]["type"] for app in demo.apps} == APP_TYPES


def test_names_are_unique(demo: DemoContent) -> None:
    assert len(group_names(demo)) == len(demo.groups)
    assert len(user_ids(demo)) == len(demo.users)
    assert len({user["email"] for user in demo.users}) == len(demo.users)
    assert len(app_names(demo)) == len(demo.apps)
    layouts = {(item["definition"]["type"], item["definition"]["name"], item["owner"]) for item in demo.layouts}
    assert len(layouts) == len(demo.layouts)
    assert len({(config["file"], scope_of(config)) for config in demo.configs}) == len(demo.configs)
    assert len({(item["user"], item["app"]) for item in demo.preferences}) == len(demo.preferences)
    users = {(crash["fields"]["guid"], crash["user"]) for crash in demo.crashes}
    assert len({guid for guid, _ in users}) == len(users)


def test_every_group_named_exists(demo: DemoContent) -> None:
    lists = [group.get("expandsTo", []) for group in demo.groups]
    lists += [user["groups"] for user in demo.users]
    lists += [item.get("accessList", []) for item in (*demo.apps, *demo.layouts)]
    lists += [[config["group"]] for config in demo.configs if "group" in config]
    named = {group for groups in lists for group in groups if not is_built_in(group)}
    assert named <= group_names(demo)


def test_every_user_named_exists(demo: DemoContent) -> None:
    items = (*demo.preferences, *demo.configs, *demo.sessions, *demo.crashes, *demo.feedback)
    named = {item["user"] for item in items if "user" in item}
    named |= {layout["owner"] for layout in demo.layouts} - {"*"}
    assert named <= user_ids(demo)


def test_every_app_named_exists(demo: DemoContent) -> None:
    named = {app for user in demo.users for app in user.get("apps", [])}
    named |= {item["app"] for item in demo.preferences}
    named |= {app for layout in demo.layouts for app in apps_of_layout(layout)}
    named |= {app for command in demo.commands for app in command["params"].get("apps", [])}
    named |= {crash["fields"]["application"] for crash in demo.crashes if "application" in crash["fields"]}
    owners = [app["definition"]["details"] for app in demo.apps if app["definition"]["type"] == "childWindow"]
    named |= {details["owner"] for details in owners}
    assert named <= app_names(demo)


def test_every_app_named_in_a_configuration_exists(demo: DemoContent) -> None:
    for config in demo.configs:
        if config["file"] != "system.json":
            continue
        contents = config["contents"]
        sources = contents.get("notifications", {}).get("sourceFilter", {})
        named = set(contents.get("interception", {}).get("applications", []))
        named |= set(sources.get("allowed", [])) | set(sources.get("blocked", []))
        for store in contents.get("appStores", []):
            named |= set(store.get("details", {}).get("allowedApps", []))
        assert named - {"*"} <= app_names(demo)


def test_every_channel_named_exists(demo: DemoContent) -> None:
    base = next(item for item in demo.configs if item["file"] == "channels.json" and scope_of(item) is None)
    channels = {channel["name"] for channel in base["contents"]}
    states = [component["state"] for item in demo.layouts for component in item["definition"]["components"]]
    details = [app["definition"]["details"] for app in demo.apps]
    named = {state["channelId"] for state in states if "channelId" in state}
    named |= {each["channelSelector"]["channelId"] for each in details if "channelSelector" in each}
    assert named <= channels


def test_users_show_each_kind_of_rights(demo: DemoContent) -> None:
    assert [user["id"] for user in demo.users if user.get("disabled")] == ["eli.farrow"]
    assert [user["id"] for user in demo.users if user.get("apps")] == ["ivo.jessop"]
    permitted = [user for user in demo.users if any(map(is_built_in, expanded(demo, user["groups"])))]
    assert {user["id"] for user in permitted} == {"kai.lindgren", "lena.marsh"}
    assert not any("password" in user for user in demo.users)


def test_groups_differ_in_priority(demo: DemoContent) -> None:
    priorities = [group["priority"] for group in demo.groups if "priority" in group]
    assert len(set(priorities)) == len(priorities) > 3


def test_apps_show_each_reason_to_be_seen_or_not(demo: DemoContent) -> None:
    assert [app["definition"]["name"] for app in demo.apps if app.get("disabled")] == ["trade-reporter-classic"]
    assert any(app.get("public") for app in demo.apps)
    explicit = next(user for user in demo.users if user.get("apps"))
    only_named = {**explicit, "apps": []}
    gained = [app for app in demo.apps if sees_app(demo, explicit, app) and not sees_app(demo, only_named, app)]
    assert [app["definition"]["name"] for app in gained] == explicit["apps"]
    enabled = [app for app in demo.apps if not app.get("disabled")]
    unseen = [app for app in enabled if not any(sees_app(demo, user, app) for user in demo.users)]
    assert [app["definition"]["name"] for app in unseen] == ["clearing-console"]


def test_layouts_show_each_kind(demo: DemoContent) -> None:
    assert {layout["definition"]["type"] for layout in demo.layouts} == {"Global", "Workspace", "ApplicationDefault"}
    assert [layout["definition"]["name"] for layout in demo.layouts if layout.get("default")] == ["Firm Start"]
    assert any(layout.get("public") for layout in demo.layouts)
    assert any(layout.get("accessList") for layout in demo.layouts)
    assert any(layout["owner"] != "*" and not layout.get("accessList") for layout in demo.layouts)
    assert any(layout.get("disabled") for layout in demo.layouts)


def test_anyone_who_sees_a_layout_sees_its_apps(demo: DemoContent) -> None:
    by_name = {app["definition"]["name"]: app for app in demo.apps}
    for layout in demo.layouts:
        viewers = [user for user in demo.users if sees_layout(demo, user, layout)]
        assert viewers
        for user in viewers:
            hidden = [name for name in apps_of_layout(layout) if not sees_app(demo, user, by_name[name])]
            assert hidden == [], (layout["definition"]["name"], user["id"])


def test_layout_components_have_the_type_of_their_app(demo: DemoContent) -> None:
    types = {app["definition"]["name"]: app["definition"]["type"] for app in demo.apps}
    for layout in demo.layouts:
        for component in layout["definition"]["components"]:
            expected = "workspaces" if "orkspace" in component["type"] else component["type"]
            assert types[component["application"]] == expected


def test_windows_of_a_global_layout_tile_its_displays(demo: DemoContent) -> None:
    for layout in demo.layouts:
        definition = layout["definition"]
        if definition["type"] != "Global":
            continue
        displays = {display["id"]: display for display in definition["displays"]}
        places: dict[str | int, Item] = {}
        for index, component in enumerate(definition["components"]):
            state = component["state"]
            assert is_inside(state["bounds"], displays[state["displayId"]])
            tab_group = state.get("tabGroupId", index)
            assert places.setdefault(tab_group, state["bounds"]) == state["bounds"]
        boxes = list(places.values())
        overlapping = [(a, b) for i, a in enumerate(boxes) for b in boxes[i + 1 :] if overlaps(a, b)]
        assert overlapping == []


def is_inside(box: Item, display: Item) -> bool:
    return bool(
        display["left"] <= box["left"]
        and display["top"] <= box["top"]
        and box["left"] + box["width"] <= display["left"] + display["width"]
        and box["top"] + box["height"] <= display["top"] + display["height"]
    )


def overlaps(a: Item, b: Item) -> bool:
    return bool(
        a["left"] < b["left"] + b["width"]
        and b["left"] < a["left"] + a["width"]
        and a["top"] < b["top"] + b["height"]
        and b["top"] < a["top"] + a["height"]
    )


def test_configurations_cover_each_scope(demo: DemoContent) -> None:
    assert all(config["file"].endswith(".json") for config in demo.configs)
    assert all(sum(kind in config for kind in SCOPES) <= 1 for config in demo.configs)
    base = {config["file"] for config in demo.configs if scope_of(config) is None}
    assert {"system.json", "channels.json", "themes.json", "logger.json", "env.json"} <= base
    assert {config["version"] for config in demo.configs if "version" in config} == {"10", "10.1"}
    assert {"Trading", "Operations"} <= {config["group"] for config in demo.configs if "group" in config}
    assert any("user" in config for config in demo.configs)


def test_contents_have_the_shape_of_their_file(demo: DemoContent) -> None:
    for config in demo.configs:
        expected = list if config["file"] in {"channels.json", "themes.json"} else dict
        assert isinstance(config["contents"], expected)
        assert config["contents"]
        if config["file"] == "env.json":
            assert set(config["contents"]) == {"set"}


def test_values_differ_between_scopes(demo: DemoContent) -> None:
    ways: list[list[tuple[str, str]]] = [
        [],
        [("group", "Operations")],
        [("group", "Trading")],
        [("group", "Trading"), ("group", "Equities Trading")],
        [("group", "Trading"), ("group", "Equities Trading"), ("group", "Pilot Desks")],
        [("group", "Trading"), ("group", "Equities Trading"), ("group", "Pilot Desks"), ("user", "ada.birch")],
    ]
    expiries = [system_for(demo, *way)["notifications"]["toastExpiry"] for way in ways]
    assert len(set(expiries)) == len(ways)
    versions: list[list[tuple[str, str]]] = [[], [("version", "10")], [("version", "10"), ("version", "10.1")]]
    selectors = [system_for(demo, *way)["windows"]["channelSelector"]["type"] for way in versions]
    assert len(set(selectors)) == len(versions)


def test_one_local_only_property_is_there_by_mistake(demo: DemoContent) -> None:
    found = []
    for config in demo.configs:
        if config["file"] != "system.json":
            continue
        found += [(scope_of(config), name) for name in config["contents"] if name in LOCAL_ONLY]
        assert "hardwareAcceleration" not in config["contents"].get("windowManagement", {})
    assert found == [(("group", "Operations"), "splash")]


def test_desktops_are_varied_and_marked_as_simulated(demo: DemoContent) -> None:
    assert {desktop["version"] for desktop in demo.desktops} == {"9.10", "10.0.3", "10.1"}
    assert {desktop["product"] for desktop in demo.desktops} == {"desktop", "browser"}
    assert {desktop["online"] for desktop in demo.desktops} == {True, False}
    disabled = {user["id"] for user in demo.users if user.get("disabled")}
    for desktop in demo.desktops:
        assert desktop["user"] in user_ids(demo)
        assert set(desktop["commands"]) <= COMMANDS
        assert desktop["machine"].keys() == {"name", "os", "cpu", "memory", "displays", "simulated"}
        assert desktop["machine"]["name"].startswith("SIMULATED-")
        assert desktop["machine"]["simulated"] is True
        assert not (desktop["online"] and desktop["user"] in disabled)
    # Every live desktop takes this one, so that a command can be sent to all of them at once.
    assert all("GetSystemInfo" in desktop["commands"] for desktop in demo.desktops if desktop["online"])


def test_machines_of_one_name_are_the_same(demo: DemoContent) -> None:
    machines = [desktop["machine"] for desktop in demo.desktops]
    by_name = {machine["name"]: machine for machine in machines}
    assert all(by_name[machine["name"]] == machine for machine in machines)


def test_past_sessions_are_on_machines_of_the_firm_and_lie_in_the_past(demo: DemoContent) -> None:
    offline = {desktop["machine"]["name"] for desktop in demo.desktops if not desktop["online"]}
    assert {session["machine"] for session in demo.sessions} == {one["machine"]["name"] for one in demo.desktops}
    for session in demo.sessions:
        assert session["user"] in user_ids(demo)
        assert 0 < session["minutes"] < session["minutesAgo"]
        # An open session on a machine whose desktop is online would look like a second desktop.
        assert session.get("ended", True) or session["machine"] in offline


def test_commands_fit_their_sessions(demo: DemoContent) -> None:
    assert {command["status"] for command in demo.commands} == {"pending", "done", "failed"}
    supported = {desktop["machine"]["name"]: desktop["commands"] for desktop in reversed(demo.desktops)}
    for command in demo.commands:
        session = demo.sessions[command["session"]]
        assert command["command"] in supported[session["machine"]]
        assert not session.get("ended", True) or command["status"] != "pending"
        assert ("data" in command) == (command["status"] != "pending")
        assert 0 < command["minute"] < session["minutesAgo"]


def test_crashes_and_feedback_are_partly_reviewed(demo: DemoContent) -> None:
    for crash in demo.crashes:
        assert crash["fields"].keys() >= CRASH_FIELDS
        assert all(isinstance(value, str) for value in crash["fields"].values())
        assert crash["minidump"]
    for items in (demo.crashes, demo.feedback):
        assert {item.get("reviewed", False) for item in items} == {True, False}
        assert any("comment" in item for item in items)
        assert all((item["minutesAgo"] > 0) != item.get("afterChanges", False) for item in items)
    assert any("attachment" in item for item in demo.feedback)


def test_every_app_definition_is_sound(demo: DemoContent) -> None:
    problems = {app["definition"]["name"]: check_app(app["definition"]) for app in demo.apps}
    assert {name: found for name, found in problems.items() if found} == {}


def test_every_layout_definition_is_sound(demo: DemoContent) -> None:
    problems = {layout["definition"]["name"]: check_layout(layout["definition"]) for layout in demo.layouts}
    assert {name: found for name, found in problems.items() if found} == {}


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("groups", NewGroup),
        ("users", NewUser),
        ("apps", AppEntry),
        ("layouts", LayoutEntry),
        ("preferences", NewPreference),
        ("configs", ConfigDocument),
    ],
)
def test_every_item_is_a_body_the_admin_api_takes(demo: DemoContent, kind: str, body: type[BaseModel]) -> None:
    for item in getattr(demo, kind):
        body.model_validate(item)


def test_windows_of_the_demo_use_only_what_windows_can_do(demo: DemoContent) -> None:
    found = [(app["definition"]["name"], *each) for app in demo.apps for each in unsupported_details(app["definition"])]
    assert found == []

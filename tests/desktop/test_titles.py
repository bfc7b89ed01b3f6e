"""Titles of running apps: the format of the settings, and what goes over it."""

from typing import Any

import pytest

from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.hosts.reports import DocumentTitled, Retitled
from rostrum.desktop.status_file import StatusFile
from tests.desktop.services.test_windows import LONG, Client
from tests.desktop.test_platform import APPS, Desk, desk, host_reports, until

__all__ = ["desk"]

FORMAT = {"titleFormat": "{title} #{instanceIndex}"}


def page(**details: Any) -> dict[str, Any]:
    return {"url": "https://x", **details}


@pytest.mark.setting("applications.titleFormat", "syncTitleWithDocumentTitle")
@pytest.mark.rule("R-2.15-17")
async def test_titles_set_by_code_and_by_documents_go_over_the_format(desk: Desk) -> None:
    desk.write_app("plain", title="Plain")
    desk.write_app("synced", details=page(syncTitleWithDocumentTitle=True))
    desk.write_app("kept", details=page(syncTitleWithDocumentTitle="preserveCustomTitle"))
    desk.write_app("frame", type="workspaces", details=page(syncTitleWithDocumentTitle=True))
    desk.write_app("tool", **LONG)
    tabs_in_taskbar = {"group": {"tabs": {"showSelectedTabTitleInTaskbar": True}}}
    desk.system(**APPS, applications=FORMAT, windowManagement=tabs_in_taskbar)
    apps = ("plain", "synced", "kept", "frame", "tool")
    status = StatusFile(desk.root / "UserData")
    async with desk.running() as platform:
        client = await Client.of(platform)
        plain, synced, kept, frame, _ = started = [await client.start(app) for app in apps]

        def titles() -> list[str]:
            shown = {one["id"]: one["title"] for one in (status.read() or {})["instances"]}
            assert all(desk.host.titles[one] == shown[one] for one in desk.host.windows)
            return [shown[one] for one in started]

        assert titles() == ["Plain #1", "synced", "kept", "frame", "tool #1"]
        for one in (plain, synced, kept, frame):
            await host_reports(desk, DocumentTitled(instance=one, title="Inbox (3)"))
        assert titles() == ["Plain #1", "Inbox (3)", "Inbox (3)", "Inbox (3)", "tool #1"]
        await client.call("Tabs.Join", instance=plain, to=kept)
        changes = await client.changes()
        for one in started:
            await client.call("Windows.SetTitle", instance=one, title="Set")
        assert titles() == ["Set"] * 5
        assert await changes() == {"retitled": plain, "title": "Set"}
        (tabs,) = desk.host.tabs.values()
        assert tabs.taskbar_title == "Set"
        for one in (plain, synced, kept, frame):
            await host_reports(desk, DocumentTitled(instance=one, title="Inbox (4)"))
            await host_reports(desk, DocumentTitled(instance=one, title=""))
        assert titles() == ["Set", "Inbox (4)", "Set", "Inbox (4)", "Set"]
        assert (await client.start("plain"), platform.services.instances.all[-1].title)[1] == "Plain #2"


async def test_a_layout_keeps_titles_of_code_and_people_and_a_page_that_renames_itself_changes_none(
    desk: Desk,
) -> None:
    desk.write_app("clock", title="Clock", details=page(syncTitleWithDocumentTitle="preserveCustomTitle"))
    desk.system(**APPS, applications=FORMAT)
    async with desk.running() as platform:
        client = await Client.of(platform)
        code, person, document = [await client.start("clock") for _ in range(3)]
        own = await Client.of(platform, "clock", instance=code)
        await own.call("Windows.SetTitle", title="By code")
        await host_reports(desk, Retitled(instance=person, title="By a person"))
        saved = (await client.call("Layouts.Save", name="Morning"))["layout"]["components"]
        states = [one["state"] for one in saved]
        assert [(one.get("customTitle"), one.get("userTitle")) for one in states] == [
            ("By code", None),
            (None, "By a person"),
            (None, None),
        ]
        await host_reports(desk, DocumentTitled(instance=document, title="12:00"))
        assert not platform.services.layouts.changed
        for instance in (code, person, document):
            await client.call("Instances.Stop", instance=instance)
        await client.call("Layouts.Restore", name="Morning")
        for one in platform.services.instances.all:
            await host_reports(desk, DocumentTitled(instance=one.id, title="12:01"))
        assert [one.title for one in platform.services.instances.all] == ["By code", "By a person", "12:01"]
        for wrong, said in (
            ({"title": "x"}, "instance must be text"),
            ({"instance": "nobody's", "title": "x"}, 'there is no instance "nobody\'s"'),
            ({"instance": platform.services.instances.all[0].id}, "title must be text"),
            ({"instance": platform.services.instances.all[0].id, "title": "x" * 1001}, "at most 1000 characters"),
        ):
            assert said in await client.refused("Windows.SetTitle", **wrong)


@pytest.mark.rule("R-2.17-1")
async def test_the_channel_selectors_of_native_apps_reach_the_host(desk: Desk) -> None:
    desk.host = RecordingHost(native=("clickonce", "citrix"))
    own = {"channelSelector": {"enabled": True, "readOnly": True, "channelId": "Red"}}
    desk.write_app("tool", type="exe", details={**LONG["details"], **own})
    desk.write_app("quiet", **LONG)
    desk.write_app("old", type="clickonce", details={"url": "https://x/old.application", **own})
    desk.write_app("far", type="citrix", details={"name": "Far", **own})
    desk.system(**APPS, channels={"definitions": [{"name": "Red", "meta": {"color": "red"}}]})
    async with desk.running() as platform:
        client = await Client.of(platform)
        tool, _, old, far = [await client.start(app) for app in ("tool", "quiet", "old", "far")]
        await until(lambda: bool(desk.host.selectors))
        natives = [desk.host.windows[one].chrome.selector for one in (old, far)]
        assert [*desk.host.selectors] == [tool]
        for selector in (desk.host.selectors[tool], *natives):
            assert selector is not None
            assert (selector.channel, selector.read_only, selector.type) == ("Red", True, "single")
        assert [platform.services.channels.of(one) for one in (tool, old, far)] == [("Red",)] * 3
        for one in (tool, old, far):
            await client.call("Instances.Stop", instance=one)
        await until(lambda: not desk.host.selectors and not desk.host.windows)


async def test_the_tab_title_of_an_older_definition_is_its_title_if_it_has_no_other(desk: Desk) -> None:
    desk.write_app("older", details=page(tabTitle="Orders"))
    desk.write_app("newer", title="Newer", details=page(tabTitle="Orders"))
    desk.system(**APPS)
    async with desk.running() as platform:
        started = [await platform.services.instances.start(app) for app in ("older", "newer")]
        assert [one.title for one in started] == ["Orders", "Newer"]

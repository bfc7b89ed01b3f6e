"""What the platform's own pages may call, what they may not, and what they are sent."""

from pathlib import Path
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.reports import OwnPageClosed, PageCall
from rostrum.desktop.services.own_pages import METHODS_OF_PAGES
from rostrum.desktop.services.page_contents import components, log_names, log_tail
from rostrum.desktop.windows.own_pages import OWN_PAGES, WINDOW_PAGES
from tests.desktop.test_platform import APPS, Desk, until


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path / "desk")
    desk.write_app("clock", title="Clock")
    desk.system(**APPS, channels={"definitions": [{"name": "Red", "meta": {"color": "red"}}]})
    return desk


def topics(desk: Desk) -> set[str]:
    sent = [given for name, given in desk.host.calls if name == "page event"]
    return {data["topic"] for event, data in sent if event == "changed"}


def test_every_page_has_its_methods_and_files() -> None:
    assert set(METHODS_OF_PAGES) == {*OWN_PAGES, *WINDOW_PAGES}
    root = Path(__file__).resolve().parents[3]
    folder = root / "src" / "rostrum" / "desktop" / "pages"
    scripts = {"workspaces": root / "platform-ui" / "desktop-workspaces" / "page.ts"}
    for name in METHODS_OF_PAGES:
        used = scripts.get(name, folder / f"{name}.js").read_text("utf-8")
        assert (folder / f"{name}.html").is_file()
        unused = {method for method in METHODS_OF_PAGES[name] if method.rpartition(".")[2] not in used}
        assert unused <= {"Pages.Theme"}, f"{name} may call what it does not need"


async def test_a_page_may_call_only_what_it_is_for(desk: Desk) -> None:
    async with desk.running() as platform:
        ask = platform.reports.ask
        everything = frozenset().union(
            *METHODS_OF_PAGES.values(), {"Rostrum.Apps.Add", "__init__", "", "T42.ACS.Shutdown"}
        )
        for page, allowed in {**METHODS_OF_PAGES, "": frozenset[str](), "other": frozenset[str]()}.items():
            for method in everything - allowed:
                with pytest.raises(DesktopError, match="may not call"):
                    await ask(PageCall(page=page, method=method))
        # Neither does a name of a page help the page of an app.
        with pytest.raises(DesktopError, match="may not call"):
            await ask(PageCall(instance="x", method="Rostrum.Apps.Start", arguments={"name": "clock"}))
        assert platform.services.instances.all == ()


@pytest.mark.parametrize(
    ("page", "method", "arguments"),
    [
        ("launcher", "Pages.Show", {"page": "../../etc/passwd"}),
        ("launcher", "Pages.Show", {}),
        ("launcher", "Pages.Focus", {"instance": "nobody"}),
        ("launcher", "Pages.SetChannel", {"instance": "nobody", "channel": "Red"}),
        ("launcher", "Rostrum.Apps.Start", {"name": "nothing"}),
        ("launcher", "Rostrum.Apps.Start", {"name": ["clock"]}),
        ("feedback", "Pages.SendFeedback", {"description": "x" * 10_001}),
        ("feedback", "Pages.SendFeedback", {"description": {}}),
        ("logs", "Pages.LogTail", {"file": "../key.json"}),
        ("logs", "Pages.LogTail", {"file": "/etc/passwd"}),
    ],
)
async def test_wrong_arguments_are_refused_with_a_reason(
    desk: Desk, page: str, method: str, arguments: dict[str, Any]
) -> None:
    async with desk.running() as platform:
        with pytest.raises(DesktopError) as refused:
            await platform.reports.ask(PageCall(page=page, method=method, arguments=arguments))
        assert str(refused.value)
        assert not [one for one in desk.host.calls if one[0] == "own page"]


async def test_open_pages_are_notified_of_changes_and_closed_ones_are_not(desk: Desk) -> None:
    async with desk.running() as platform:
        await platform.services.instances.start("clock")
        await platform.services.own_pages.show("open")
        assert desk.host.calls[-1] == ("own page", "launcher")
        one = await platform.services.instances.start("clock")
        platform.services.channels.join(one.id, "Red")
        await platform.services.notifications.raise_("clock", "Ding")
        expected = {"instances", "channels", "notifications"}
        await until(lambda: topics(desk) == expected)
        platform.reports.report(OwnPageClosed(page="launcher"))
        desk.host.calls.clear()
        await platform.services.instances.stop(one.id)
        await platform.services.own_pages.show("about")
        await platform.services.notifications.raise_("clock", "Ding")
        await until(lambda: "notifications" in topics(desk))
        assert "instances" not in topics(desk)


async def test_a_page_that_calls_while_the_platform_ends_gets_a_reason(desk: Desk) -> None:
    async with desk.running() as platform:
        ask = platform.reports.ask
    with pytest.raises(DesktopError, match="no longer connected"):
        await ask(PageCall(page="launcher", method="Rostrum.Apps.List"))


async def test_a_channel_that_is_not_there_is_refused(desk: Desk) -> None:
    async with desk.running() as platform:
        one = await platform.services.instances.start("clock")
        arguments = {"instance": one.id, "channel": "Green"}
        with pytest.raises(DesktopError, match="Green"):
            await platform.reports.ask(PageCall(page="launcher", method="Pages.SetChannel", arguments=arguments))


def test_only_the_end_of_a_long_log_is_read_and_links_are_not_followed(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    assert log_names(logs) == []
    (logs / "apps").mkdir(parents=True)
    secret = tmp_path / "key.json"
    secret.write_text("secret")
    (logs / "link.log").symlink_to(secret)
    (logs / "apps" / "clock.log").write_bytes(b"first\n" + b"x" * 200_000 + b"\n" + "last ß\n".encode() * 3 + b"\xff\n")
    assert log_names(logs) == ["apps/clock.log"]
    tail = log_tail(logs, "apps/clock.log")
    assert tail.endswith("last ß\n�\n")
    assert "first" not in tail
    for name in ("link.log", "../key.json", "apps", ""):
        with pytest.raises(DesktopError):
            log_tail(logs, name)


def test_components_are_listed_with_their_licences() -> None:
    found = {one["name"]: one for one in components()}
    assert found["httpx"]["licence"].startswith("BSD")
    assert all(one["version"] and one["licence"] for one in found.values())
    assert "rostrum" not in found

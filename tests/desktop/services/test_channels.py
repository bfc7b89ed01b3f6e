"""Channels: several at once, restrictions, channels added by apps, and the selectors of windows."""

import asyncio
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.reports import ChannelChosen
from rostrum.desktop.services.channels import Channels, Joined
from rostrum.desktop.services.instances import StartedBy
from tests.desktop.test_platform import APPS, Desk, desk, until
from tests.desktop.test_services_without_windows import RED, settings

__all__ = ["desk"]

BLUE = {"name": "Blue", "meta": {"color": "#00f"}}


class Contexts:
    """Shared contexts in memory, as a peer of the gateway has them."""

    def __init__(self) -> None:
        self.data: dict[str, dict[str, Any]] = {}

    @property
    def names(self) -> list[str]:
        return list(self.data)

    async def get(self, name: str) -> dict[str, Any]:
        return self.data.get(name, {})

    async def set(self, name: str, data: dict[str, Any]) -> None:
        self.data[name] = data

    async def update(self, name: str, members: Any) -> None:
        self.data[name] |= members

    async def destroy(self, name: str) -> None:
        del self.data[name]


def make() -> Channels:
    return Channels(settings(channels={"definitions": [RED, BLUE]}).channels, Contexts())


async def test_an_instance_is_in_several_channels_only_where_its_selector_allows_it() -> None:
    channels = make()
    heard: list[Joined] = []
    channels.joined.connect(heard.append)
    channels.admit("one")
    channels.admit("many", several=True)
    for instance in ("one", "many"):
        channels.join(instance, "Red")
        channels.join(instance, "Blue", by="p1")
    assert (channels.of("one"), channels.of("many")) == (("Blue",), ("Red", "Blue"))
    assert heard[-1] == Joined(instance="many", channels=("Red", "Blue"), before=("Red",), by="p1")
    with pytest.raises(DesktopError, match="one channel only"):
        channels.choose("one", ["Red", "Blue"])
    channels.leave("many", "Red")
    assert channels.of("many") == ("Blue",)
    channels.choose("many", ["Blue"])
    assert len(heard) == 5
    channels.forget("many")
    assert [*channels.members] == ["one"]


async def test_restrictions_change_part_by_part_and_end_with_the_instance() -> None:
    channels = make()
    heard: list[str] = []
    channels.restricted.connect(heard.append)
    channels.restrict("one", "Red", write=False)
    channels.restrict("one", "Red", read=False)
    channels.restrict_all("two", write=False)
    red = channels.restrictions("one")["Red"]
    assert (red.read, red.write, heard) == (False, False, ["one", "one", "two"])
    assert [*channels.restrictions("two")] == ["Red", "Blue"]
    with pytest.raises(DesktopError, match="there is no channel 'Pink'"):
        channels.restrict("one", "Pink", read=False)
    channels.forget("one")
    assert channels.restrictions("one") == {}


async def test_a_definition_keeps_restrictions_that_apps_cannot_change(desk: Desk) -> None:
    selector = {"enabled": True, "preventModifyingRestrictionsFor": [{"name": "Red", "read": True, "write": False}]}
    desk.write_app("clock", details={"url": "https://x", "channelSelector": selector})
    desk.system(**APPS, channels={"definitions": [RED, BLUE]})
    async with desk.running() as platform:
        channels, clock = platform.services.channels, (await platform.services.instances.start("clock")).id
        with pytest.raises(DesktopError, match="keeps its restrictions for the channel Red"):
            channels.restrict(clock, "Red", read=False)
        channels.restrict_all(clock, read=False, write=False)
        found = {name: (one.read, one.write) for name, one in channels.restrictions(clock).items()}
        assert found == {"Red": (True, False), "Blue": (False, False)}


async def test_windows_of_an_app_that_passes_its_channel_on_start_in_it(desk: Desk) -> None:
    own = {"url": "https://x", "channelSelector": {"enabled": True, "channelId": "Blue"}}
    desk.write_app("clock", childrenInheritChannel=["mail", "own"])
    desk.write_app("mail")
    desk.write_app("other")
    desk.write_app("own", details=own)
    desk.system(**APPS, channels={"definitions": [RED, BLUE]})
    async with desk.running() as platform:
        channels, instances = platform.services.channels, platform.services.instances
        clock = await instances.start("clock")
        channels.join(clock.id, "Red")
        by = StartedBy(kind="application", app="clock", instance=clock.id)
        started = [await instances.start(name, started_by=by) for name in ("mail", "other", "own")]
        assert [channels.of(one.id) for one in started] == [("Red",), (), ("Blue",)]


async def test_apps_add_channels_and_remove_those_that_the_configuration_does_not_define() -> None:
    channels = make()
    await channels.add("Pink", "pink", "Pinkish")
    channels.join("one", "Pink")
    for name in ("Pink", "Red"):
        with pytest.raises(DesktopError, match=f"Channel with name '{name}' already exists"):
            await channels.add(name, "red")
    for name in ("", "a+++b", "x" * 201):
        with pytest.raises(DesktopError, match="1 to 200 characters"):
            await channels.add(name, "red")
    assert channels.described["Pink"] == {"color": "pink", "label": "Pinkish"}
    await channels.remove("Pink")
    assert (channels.names, channels.of("one")) == (("Red", "Blue"), ())
    with pytest.raises(DesktopError, match="is defined in the configuration"):
        await channels.remove("Red")
    for number in range(200):
        await channels.add(f"c{number}", "red")
    with pytest.raises(DesktopError, match="200 channels"):
        await channels.add("one more", "red")


async def test_the_selector_of_a_window_and_the_service_follow_each_other(desk: Desk) -> None:
    desk.write_app("clock", details={"url": "https://x", "channelSelector": {"enabled": True, "channelId": "Red"}})
    desk.system(**APPS, channels={"definitions": [RED, BLUE]})
    async with desk.running() as platform:
        assert [(one.name, one.color) for one in desk.host.channels] == [("Red", "red"), ("Blue", "#00f")]
        clock = (await platform.services.instances.start("clock")).id
        await until(lambda: desk.host.channel_of.get(clock) == ("Red",))
        desk.host.reports.report(ChannelChosen(instance=clock, channels=("Blue",)))
        assert platform.services.channels.of(clock) == ("Blue",)
        await until(lambda: desk.host.channel_of.get(clock) == ("Blue",))
        # A choice that is refused is shown as it was.
        desk.host.channel_of.clear()
        desk.host.reports.report(ChannelChosen(instance=clock, channels=("Gone",)))
        await until(lambda: desk.host.channel_of.get(clock) == ("Blue",))
        desk.host.reports.report(ChannelChosen(instance=clock))
        await until(lambda: desk.host.channel_of.get(clock) == ())
        await platform.services.channels.add("Pink", "pink")
        await until(lambda: len(desk.host.channels) == 3)
        await asyncio.sleep(0)

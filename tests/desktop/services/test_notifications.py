"""Notifications under every setting."""

import asyncio
from itertools import count
from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.recording import RecordingHost
from rostrum.desktop.services.notifications import Notifications
from rostrum.settings.parse import parse_system


class Timer:
    """A sleep that ends when a test requests it."""

    def __init__(self) -> None:
        self.asked: list[tuple[float, asyncio.Event]] = []

    async def __call__(self, seconds: float) -> None:
        event = asyncio.Event()
        self.asked.append((seconds, event))
        await event.wait()

    async def ring(self) -> float:
        """End the oldest pause and let everything that follows happen."""
        for _ in range(5):
            await asyncio.sleep(0)
        seconds, event = self.asked.pop(0)
        event.set()
        for _ in range(5):
            await asyncio.sleep(0)
        return seconds


def make(timer: Timer | None = None, **settings: Any) -> tuple[Notifications, RecordingHost]:
    host, numbers = RecordingHost(), count(1)
    parsed = parse_system({"notifications": settings})
    assert not parsed.problems
    service = Notifications(
        parsed.settings.notifications, host, new_id=lambda: str(next(numbers)), sleep=timer or Timer()
    )
    return service, host


@pytest.mark.setting("notifications.enabled", "notifications.enableToasts")
@pytest.mark.rule("R-2.15-5")
@pytest.mark.parametrize(("enabled", "toasts"), [(True, True), (True, False), (False, True), (False, False)])
async def test_notifications_and_toasts_are_switched_apart(enabled: bool, toasts: bool) -> None:
    service, host = make(enabled=enabled, enableToasts=toasts)
    if not enabled:
        with pytest.raises(DesktopError, match=r"notifications\.enabled"):
            await service.raise_("clock", "Ring")
    else:
        await service.raise_("clock", "Ring", "wake up", "High")
        assert [one.title for one in service.all] == ["Ring"]
    assert len(host.toasts) == (1 if enabled and toasts else 0)
    await service.close_all()


@pytest.mark.setting("notifications.toastExpiry")
@pytest.mark.rule("L-D-14")
@pytest.mark.rule("R-2.15-6")
@pytest.mark.parametrize(("members", "seconds"), [({}, 15), ({"toastExpiry": 2500}, 2.5)])
async def test_a_toast_goes_after_its_time_and_the_notification_stays(members: Any, seconds: float) -> None:
    timer = Timer()
    service, host = make(timer, **members)
    await service.raise_("clock", "Ring")
    assert await timer.ring() == seconds
    assert (host.toasts, len(service.all)) == ({}, 1)


@pytest.mark.setting("notifications.snooze.enabled", "notifications.snooze.duration")
@pytest.mark.rule("R-2.15-7", "L-D-15", "T-D-14")
@pytest.mark.parametrize(("members", "seconds"), [({}, 60), ({"duration": 9000}, 9)])
async def test_a_notification_that_is_put_off_comes_back(members: Any, seconds: float) -> None:
    timer = Timer()
    service, host = make(timer, snooze={"enabled": True, **members})
    raised = await service.raise_("clock", "Ring")
    await service.snooze(raised.id)
    assert (host.toasts, service.all) == ({}, ())
    assert await timer.ring() == seconds
    assert ([*host.toasts], len(service.all)) == (["1"], 1)
    await service.close_all()


@pytest.mark.rule("R-2.15-7", "T-D-14")
async def test_putting_off_is_refused_by_default() -> None:
    service, _ = make()
    raised = await service.raise_("clock", "Ring")
    with pytest.raises(DesktopError, match=r"notifications\.snooze\.enabled"):
        await service.snooze(raised.id)
    await service.close_all()


@pytest.mark.setting("notifications.placement.panel", "notifications.placement.toasts")
@pytest.mark.rule("R-2.15-8")
@pytest.mark.parametrize("corner", ["top-left", "top-right", "bottom-left", "bottom-right"])
@pytest.mark.parametrize("side", ["left", "right"])
async def test_the_corner_of_toasts_and_the_side_of_the_panel(corner: str, side: str) -> None:
    service, host = make(placement={"toasts": corner, "panel": side})
    await service.raise_("clock", "Ring")
    assert (host.toasts["1"].corner, service.panel_side) == (corner, side)
    await service.close_all()


@pytest.mark.setting("notifications.sourceFilter.allowed", "notifications.sourceFilter.blocked")
@pytest.mark.rule("R-2.15-9")
@pytest.mark.parametrize(
    ("filters", "allowed"),
    [
        ({}, True),
        ({"allowed": ["clock"]}, True),
        ({"allowed": ["other"]}, False),
        ({"blocked": ["clock"]}, False),
        ({"allowed": ["clock"], "blocked": ["clock"]}, False),
        ({"blocked": ["other"]}, True),
        ({"blocked": ["*"]}, False),
    ],
)
async def test_the_filter_determines_which_apps_may_notify(filters: Any, allowed: bool) -> None:
    service, _ = make(sourceFilter=filters)
    if allowed:
        await service.raise_("clock", "Ring")
    else:
        with pytest.raises(DesktopError, match="clock may not raise notifications"):
            await service.raise_("clock", "Ring")
    assert bool(service.all) is allowed
    await service.close_all()


@pytest.mark.setting("notifications.toasts.mode", "notifications.toasts.stackBy")
@pytest.mark.rule("R-2.15-10")
@pytest.mark.parametrize(
    ("toasts", "stacks"),
    [
        ({}, [None, None]),
        ({"mode": "stacked"}, ["High", "Low"]),
        ({"mode": "stacked", "stackBy": "application"}, ["clock", "mail"]),
    ],
)
async def test_toasts_are_single_or_in_stacks(toasts: Any, stacks: Any) -> None:
    service, host = make(toasts=toasts)
    await service.raise_("clock", "a", severity="High")
    await service.raise_("mail", "b", severity="Low")
    assert [toast.stack for toast in host.toasts.values()] == stacks
    await service.close_all()


@pytest.mark.setting("notifications.closeNotificationOnClick")
@pytest.mark.parametrize(("closes", "left"), [(True, 0), (False, 1)])
async def test_a_click_closes_the_notification_when_it_should(closes: bool, left: int) -> None:
    service, host = make(closeNotificationOnClick=closes)
    raised = await service.raise_("clock", "Ring")
    await service.click(raised.id)
    assert (len(service.all), host.toasts) == (left, {})


@pytest.mark.setting("notifications.showNotificationBadge")
async def test_the_badge_counts_when_it_is_shown() -> None:
    service, _ = make(showNotificationBadge=True)
    heard: list[int] = []
    service.changed.connect(heard.append)
    raised = await service.raise_("clock", "Ring")
    assert service.badge == 1
    await service.close(raised.id)
    assert (service.badge, heard) == (0, [1, 0])
    assert make()[0].badge is None


async def test_an_unknown_severity_is_refused() -> None:
    with pytest.raises(DesktopError, match="the severity must be one of"):
        await make()[0].raise_("clock", "Ring", severity="Loud")


async def test_the_number_of_notifications_is_bounded() -> None:
    service, host = make(enableToasts=False, mostPerMinute=2000)
    for _ in range(1005):
        await service.raise_("clock", "Ring")
    assert len(service.all) == 1000
    assert host.toasts == {}


async def test_an_app_raises_a_limited_number_and_hides_no_others() -> None:
    service, host = make()
    now = [0.0]
    service._monotonic = lambda: now[0]
    for _ in range(120):
        await service.raise_("evil", "Buy")
    for _ in range(12_000):
        with pytest.raises(DesktopError, match="120 notifications in a minute"):
            await service.raise_("evil", "Buy")
    # Five toasts, and one for all others.
    assert [one.title for one in host.toasts.values()] == ["Buy"] * 5 + ["115 more notifications"]
    await service.raise_("bank", "Transfer?")
    assert host.toasts[service.all[-1].id].title == "Transfer?"
    now[0] += 1
    for _ in range(2):
        await service.raise_("evil", "Buy")
    with pytest.raises(DesktopError):
        await service.raise_("evil", "Buy")


async def test_a_click_on_the_toast_for_several_opens_the_panel() -> None:
    service, host = make()
    for _ in range(7):
        await service.raise_("clock", "Ring")
    *_, merged = host.toasts
    await service.click(merged)
    assert service.panel_visible
    assert merged not in host.toasts
    assert len(service.all) == 7


async def test_a_notification_cannot_disguise_its_text_or_its_app() -> None:
    service, host = make()
    raised = await service.raise_("evil", "Pay \u202eknab", "a\u2066b\x07\nc")
    assert (raised.title, raised.body) == ("Pay knab", "ab\nc")
    assert host.toasts[raised.id].app == "evil"
    assert host.toasts[(await service.raise_(None, "x")).id].app == "A program"

"""When a poller sends requests: at intervals, after announcements, and again after a failure."""

import asyncio
from collections.abc import Callable

import pytest

from rostrum.client.changes import ChangeFeed, ManagerChanges
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service
from rostrum.stores.errors import StoreFailed
from rostrum.stores.poll import Poller

PATIENCE = 60


class Asked:
    """Counts questions; the first ones fail as often as a test says."""

    def __init__(self, failures: int = 0) -> None:
        self.times = 0
        self._failures = failures
        self._more = asyncio.Event()

    async def ask(self) -> None:
        self.times += 1
        self._more.set()
        if self.times <= self._failures:
            raise StoreFailed("away")

    async def until(self, times: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while self.times < times:
                self._more.clear()
                await self._more.wait()


@pytest.fixture
def feed() -> ChangeFeed:
    """A manager that reports changes, as far as anybody knows."""
    changes = ManagerChanges(ManagerClient(Service("http://127.0.0.1:9/api")))
    changes.connected = True
    return ChangeFeed(changes, "apps")


async def asking(asked: Asked, times: int, act: Callable[[Poller], None] = lambda _: None, **options: object) -> None:
    poller = Poller("x", asked.ask, **options)  # type: ignore[arg-type]
    poller.listen()
    poller.start()
    act(poller)
    await asked.until(times)
    await poller.stop()


async def test_it_asks_every_so_often() -> None:
    await asking(Asked(), 3, interval=0.001)


async def test_it_asks_when_the_manager_announces_its_kind(feed: ChangeFeed) -> None:
    asked = Asked()
    await asking(asked, 1, lambda _: feed.changes.changed.emit("apps"), interval=0, feed=feed)
    assert asked.times == 1


async def test_it_is_notified_of_no_other_kind_and_of_nothing_after_the_end(feed: ChangeFeed) -> None:
    asked = Asked()

    def act(poller: Poller) -> None:
        feed.changes.changed.emit("layouts")
        assert not poller._woken.is_set()
        feed.changes.changed.emit("apps")

    await asking(asked, 1, act, interval=0, feed=feed)
    feed.changes.changed.emit("apps")
    assert asked.times == 1


async def test_a_turn_is_spared_while_the_manager_announces_changes(feed: ChangeFeed) -> None:
    asked, turns = Asked(), asyncio.Event()

    def needed() -> bool:
        turns.set()
        return poller.polling_required()

    poller = Poller("x", asked.ask, 0.001, needed=needed, feed=feed)
    poller.start()
    async with asyncio.timeout(PATIENCE):
        await turns.wait()
    assert asked.times == 0
    feed.changes.connected = False
    await asked.until(1)
    await poller.stop()


async def test_a_question_that_failed_is_asked_again_although_the_manager_announces_changes(feed: ChangeFeed) -> None:
    await asking(Asked(failures=3), 4, lambda poller: poller.wake(), interval=3600, feed=feed, again=0.001)


async def test_after_the_failure_of_another_caller_it_retries_early(feed: ChangeFeed) -> None:
    await asking(Asked(), 1, lambda poller: poller.failed(), interval=3600, feed=feed, again=0.001)


async def test_a_turn_that_breaks_does_not_end_the_others(caplog: pytest.LogCaptureFixture) -> None:
    asked = Asked()

    async def break_once() -> None:
        await asked.ask()
        if asked.times == 1:
            raise ZeroDivisionError

    poller = Poller("x", break_once, 3600, again=0.001)
    poller.start()
    poller.wake()
    await asked.until(2)
    await poller.stop()
    assert "a poll failed" in caplog.text


async def test_who_asks_waits_for_the_answer_but_not_for_ever() -> None:
    asked, never = Asked(), asyncio.Event()
    poller = Poller("x", asked.ask, 0)
    await poller.ask()
    assert asked.times == 1
    stuck = Poller("y", never.wait, 0)
    await stuck.ask(patience=0.001)
    await stuck.stop()
    await poller.stop()


async def test_it_states_why_the_service_is_offline_and_reports_each_change_once() -> None:
    asked, turns = Asked(failures=2), []
    poller = Poller("store", asked.ask, 0)
    poller.connectivity_changed.connect(lambda _: turns.append(poller.offline_reason is None))
    for _ in range(4):
        await poller.ask()
    assert (turns, poller.offline_reason) == ([False, True], None)
    await poller.stop()


async def test_a_slow_first_response_does_not_delay_the_start() -> None:
    answer, answered = asyncio.Event(), asyncio.Event()
    poller = Poller("slow", answer.wait, 0)
    assert await poller.open(0.01) == "no answer within 0.01 s"
    poller.connectivity_changed.connect(lambda _: answered.set())
    answer.set()
    await asyncio.wait_for(answered.wait(), 30)
    assert poller.offline_reason is None
    await poller.stop()

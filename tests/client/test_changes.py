"""Announcements of the manager, and the revisions in use."""

import pytest

from rostrum.client.changes import KINDS, ChangedContent, ChangeFeed, ManagerChanges
from rostrum.client.events import ServerEvent
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service


class Heard:
    """A stream that a test writes, and the announced kinds."""

    def __init__(self) -> None:
        self.changes = ManagerChanges(ManagerClient(Service("http://127.0.0.1:9/api")))
        self.kinds: list[ChangedContent] = []
        self.changes.changed.connect(self.kinds.append)

    def take(self, event: str, data: str = "", event_id: str = "") -> list[ChangedContent]:
        self.kinds.clear()
        self.changes._take(ServerEvent(event=event, data=data, id=event_id))
        return list(self.kinds)


def test_changes_before_the_first_stream_are_fetched_and_later_only_reported_ones() -> None:
    heard = Heard()
    assert heard.take("ready", '{"revision":5}', "5") == list(KINDS)
    assert heard.take("apps", '{"revision":6}') == ["apps"]
    assert heard.take("ready", '{"revision":6}', "6") == []
    assert heard.changes.revision == 6


@pytest.mark.parametrize("data", ["", "{", "[]", "7", '{"revision":"9"}', '{"revision":-1}', '{"revision":true}'])
def test_an_event_without_a_number_counts_and_changes_no_number(data: str) -> None:
    heard = Heard()
    heard.take("ready", '{"revision":5}', "5")
    assert heard.take("layouts", data) == ["layouts"]
    assert heard.changes.revision == 5


def test_after_a_reset_the_numbers_of_before_mean_nothing() -> None:
    heard = Heard()
    heard.take("ready", '{"revision":50}', "50")
    ChangeFeed(heard.changes, "apps").applied(50)
    assert heard.take("reset", '{"revision":3}', "3") == list(KINDS)
    assert (heard.changes.applied, heard.changes.revision) == ({}, 3)


def test_what_is_in_use_only_grows_and_growth_is_reported_once() -> None:
    changes = Heard().changes
    grown: list[None] = []
    changes.grown.connect(grown.append)
    for revision in (0, 4, 4, 2, 7):
        ChangeFeed(changes, "prefs").applied(revision)
    ChangeFeed(changes).applied(9)
    assert (changes.applied, len(grown)) == ({"prefs": 7}, 2)

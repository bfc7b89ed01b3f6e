import pickle

import pytest

from rostrum.manager.access.identity import Identity
from rostrum.manager.auth.caller import Caller, Method
from rostrum.manager.auth.credential_cache import CredentialCache
from rostrum.manager.content_versions import ContentTopic, ContentVersions

CALLER = Caller(identity=Identity.of("ann", []), method=Method.COOKIE, epoch=1)
COOKIE = (None, "a distinctive token")


def marks(**changes: int) -> ContentVersions:
    names = {topic.value: topic.name for topic in ContentTopic}
    return ContentVersions(tuple(changes.get(names.get(number, ""), 0) for number in range(max(names) + 1)))


def test_a_caller_is_known_as_long_as_nothing_changes() -> None:
    known = CredentialCache(most=10)
    known.remember(known.key(*COOKIE), CALLER, marks(PEOPLE=3), None)

    found = known.find(known.key(*COOKIE), marks(PEOPLE=3, APPS=7))

    assert found is not None
    assert found.caller is CALLER
    assert known.find(known.key(None, "another"), marks(PEOPLE=3)) is None
    assert known.find(known.key("a distinctive token", None), marks(PEOPLE=3)) is None


@pytest.mark.parametrize("topic", ["PEOPLE", "LOGINS", "CONFIGS"])
def test_changed_accounts_and_groups_invalidate_cached_callers(topic: str) -> None:
    known = CredentialCache(most=10)
    known.remember(known.key(*COOKIE), CALLER, marks(), None)

    assert known.find(known.key(*COOKIE), marks(**{topic: 1})) is None
    assert len(known) == 0


def test_a_header_goes_before_the_cookie() -> None:
    known = CredentialCache(most=10)
    known.remember(known.key(*COOKIE), CALLER, marks(), None)

    assert known.find(known.key("Bearer x", COOKIE[1]), marks()) is None


def test_only_so_many_are_known_and_the_oldest_go_first() -> None:
    known = CredentialCache(most=2)
    for name in ("one", "two"):
        known.remember(known.key(None, name), CALLER, marks(), None)
    known.find(known.key(None, "one"), marks())
    known.remember(known.key(None, "three"), CALLER, marks(), None)

    assert known.find(known.key(None, "two"), marks()) is None
    assert known.find(known.key(None, "one"), marks()) is not None
    assert len(known) == 2


def test_no_credentials_are_held() -> None:
    known = CredentialCache(most=10)
    known.remember(known.key(*COOKIE), CALLER, marks(), None)

    assert b"distinctive" not in pickle.dumps(known._entries)

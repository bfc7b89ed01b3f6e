"""Polls that are identical to an earlier one."""

from typing import Any

import pytest

from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.credential_cache import CachedCaller
from rostrum.manager.content_versions import ContentVersions
from rostrum.manager.http.repeated_polls import RepeatedPoll, RepeatedPolls
from tests.conftest import Api

SCOPE: dict[str, Any] = {
    "method": "GET",
    "scheme": "https",
    "path": "/api/apps",
    "raw_path": b"/api/apps",
    "query_string": b"",
    "headers": [(b"cookie", b"a=1"), (b"if-none-match", b'"1"')],
}
KNOWN: Any = CachedCaller(None, 0, None)  # type: ignore[arg-type]


def poll(marks: ContentVersions) -> RepeatedPoll:
    return RepeatedPoll(marks, KNOWN, "apps", 1, 304, b"", is_packed=False)


@pytest.mark.parametrize(
    "other",
    [
        {"method": "HEAD"},
        {"scheme": "http"},
        {"path": "/api/layouts"},
        {"raw_path": b"/api/%61pps"},
        {"query_string": b"a"},
        {"headers": [(b"cookie", b"a=2"), (b"if-none-match", b'"1"')]},
        {"headers": [(b"cookie", b"a=1"), (b"if-none-match", b'"2"')]},
        {"headers": [(b"cookie", b"a=1"), (b"if-none-match", b'"1"'), (b"user", b"bob")]},
        {"headers": [(b"cookie", b"a=1"), (b"cookie", b"a=1"), (b"if-none-match", b'"1"')]},
    ],
    ids=str,
)
def test_every_part_of_a_request_is_part_of_the_key(other: dict[str, Any]) -> None:
    polls = RepeatedPolls(most=10)
    assert polls.key(SCOPE) == polls.key(dict(SCOPE))
    assert polls.key(SCOPE) != polls.key({**SCOPE, **other})


def test_keys_are_different_in_each_process_and_contain_no_credentials() -> None:
    key = RepeatedPolls(most=10).key(SCOPE)
    assert b"a=1" not in key
    assert key != RepeatedPolls(most=10).key(SCOPE)


def test_a_poll_is_found_until_any_content_changes() -> None:
    polls, marks = RepeatedPolls(most=10), ContentVersions((1,))
    polls.remember(b"key", poll(marks))
    assert polls.find(b"key", marks) == poll(marks)
    assert polls.find(b"key", ContentVersions((2,))) is None
    assert polls.find(b"other", marks) is None


def test_only_the_newest_polls_are_kept() -> None:
    polls, marks = RepeatedPolls(most=2), ContentVersions((1,))
    for key in (b"1", b"2", b"1", b"3"):
        polls.remember(key, poll(marks))
    assert len(polls) == 2
    assert polls.find(b"2", marks) is None
    assert polls.find(b"1", marks) is not None


async def test_an_identical_poll_is_answered_without_looking_up_its_credentials(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await api.add_user("ann")
    opened = (await user.post("/sessions", json={})).json()
    client = api.client(headers={"Authorization": f"Bearer {opened['token']}"})
    tag = (await client.get("/apps")).headers["etag"]
    looked_up: list[str] = []
    recall = Authenticator.recall

    def counting(*arguments: Any) -> CachedCaller | None:
        looked_up.append("recall")
        return recall(*arguments)

    monkeypatch.setattr(Authenticator, "recall", counting)
    for headers in ({"If-None-Match": tag}, {"Accept-Encoding": "identity"}, {"Accept-Encoding": "gzip"}):
        expected = await client.get("/apps", headers=headers)
        await client.get("/apps", headers=headers)
        looked_up.clear()
        same = await client.get("/apps", headers=headers)
        assert looked_up == []
        assert (same.status_code, same.content) == (expected.status_code, expected.content)
        different = {"x-request-id", "date"}
        assert {name: value for name, value in same.headers.items() if name not in different} == {
            name: value for name, value in expected.headers.items() if name not in different
        }

"""Audit entries: the same text as if each was written alone, and differences that documents of a batch share."""

import json
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from rostrum.manager.audit.model import entry_writer, shown_changes, written_changes, written_one_by_one
from rostrum.manager.changes.origin import BatchContext, ChangeContext, Reason, RequestOrigin
from rostrum.manager.history.journal import Change
from rostrum.manager.kinds import Action, Kind


def change(key: str, before: Any, after: Any, secrets: tuple[str, ...] = ()) -> Change:
    texts = (None if value is None else json.dumps(value, separators=(",", ":")) for value in (before, after))
    first, second = texts
    return Change(
        kind=Kind.USER, key=key, action=Action.CHANGED, text_before=first, after=second, secrets=secrets, owner=None
    )


@pytest.mark.parametrize("comment", ["", 'a "quoted" \\ comment\n', "with \0 and \u2028", "é"])
def test_entries_are_canonical_texts(comment: str) -> None:
    context = ChangeContext(
        revision=7,
        at=datetime(2026, 11, 17, 12, tzinfo=UTC),
        actor="\0admin",
        origin=RequestOrigin(operation="changeUser", address="10.0.0.1", token="nightly"),
        batch=BatchContext(id="b1", comment=comment),
        reason=Reason(comment=comment, ticket="T-1"),
    )
    [written] = written_one_by_one([change("ann", {"id": "ann", "disabled": False}, {"id": "ann", "disabled": True})])
    text = entry_writer(context)(41, 1, written)
    said = json.loads(text)
    assert msgspec.json.encode(said, order="deterministic").decode() == text
    assert (said["number"], said["changed"], said["changes"]) == (41, 1, json.loads(written))
    assert (said["actor"], said["batch"]["comment"], said["ticket"]) == ("\0admin", comment, "T-1")


def test_documents_of_a_batch_have_the_differences_that_they_would_have_alone() -> None:
    changes = [
        change("a", {"id": "a", "n": True}, {"id": "a", "n": 1}),
        change("b", {"id": "b", "n": 1}, {"id": "b", "n": True}),
        change("c", {"id": "c", "n": 1}, {"id": "c", "n": 1.0}),
        change("d", {"id": "d", "n": 1}, {"id": "d"}),
        change("e", {"id": "e"}, {"id": "e", "n": 1}),
        change("f", {"id": "f", "n": None}, {"id": "f", "n": 1}),
        change("g", {"id": "g"}, {"id": "g"}, ("password",)),
        change("h", {"id": "h"}, {"id": "h"}),
        change("i", {"id": "i", "list": ["x"]}, {"id": "i", "list": ["x", "y"]}),
        change("j", {"id": "j", "list": ["x"]}, {"id": "j", "list": ["x", "y"]}, ("password",)),
        change("k", {"id": "k", "password": "one"}, {"id": "k", "password": "two"}),
        change("l", {"id": "l", "text": "x" * 5000}, {"id": "l", "text": "y" * 5000}),
        change("m", None, {"id": "m", "n": 1}),
        change("n", {"id": "n", "n": 1}, None),
    ]
    both = [one for each in changes for one in (each, msgspec.structs.replace(each, key=f"{each.key}2"))]
    assert written_one_by_one(both) == [written_changes(shown_changes([one])) for one in both]

"""The list of topics: what each declares fits together."""

import re
from inspect import unwrap
from pathlib import Path
from typing import Any, get_args

import pytest
from litestar.handlers import HTTPRouteHandler

import rostrum.manager
from rostrum.base.clock import SettableClock
from rostrum.base.passwords import Passwords
from rostrum.manager.http.dependencies import Part
from rostrum.manager.kinds import BATCH_KINDS, Kind
from rostrum.manager.manager import Manager
from rostrum.manager.topics import STORAGE_PARTS, TOPICS
from rostrum.manager.web import api_handlers
from tests.conftest import manager_config

SPECIAL_SQL = ["events/notify_listener.py", "events/readers.py", "transfer/lines.py", "transfer/rows.py"]
"""Modules that read notifications, audiences and exports, which are no rows of a topic."""
MARK = get_args(Part[int])[1]


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    config = manager_config("sqlite:///nothing.db")
    return Manager.of(config, SettableClock(), Passwords(memory_kib=8, rounds=1)).resources()


def parts_of(handler: HTTPRouteHandler) -> list[tuple[str, Any]]:
    """The names and the types of the parts that a handler receives."""
    annotations = unwrap(handler.fn).__annotations__.items()
    return [(name, get_args(kind)[0]) for name, kind in annotations if MARK in get_args(kind)[1:]]


def test_every_topic_is_in_the_list_once() -> None:
    folder = Path(rostrum.manager.__file__ or "").parent
    declared = sorted(path.parent.name for path in folder.glob("*/topic.py"))
    routes = [name for topic in TOPICS for name in topic.routes]

    assert len(TOPICS) == len(declared)
    assert len(routes) == len(set(routes))


def test_every_service_that_a_handler_receives_has_the_type_that_the_handler_names(services: dict[str, Any]) -> None:
    named = [(name, kind) for handler in api_handlers() for name, kind in parts_of(handler) if name in services]
    classes = [(name, kind) for name, kind in named if not getattr(kind, "_is_protocol", False)]

    assert len(classes) > 100
    assert [(name, kind) for name, kind in classes if not isinstance(services[name], kind)] == []


def test_every_kind_that_batches_can_change_has_one_repository() -> None:
    declared = [kind for topic in TOPICS for kind in topic.repositories]

    assert sorted(declared) == sorted(BATCH_KINDS)


def test_what_belongs_to_users_and_groups_is_deleted_by_the_topics_that_own_it() -> None:
    assert {kind: len(STORAGE_PARTS.on_removed[kind]) for kind in (Kind.USER, Kind.GROUP, Kind.APP, Kind.LAYOUT)} == {
        Kind.USER: 11,
        Kind.GROUP: 5,
        Kind.APP: 1,
        Kind.LAYOUT: 1,
    }


def test_sql_stays_in_the_repositories_of_a_topic_that_has_some() -> None:
    folder = Path(rostrum.manager.__file__ or "").parent
    wrong = [
        str(path.relative_to(folder))
        for topic in {path.parent for path in folder.glob("*/*repository.py")} - {folder / "database"}
        for path in topic.glob("*.py")
        if not path.stem.endswith("repository")
        and re.search("^from sqlalchemy|^import sqlalchemy", path.read_text(), re.MULTILINE)
    ]

    assert sorted(wrong) == SPECIAL_SQL

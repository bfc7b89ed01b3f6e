"""All app stores as one: order, names in two stores, required and other failures."""

from pathlib import Path
from typing import Any

import pytest

from rostrum.base.errors import Invalid
from rostrum.stores.apps.memory_store import MemoryAppStore
from rostrum.stores.apps.path_store import PathAppStore
from rostrum.stores.apps.registry import AppRegistry
from rostrum.stores.errors import RequiredStoreFailed, StoreFailed
from tests.stores.apps.backends import app


def filled(*definitions: Any) -> MemoryAppStore:
    store = MemoryAppStore()
    store.add("test", list(definitions))
    return store


async def test_the_same_name_counts_from_the_first_store_and_is_reported() -> None:
    registry = AppRegistry([filled(app("a", title="first")), filled(app("a", title="second"), app("b"))])
    await registry.open()
    assert {name: known.definition.get("title") for name, known in registry.apps.items()} == {"a": "first", "b": None}
    assert ["a is in in-memory too" in problem.message for problem in registry.problems()] == [True]


@pytest.mark.rule("R-2.12-1", "R-2.12-2")
async def test_a_required_store_that_fails_stops_the_start_and_another_does_not(tmp_path: Path) -> None:
    there = filled(app("a"))
    optional = AppRegistry([there, PathAppStore(tmp_path / "gone", required=False)])
    await optional.open()
    assert [*optional.apps] == ["a"]
    assert ["there is no folder" in reason for reason in optional.failures.values()] == [True]
    with pytest.raises(RequiredStoreFailed, match=r"a required app store cannot be retrieved: path .*gone"):
        await AppRegistry([there, PathAppStore(tmp_path / "gone")]).open()


async def test_changes_of_any_store_are_reported_once_when_they_differ() -> None:
    store, other = filled(app("a")), filled()
    registry = AppRegistry([store, other])
    await registry.open()
    heard: list[set[str]] = []
    registry.changed.connect(lambda apps: heard.append(set(apps)))
    other.add("test", [app("b")])
    # Hidden behind the first store's own, so nothing differs.
    other.add("test", [app("a", title="hidden")])
    store.remove("test", ["a"])
    assert heard == [{"a", "b"}, {"a", "b"}]


@pytest.mark.rule("R-2.12-12")
async def test_only_allowed_apps_may_define_apps_at_run_time() -> None:
    store = MemoryAppStore(["admin tool"])
    store.add("admin tool", [app("a")])
    with pytest.raises(StoreFailed, match="other may not define apps"):
        store.add("other", [app("b")])
    with pytest.raises(StoreFailed, match="other may not define apps"):
        store.remove("other", ["a"])
    assert [*store.apps.definitions] == ["a"]


async def test_definitions_given_at_run_time_are_checked_all_or_none() -> None:
    store = MemoryAppStore()
    with pytest.raises(Invalid):
        store.add("x", [app("a"), {"name": 1}])
    assert store.apps.definitions == {}


async def test_files_of_every_kind_of_wrong_are_reported_and_the_others_count(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text('// comment\n[{"name": "a", "type": "exe", "details": {"path": "x"}},]')
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "empty.json").write_text("")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.json").write_text('{"name": "b", "type": "exe", "details": {"path": "x"}}')
    store = PathAppStore(tmp_path, watched=False)
    await store.open()
    await store.close()
    assert set(store.apps.definitions) == {"a", "b"}
    assert {problem.path.split(":")[0] for problem in store.apps.problems} == {"bad.json", "empty.json", "folder.json"}

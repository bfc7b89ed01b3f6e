"""The configOverrides folder: complete responses, their age, and other files are not touched."""

import json
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.base.json_file import DamagedFile
from rostrum.sources.overrides_cache import OverridesCache
from rostrum.sources.source import FetchedFile, RequestIdentity, Source

SOURCE = Source(type="rest", source="http://ann:secret@example.com/get?key=hidden")


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def cache(tmp_path: Path, clock: SettableClock) -> OverridesCache:
    return OverridesCache(tmp_path / "configOverrides", clock)


def files(**documents: Any) -> dict[str, FetchedFile]:
    return {f"{name}.json": FetchedFile(name=f"{name}.json", document=document) for name, document in documents.items()}


def kept_file(cache: OverridesCache) -> Path:
    (path,) = (cache.folder / ".sources").glob("*.json")
    return path


def test_an_answer_comes_back_with_its_age(cache: OverridesCache, clock: SettableClock) -> None:
    cache.save(SOURCE, files(system={"a": 1}, custom=[1]))
    clock.advance(90)
    cached = cache.load(SOURCE)
    assert cached is not None
    assert cached.age == 90
    assert cached.files == files(system={"a": 1}, custom=[1])


def test_a_clock_that_was_set_back_gives_no_negative_age(cache: OverridesCache, clock: SettableClock) -> None:
    cache.save(SOURCE, files())
    clock.advance(-60)
    cached = cache.load(SOURCE)
    assert cached is not None
    assert cached.age == 0


def test_nothing_saved_is_nothing(cache: OverridesCache) -> None:
    assert cache.load(SOURCE) is None


def test_each_address_and_each_impersonation_has_its_own(cache: OverridesCache) -> None:
    cache.save(SOURCE, files(system={}))
    other_user = Source(type="rest", source=SOURCE.source, impersonation=RequestIdentity(user="bob"))
    assert cache.load(other_user) is None
    assert cache.load(Source(type="rest", source="http://example.org/")) is None


def test_other_properties_of_the_source_do_not_matter(cache: OverridesCache) -> None:
    cache.save(SOURCE, files(system={}))
    assert cache.load(Source(type="rest", source=SOURCE.source, priority=7, rest_retries=0)) is not None


def test_no_credentials_are_kept(cache: OverridesCache) -> None:
    cache.save(SOURCE, files(system={}))
    text = kept_file(cache).read_text()
    assert "secret" not in text
    assert "hidden" not in text


@pytest.mark.parametrize("content", ["", "{", '{"version": 1, "data": {}}', '{"version": 1, "data": []}'])
def test_a_damaged_file_is_reported(cache: OverridesCache, content: str) -> None:
    cache.save(SOURCE, files(system={}))
    kept_file(cache).write_text(content)
    with pytest.raises(DamagedFile, match="cannot be used"):
        cache.load(SOURCE)


def test_a_modified_response_is_rejected(cache: OverridesCache) -> None:
    cache.save(SOURCE, files(system={}))
    kept = kept_file(cache)
    kept.write_text(kept.read_text().replace("system.json", "../../x.json"))
    with pytest.raises(DamagedFile, match="not a file name"):
        cache.load(SOURCE)


def test_a_crash_between_writing_and_renaming_keeps_the_last_answer(
    cache: OverridesCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.save(SOURCE, files(system={"a": "old"}, custom={"a": "old"}))

    def crash(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", crash)
        with pytest.raises(KeyboardInterrupt):
            cache.save(SOURCE, files(system={"a": "new"}))
    cached = cache.load(SOURCE)
    assert cached is not None
    assert cached.files == files(system={"a": "old"}, custom={"a": "old"})


def test_published_files_are_plain_json_and_replace_the_earlier_ones(cache: OverridesCache) -> None:
    cache.publish({"system.json": {"a": 1}, "old.json": {}})
    cache.publish({"system.json": {"a": 2}, "new.json": []})
    seen = {path.name: json.loads(path.read_text()) for path in cache.folder.glob("*.json")}
    assert seen == {"system.json": {"a": 2}, "new.json": []}


def test_earlier_files_stay_when_nothing_is_to_be_wiped_and_go_later_when_it_is(cache: OverridesCache) -> None:
    cache.publish({"old.json": {}}, wipe=False)
    cache.publish({"new.json": {}}, wipe=False)
    assert {path.name for path in cache.folder.glob("*.json")} == {"old.json", "new.json"}
    cache.publish({"newest.json": {}}, wipe=True)
    assert {path.name for path in cache.folder.glob("*.json")} == {"newest.json"}


def test_wiping_leaves_the_files_of_others(cache: OverridesCache) -> None:
    cache.folder.mkdir()
    (cache.folder / "mine.json").write_text("{}")
    cache.save(SOURCE, files(system={}))
    cache.publish({"system.json": {}})
    cache.wipe()
    assert [path.name for path in cache.folder.iterdir()] == ["mine.json"]
    cache.wipe()


def test_a_tampered_list_of_files_removes_nothing_elsewhere(cache: OverridesCache, tmp_path: Path) -> None:
    precious = tmp_path / "precious.json"
    precious.write_text("{}")
    cache.publish({"system.json": {}})
    listing = cache.folder / ".sources" / "published.json"
    for data in ('["../precious.json", 5]', '"x"'):
        listing.write_text(f'{{"version": 1, "data": {data}}}')
        cache.wipe()
        cache.publish({"system.json": {}})
    assert precious.exists()

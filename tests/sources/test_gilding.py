"""The remote configuration of the 9.0 stream."""

import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from rostrum.base.clock import SettableClock
from rostrum.sources.environment import Pair
from rostrum.sources.errors import RemoteConfigFailed
from rostrum.sources.gilding import (
    FILES_NEEDED_LOCALLY,
    KEYS_NEEDED_LOCALLY,
    RemoteConfig,
    download_folder,
    fetch_remote_config,
    gilding_file,
    missing_locally,
    read_remote_config,
)
from rostrum.sources.overrides_cache import OverridesCache
from rostrum.sources.source import FetchedFile
from tests.certificates import self_signed
from tests.sources.server import ANSWER, Server, answering, down, running, serving, slow

PAIR = Pair("DEMO", "EMEA")


@pytest.fixture
def cache(tmp_path: Path) -> OverridesCache:
    return OverridesCache(tmp_path / "configOverrides", SettableClock())


def seen(cache: OverridesCache) -> dict[str, Any]:
    return {path.name: json.loads(path.read_text()) for path in cache.folder.glob("*.json")}


@pytest.mark.rule("R-2.9-13", "R-2.9-14")
def test_the_file_is_the_named_one_or_the_pairs_own_or_the_plain_one(tmp_path: Path) -> None:
    assert gilding_file(tmp_path, PAIR) is None
    (tmp_path / "gilding.json").write_text("{}")
    assert gilding_file(tmp_path, PAIR) == tmp_path / "gilding.json"
    (tmp_path / "gilding-demo-emea.json").write_text("{}")
    assert gilding_file(tmp_path, PAIR) == tmp_path / "gilding-demo-emea.json"
    assert gilding_file(tmp_path, Pair("UAT", "EMEA")) == tmp_path / "gilding.json"
    assert gilding_file(tmp_path, PAIR, "other.json") == tmp_path / "other.json"
    assert gilding_file(tmp_path / "nowhere", PAIR) is None


def test_every_property_is_read() -> None:
    document = {
        "remoteConfig": {
            "enabled": True,
            "url": "http://x/systemConfig/get",
            "continueOnError": True,
            "fileSuffix": "-dev",
            "folder": "downloads",
            "impersonation": {"user": "ann", "version": "9.9"},
            "insecureSSL": True,
            "wipeFolder": True,
        }
    }
    assert read_remote_config(document) == (
        RemoteConfig(
            enabled=True,
            url="http://x/systemConfig/get",
            continue_on_error=True,
            file_suffix="-dev",
            folder="downloads",
            user="ann",
            version="9.9",
            insecure_ssl=True,
            wipe_folder=True,
        ),
        (),
    )


@pytest.mark.parametrize("document", [{}, {"remoteConfig": None}, {"remoteConfig": {}}, None])
def test_without_properties_nothing_is_enabled(document: Any) -> None:
    assert read_remote_config(document) == (RemoteConfig(), ())


@pytest.mark.rule("R-2.9-7")
@pytest.mark.parametrize(
    ("value", "paths"),
    [
        (1, ["remoteConfig"]),
        ({"enabled": "yes", "url": 1}, ["remoteConfig.enabled", "remoteConfig.url"]),
        ({"enabled": True}, ["remoteConfig.url"]),
        ({"impersonation": {"user": 1}}, ["remoteConfig.impersonation.user"]),
        ({"impersonation": [1]}, ["remoteConfig.impersonation"]),
        ({"fileSuffix": "/../x"}, ["remoteConfig.fileSuffix"]),
    ],
)
def test_wrong_properties_are_reported(value: Any, paths: list[str]) -> None:
    remote, problems = read_remote_config({"remoteConfig": value})
    assert [problem.path for problem in problems] == paths
    assert remote.file_suffix == ""


@pytest.mark.rule("R-2.9-2")
async def test_nothing_is_asked_when_not_enabled(cache: OverridesCache) -> None:
    async with running(serving(ANSWER)) as server:
        assert await fetch_remote_config(RemoteConfig(url=server.url), cache) is None
    assert server.requests == []
    assert seen(cache) == {}


@pytest.mark.rule("R-2.9-3", "R-2.9-7", "E-4-2")
async def test_one_post_with_user_and_version_brings_the_files(cache: OverridesCache) -> None:
    async with running(serving(ANSWER)) as server:
        remote = RemoteConfig(enabled=True, url=server.url, user="ann", version="9.9")
        fetched = await fetch_remote_config(remote, cache)
    assert fetched is not None
    assert fetched.files["system.json"].document == {"build": "remote"}
    assert [(request.method, request.json) for request in server.requests] == [
        ("POST", {"user": "ann", "version": "9.9"})
    ]
    assert seen(cache) == {"system.json": {"build": "remote"}}


async def test_without_impersonation_none_is_sent(cache: OverridesCache) -> None:
    async with running(serving(ANSWER)) as server:
        await fetch_remote_config(RemoteConfig(enabled=True, url=server.url), cache)
    assert server.requests[0].json == {}


@pytest.mark.rule("R-2.9-5")
async def test_the_suffix_goes_between_name_and_extension(cache: OverridesCache) -> None:
    async with running(serving(ANSWER)) as server:
        await fetch_remote_config(RemoteConfig(enabled=True, url=server.url, file_suffix="-dev"), cache)
    assert set(seen(cache)) == {"system-dev.json"}


@pytest.mark.rule("R-2.9-9")
@pytest.mark.parametrize("wipe", [False, True])
async def test_earlier_downloads_go_only_when_asked_and_other_files_never(cache: OverridesCache, wipe: bool) -> None:
    cache.publish({"stale.json": {}})
    (cache.folder / "mine.json").write_text("{}")
    async with running(serving(ANSWER)) as server:
        await fetch_remote_config(RemoteConfig(enabled=True, url=server.url, wipe_folder=wipe), cache)
    assert set(seen(cache)) == {"system.json", "mine.json"} | (set() if wipe else {"stale.json"})


TROUBLES: dict[str, Callable[[], AbstractAsyncContextManager[Server]]] = {
    "down": down,
    "slow": slow,
    "500": lambda: running(answering(500)),
    "401": lambda: running(answering(401)),
    "not JSON": lambda: running(answering(200, b"<html>")),
    "redirect": lambda: running(answering(302, b"", "Location: http://other.example/")),
}


@pytest.mark.rule("R-2.9-4")
@pytest.mark.parametrize("go_on", [False, True])
@pytest.mark.parametrize("trouble", TROUBLES)
async def test_a_failure_stops_the_start_unless_it_may_go_on(cache: OverridesCache, trouble: str, go_on: bool) -> None:
    cache.publish({"earlier.json": {}})
    async with TROUBLES[trouble]() as server:
        remote = RemoteConfig(enabled=True, url=server.url, continue_on_error=go_on, wipe_folder=True)
        if go_on:
            fetched = await fetch_remote_config(remote, cache, time_limit=0.3)
            assert fetched is not None
            assert (fetched.status, fetched.files) == ("failed", {})
            assert fetched.error
        else:
            with pytest.raises(RemoteConfigFailed, match=r"cannot be fetched: http://127\.0\.0\.1"):
                await fetch_remote_config(remote, cache, time_limit=0.3)
    assert set(seen(cache)) == {"earlier.json"}


@pytest.mark.rule("R-2.9-8")
@pytest.mark.parametrize("insecure", [False, True])
async def test_an_untrusted_certificate_is_accepted_only_if_configured(
    cache: OverridesCache, tmp_path: Path, insecure: bool
) -> None:
    async with running(serving(ANSWER), self_signed(tmp_path)) as server:
        remote = RemoteConfig(enabled=True, url=server.url, insecure_ssl=insecure, continue_on_error=True)
        fetched = await fetch_remote_config(remote, cache)
    assert fetched is not None
    assert fetched.status == ("ok" if insecure else "failed")


@pytest.mark.rule("R-2.9-6")
def test_downloads_go_to_the_folder_or_to_the_overrides_of_the_pair() -> None:
    overrides, root = Path("/data/configOverrides"), Path("/opt/x")
    assert download_folder(RemoteConfig(), overrides, root) == overrides
    assert download_folder(RemoteConfig(folder="d"), overrides, root) == Path("/opt/x/d")
    assert download_folder(RemoteConfig(folder="/d"), overrides, root) == Path("/d")


def complete() -> dict[str, FetchedFile]:
    documents: dict[str, Any] = {name: {} for name in FILES_NEEDED_LOCALLY}
    documents["system.json"] = dict.fromkeys(KEYS_NEEDED_LOCALLY, "x")
    documents["logger.json"] = {"appenders": {}}
    return {name: FetchedFile(name=name, document=document) for name, document in documents.items()}


@pytest.mark.rule("R-2.9-11")
def test_complete_local_files_miss_nothing() -> None:
    assert missing_locally(complete()) == ()


@pytest.mark.rule("R-2.9-10")
@pytest.mark.parametrize("key", KEYS_NEEDED_LOCALLY)
def test_each_key_that_must_be_local_is_missed_by_name(key: str) -> None:
    files = complete()
    del files["system.json"].document[key]
    assert [problem.path for problem in missing_locally(files)] == [key]


@pytest.mark.rule("R-2.9-11", "R-2.9-12")
@pytest.mark.parametrize("name", FILES_NEEDED_LOCALLY)
def test_each_file_that_must_be_local_is_missed_by_name(name: str) -> None:
    files = complete()
    del files[name]
    assert [str(problem) for problem in missing_locally(files)] == [f"{name} must exist locally"]


@pytest.mark.rule("R-2.9-12", "X-D-7")
def test_the_logger_file_must_not_be_empty() -> None:
    files = {**complete(), "logger.json": FetchedFile(name="logger.json", document={})}
    assert [str(problem) for problem in missing_locally(files)] == ["logger.json must not be empty"]


def test_without_any_file_everything_is_missed_at_once() -> None:
    assert len(missing_locally({})) == len(KEYS_NEEDED_LOCALLY) + len(FILES_NEEDED_LOCALLY)

"""Published releases: what publishing refuses, and both kinds of feed of the test server."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from rostrum.base.errors import RostrumError
from rostrum.desktop.updates.checker import Updates
from rostrum.desktop.updates.publish import create_key, feed_server, publish_release, read_private_key
from rostrum.desktop.updates.release import FeedInvalid
from rostrum.installation.build import this_target
from rostrum.settings.parse import parse_system
from tests.desktop.updates.feeds import KEY, OTHER_KEY, PUBLIC
from tests.desktop.updates.test_checker import Person
from tests.installation.bundles import bundle
from tests.plain_http import NO_TLS


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    with feed_server(folder, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def test_the_private_key_is_for_its_owner_only_and_is_not_replaced(tmp_path: Path) -> None:
    public = create_key(tmp_path / "release.key")
    assert public.startswith("ed25519:")
    assert (tmp_path / "release.key").stat().st_mode & 0o077 == 0
    assert public not in (tmp_path / "release.key").read_text()
    with pytest.raises(FileExistsError):
        create_key(tmp_path / "release.key")
    (tmp_path / "other").write_text("no key")
    with pytest.raises(RostrumError, match="is not a private key"):
        read_private_key(tmp_path / "other")


def test_packages_for_other_machines_are_added_to_the_release_of_the_same_version(tmp_path: Path) -> None:
    other = "linux-vax-cp311"
    publish_release([bundle(tmp_path, "1.0")], tmp_path / "stable", KEY, "First")
    publish_release([bundle(tmp_path, "1.1", target=other)], tmp_path / "stable", KEY, "Second")
    (tmp_path / "here").mkdir()
    release = publish_release([bundle(tmp_path / "here", "1.1")], tmp_path / "stable", KEY)
    assert (release.version, release.notes) == ("1.1", "Second")
    assert [one.target for one in release.packages] == [other, this_target()]


def test_what_desktops_would_not_apply_is_not_published(tmp_path: Path) -> None:
    old, new = bundle(tmp_path, "1.0"), bundle(tmp_path, "1.1")
    stable = tmp_path / "stable"
    publish_release([new], stable, KEY)
    before = {path.name: path.read_bytes() for path in stable.iterdir()}
    (tmp_path / "no.pyz").write_text("no package")
    (tmp_path / "strange name.pyz").write_bytes(new.read_bytes())
    for packages, key, words in (
        ([old], KEY, "already contains version 1.1, which is newer"),
        ([old, new], KEY, "different versions: 1.0, 1.1"),
        ([new, new], KEY, None),
        ([tmp_path / "no.pyz"], KEY, "is not a Rostrum package"),
        ([tmp_path / "strange name.pyz"], KEY, "may contain letters"),
        ([new], OTHER_KEY, "not signed by a key"),
    ):
        if words is None:
            continue
        with pytest.raises(RostrumError, match=words):
            publish_release(packages, stable, key)
    (tmp_path / "copy").mkdir()
    with pytest.raises(RostrumError, match="for the same target"):
        publish_release([new, bundle(tmp_path / "copy", "1.1")], stable, KEY)
    assert {path.name: path.read_bytes() for path in stable.iterdir()} == before
    (stable / "latest.json").write_text("{}")
    with pytest.raises(FeedInvalid):
        publish_release([new], stable, KEY)


@pytest.mark.rule("R-2.7-4", "E-4-8")
@pytest.mark.parametrize("kind", ["Service", "StaticStorage"])
async def test_a_desktop_gets_a_published_release_from_both_kinds_of_feed(tmp_path: Path, kind: str) -> None:
    package, person = bundle(tmp_path, "1.1"), Person()
    publish_release([package], tmp_path / "feed" / "stable", KEY)
    with serving(tmp_path / "feed") as address:
        source: dict[str, Any] = {"type": kind, "baseUrl": address, "channel": "stable"}
        if kind == "StaticStorage":
            source = {"type": kind, "baseUrl": f"{address}/stable"}
        document = {"autoUpdater": {"enabled": True, "publicKeys": [PUBLIC], "updateSource": source}}
        for version in ("1.0", "1.1"):
            made = Updates(
                parse_system(document).settings.auto_updater,
                version=version,
                folder=tmp_path / "downloads",
                ask=person.ask,
                apply=person.apply,
            )
            await made.check()
            await made.stop()
    assert [one.version for one in person.applied] == ["1.1"]
    assert person.applied[0].file.read_bytes() == package.read_bytes()


def test_the_test_server_answers_as_a_service_does(tmp_path: Path) -> None:
    publish_release([bundle(tmp_path, "1.1", target="linux-vax-cp311")], tmp_path / "feed" / "stable", KEY)
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "latest.json").write_bytes((tmp_path / "feed" / "stable" / "latest.json").read_bytes())
    (tmp_path / "feed" / "bad").mkdir()
    (tmp_path / "feed" / "bad" / "latest.json").write_text("[]")
    expected = {
        "/linux/1.0/stable": 200,
        "/linux/1.1/stable": 204,
        "/linux/1.2/stable": 204,
        "/darwin/1.0/stable": 204,
        "/linux/1.0/other": 404,
        "/linux/1.0/bad": 404,
        "/linux/spring/stable": 404,
        "/linux/1.0/..%2f..%2fsecret": 404,
        "/linux/1.0/%2e%2e": 404,
        "/stable/latest.json": 200,
    }
    with serving(tmp_path / "feed") as address, httpx.Client(verify=NO_TLS) as client:
        assert {path: client.get(address + path).status_code for path in expected} == expected
        assert client.get(f"{address}/linux/1.0/stable").json()["packagesUrl"] == "/stable/"

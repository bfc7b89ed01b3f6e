"""Libraries of the system for the browser engine: links, folders that are refused, and what is missing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rostrum.desktop.hosts.engine_libraries import (
    UnsafeFolder,
    child_environment,
    create_links,
    debian_packages,
    links_folder,
    missing_libraries,
    missing_message,
    needs_links,
    system_libraries,
    with_folder,
)
from rostrum.desktop.hosts.engines import ENGINES, installed_version

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems need no libraries of the system")

NEW = {"libwebp.so.7": Path("/lib/libwebp.so.7"), "libtiff.so.6": Path("/lib/libtiff.so.6")}


def test_libraries_with_a_new_number_are_linked_under_the_old_one(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "links"

    assert create_links(folder, NEW)
    assert create_links(folder, {**NEW, "libtiff.so.6": Path("/other/libtiff.so.6")})

    assert {link.name: str(link.readlink()) for link in folder.iterdir()} == {
        "libwebp.so.6": "/lib/libwebp.so.7",
        "libtiff.so.5": "/other/libtiff.so.6",
    }
    assert folder.stat().st_mode & 0o777 == 0o700


def test_nothing_is_linked_where_the_system_has_the_libraries_or_has_neither(tmp_path: Path) -> None:
    both = {**NEW, "libwebp.so.6": Path("/lib/libwebp.so.6"), "libtiff.so.5": Path("/lib/libtiff.so.5")}

    assert not create_links(tmp_path / "links", both)
    assert not create_links(tmp_path / "links", {})
    assert not (tmp_path / "links").exists()


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777])
def test_a_folder_that_others_can_write_to_is_refused(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "links"
    folder.mkdir()
    folder.chmod(mode)

    with pytest.raises(UnsafeFolder, match="only its owner can write to"):
        create_links(folder, NEW)
    assert [*folder.iterdir()] == []


def test_a_link_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "links").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(UnsafeFolder):
        create_links(tmp_path / "links", NEW)


def test_the_libraries_that_the_loader_finds_are_listed_with_their_files() -> None:
    libraries = system_libraries()

    assert libraries["libc.so.6"].exists()


def test_the_folder_of_the_links_is_searched_before_others(tmp_path: Path) -> None:
    assert with_folder({"A": "b"}, tmp_path) == {"A": "b", "LD_LIBRARY_PATH": str(tmp_path)}
    assert with_folder({"LD_LIBRARY_PATH": "/opt/lib"}, tmp_path) == {"LD_LIBRARY_PATH": f"{tmp_path}:/opt/lib"}


def test_only_engines_of_old_systems_need_links() -> None:
    assert needs_links("6.8.0.2")
    assert not needs_links("6.11.3")
    assert not needs_links(None)


@pytest.mark.long
def test_the_engine_loads_in_the_environment_of_the_window_process_and_nothing_else_changes(tmp_path: Path) -> None:
    """The engine is the one that `make test` installs."""
    if installed_version() is None:
        pytest.skip("the browser engine is not installed: make test says why")
    before, folder = dict(os.environ), tmp_path / "links"
    environment = child_environment(os.environ, folder)

    done = subprocess.run(
        [sys.executable, "-c", "from PySide6.QtWebEngineCore import qWebEngineChromiumVersion as v; print(v())"],
        env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ENGINES[str(installed_version())].chromium
    assert missing_libraries(environment) == ()
    assert dict(os.environ) == before
    assert {**environment, "LD_LIBRARY_PATH": ""} == {**before, "LD_LIBRARY_PATH": ""}
    linked = {link.name for link in folder.iterdir()} if folder.exists() else set()
    # Without the links, exactly the linked libraries are missing.
    assert set(missing_libraries(os.environ)) == linked


def test_the_links_are_in_the_cache_folder_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert links_folder() == Path("/caches/rostrum/engine-libraries")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/ann")
    assert links_folder() == Path("/home/ann/.cache/rostrum/engine-libraries")


def test_missing_libraries_are_named_with_the_packages_that_contain_them() -> None:
    names = [
        "libwebpmux.so.3", "libwebpdemux.so.2", "libxcb-icccm.so.4", "libxcb-keysyms.so.1", "libwebp.so.6",
        "libtiff.so.5", "libevent-2.1.so.7", "libGL.so.1", "libnss3.so", "libgssapi_krb5.so.2", "libX11-xcb.so.1",
        "libglib-2.0.so.0", "liblcms2.so.2",
    ]  # fmt: skip

    assert debian_packages(names) == (
        "libevent-2.1-7", "libgl1", "libglib2.0-0", "libgssapi-krb5-2", "liblcms2-2", "libnss3", "libtiff6", "libwebp7",
        "libwebpdemux2", "libwebpmux3", "libx11-xcb1", "libxcb-icccm4", "libxcb-keysyms1",
    )  # fmt: skip
    assert missing_message(["libwebpmux.so.3", "libnss3.so"]) == (
        "Libraries that the browser engine needs are missing: libwebpmux.so.3, libnss3.so."
        " On Debian and Ubuntu, install them with: apt-get install libnss3 libwebpmux3"
    )

"""What pages store is in the folder of the user, also when there is no room for it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.long_form import LONG
from tests.windows.desk import engine_wanted, running_desk
from tests.windows.display import Display
from tests.windows.pages import page, served
from tests.windows.screen import Screen

APPS = {"one": {"url": "/one", "left": 200, "top": 150, "width": 500, "height": 400}}
# Random bytes, because some engines compress what they store.
STORE = """(size) => new Promise((done) => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  const opening = indexedDB.open("notes");
  opening.onupgradeneeded = () => opening.result.createObjectStore("notes");
  opening.onerror = () => done("refused");
  opening.onsuccess = () => {
    const change = opening.result.transaction("notes", "readwrite");
    change.objectStore("notes").put(bytes, "note");
    change.oncomplete = () => done("stored");
    change.onabort = () => done("refused");
  };
})"""
HOST = (sys.executable, "-m", "rostrum.desktop.hosts.qt")
# A write beyond the limit fails as on a full disk. Unlike a small disk, this needs no rights. Memory that processes
# share counts, too: a lower limit would keep pages from being drawn.
LIMITED_HOST = (
    sys.executable,
    "-c",
    "import resource, runpy; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000_000, 20_000_000));"
    "runpy.run_module('rostrum.desktop.hosts.qt', run_name='__main__', alter_sys=True)",
)


@contextmanager
def disk(folder: Path, *, is_full: bool) -> Iterator[None]:
    """Let a folder be a disk of its own without room for the data of pages, or leave it as it is."""
    if not is_full:
        yield
        return
    folder.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)], check=True, timeout=60)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, timeout=60)


@pytest.mark.long
@pytest.mark.parametrize("room", ["enough", "files cannot grow", *(["full disk"] if LONG else [])])
async def test_a_page_stores_data_in_the_folder_of_the_user_and_survives_a_full_disk(
    room: str, display: Display, screen: Screen, tmp_path: Path
) -> None:
    """The long form has a disk that is really full, which only root can make."""
    engine_wanted()
    engine = tmp_path / "UserData" / "engine"
    command = LIMITED_HOST if room == "files cannot grow" else HOST
    with served({"/one": page("One", "one")}) as pages, disk(engine, is_full=room == "full disk"):
        async with running_desk(tmp_path, display, screen, pages, APPS, command=command) as desk:
            process = desk.host.process
            await desk.loaded("one")
            async with desk.cdp.page("/one") as inside:
                size, outcome = (100_000, "stored") if room == "enough" else (40_000_000, "refused")
                assert await inside.evaluate(f"({STORE})({size})") == outcome
                assert await inside.evaluate("document.title") == "One"
            # Other pages go on, and further windows open.
            _, window = await desk.loaded("one")
            await screen.until("its page", lambda: screen.pixel(*window.bounds.center) == (0, 255, 0))
            assert desk.host.process == process
        if room == "enough":
            assert any("IndexedDB" in path.parts for path in engine.rglob("*"))
            assert [(engine / name).stat().st_mode & 0o077 for name in ("storage", "cache")] == [0, 0]

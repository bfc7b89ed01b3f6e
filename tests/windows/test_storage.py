"""What pages store is in the folder of the user, also when there is no room for it."""

import subprocess
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
STORE = """new Promise((done) => {
  const opening = indexedDB.open("notes");
  opening.onupgradeneeded = () => opening.result.createObjectStore("notes");
  opening.onerror = () => done("refused");
  opening.onsuccess = () => {
    const change = opening.result.transaction("notes", "readwrite");
    change.objectStore("notes").put("x".repeat(8_000_000), "note");
    change.oncomplete = () => done("stored");
    change.onabort = () => done("refused");
  };
})"""


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


@pytest.mark.parametrize("is_full", [False, True] if LONG else [False])
async def test_a_page_stores_data_in_the_folder_of_the_user_and_survives_a_full_disk(
    is_full: bool, display: Display, screen: Screen, tmp_path: Path
) -> None:
    engine_wanted()
    engine = tmp_path / "UserData" / "engine"
    with served({"/one": page("One", "one")}) as pages, disk(engine, is_full=is_full):
        async with running_desk(tmp_path, display, screen, pages, APPS) as desk:
            process = desk.host.process
            await desk.loaded("one")
            async with desk.cdp.page("/one") as inside:
                assert await inside.evaluate(STORE) == ("refused" if is_full else "stored")
                assert await inside.evaluate("document.title") == "One"
            assert desk.host.process == process
        if not is_full:
            assert any("IndexedDB" in path.parts for path in engine.rglob("*"))
            assert [(engine / name).stat().st_mode & 0o077 for name in ("storage", "cache")] == [0, 0]

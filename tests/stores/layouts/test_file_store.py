"""Layout files: damage, folders that cannot be written."""

import os
from pathlib import Path

import pytest

from rostrum.stores.errors import StoreFailed
from rostrum.stores.layouts.file_store import FileLayoutStore
from tests.stores.layouts.test_layout_stores import MORNING, layout


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


@pytest.mark.parametrize(
    "content", [b"{", b"\0\0", b'{"version": 1, "data": {"name": 1}}', b'{"version": 9, "data": 1}']
)
async def test_a_damaged_file_is_set_aside_reported_and_never_overwritten(tmp_path: Path, content: bytes) -> None:
    store = FileLayoutStore(tmp_path)
    await store.save(layout())
    await store.save(layout("Evening"))
    file = next(path for path in files(tmp_path) if "Morning" in path.name)
    file.write_bytes(content)

    again = FileLayoutStore(tmp_path)
    await again.open()

    assert {key.name for key in again.layouts()} == {"Evening"}
    assert len(again.problems) == 1
    await again.save(layout())
    assert (tmp_path / f"{file.name}.damaged-1").read_bytes() == content
    assert MORNING in again.layouts()


async def test_a_folder_that_cannot_be_written_is_said_and_nothing_is_half_saved(tmp_path: Path) -> None:
    (tmp_path / "layouts").write_text("a file where a folder should be")
    store = FileLayoutStore(tmp_path / "layouts")
    with pytest.raises(StoreFailed, match="cannot be written"):
        await store.save(layout())
    assert store.layouts() == {}


async def test_no_part_of_a_file_is_left_when_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FileLayoutStore(tmp_path)
    await store.save(layout())

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreFailed, match="No space left"):
        await store.save(layout(metadata={"new": True}))
    monkeypatch.undo()
    again = FileLayoutStore(tmp_path)
    await again.open()
    assert again.layouts()[MORNING]["metadata"] == {}
    assert not [path for path in files(tmp_path) if path.suffix == ".tmp"]

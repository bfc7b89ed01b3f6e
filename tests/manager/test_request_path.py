"""CONTRIBUTING names the files that a request passes through."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import rostrum
from tests.conftest import Api

PACKAGE = Path(rostrum.__file__).parent
CONTRIBUTING = PACKAGE.parent.parent / "CONTRIBUTING.md"


@contextmanager
def executed_files() -> Iterator[set[str]]:
    """Collect the files of the package that execute a function other than a constructor."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_name != "__init__" and code.co_filename.startswith(f"{PACKAGE}/"):
            files.add(code.co_filename.removeprefix(f"{PACKAGE}/"))

    sys.setprofile(note)
    try:
        yield files
    finally:
        sys.setprofile(None)


def app(address: str) -> dict[str, object]:
    return {"definition": {"name": "blotter", "type": "window", "details": {"url": address}}, "accessList": ["Trading"]}


async def test_contributing_names_files_that_a_change_of_an_app_passes_through(api: Api) -> None:
    section = CONTRIBUTING.read_text().partition("### The path of a request")[2].partition("\n## ")[0]
    named = re.findall(r"`((?:manager|contracts)/[\w/]+\.py)`", section)
    await api.admin.post("/admin/apps", json=app("https://apps.example.com/1"))

    with executed_files() as files:
        response = await api.admin.put("/admin/apps/blotter", json=app("https://apps.example.com/2"))

    assert response.status_code == 200
    assert len(named) > 25
    assert [file for file in named if file not in files] == []
    assert len(files) < 90, "more files than CONTRIBUTING states"


async def test_a_repeated_poll_passes_through_few_files(api: Api) -> None:
    trader = await api.add_user("trader", "Trading")
    for _ in range(2):
        await trader.get("/apps")

    with executed_files() as files:
        response = await trader.get("/apps")

    assert response.status_code == 200
    assert len(files) < 30, "more files than CONTRIBUTING states"

"""Calls are counted in a small package, and in a start of the desktop."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tools.measure import start
from tools.measure.tracing import tracing

MODULES = {
    "__init__.py": "",
    "one.py": """
from planted_calls.parts import two

class One:
    def __init__(self):
        two.plain()

def run():
    One()
    return list(two.numbers())

async def wait(pause):
    await pause(0)
""",
    "parts/__init__.py": "",
    "parts/two.py": """
def plain():
    pass

def numbers():
    yield 1
""",
    "parts/three.py": """
class Three:
    def __init__(self):
        pass
""",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    package = tmp_path / "planted_calls"
    for name, text in MODULES.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield package
    for name in [name for name in sys.modules if name.startswith("planted_calls")]:
        del sys.modules[name]


def test_calls_files_and_changes_of_file_are_counted(package: Path) -> None:
    one = import_module("planted_calls.one")
    with tracing(package) as trace:
        import_module("planted_calls.parts.three").Three()
        one.run()
    one.run()

    names = [code.co_name for code in trace.calls]
    # The generator is started, and continued after its value.
    assert names == ["__init__", "run", "__init__", "plain", "numbers", "numbers"]
    assert trace.files == {"one.py", "parts/two.py", "parts/three.py"}
    assert trace.files_beyond_constructors == {"one.py", "parts/two.py"}
    assert trace.as_json() == {
        "files": 3,
        "folders": 2,
        "functions": 5,
        "calls": 6,
        "calls_in_threads": 0,
        "changes_of_file": 3,
    }


def test_a_coroutine_that_continues_is_a_call_and_threads_are_counted_separately(package: Path) -> None:
    one = import_module("planted_calls.one")
    with tracing(package) as trace:
        asyncio.run(one.wait(asyncio.sleep))
        thread = threading.Thread(target=one.run)
        thread.start()
        thread.join()

    assert [code.co_name for code in trace.calls] == ["wait", "wait"]
    assert trace.as_json()["calls_in_threads"] == 5


@pytest.mark.long
def test_the_calls_of_a_headless_start_are_counted() -> None:
    values = start.start()

    assert values["files"] > 50
    assert values["calls"] > values["functions"] > values["files"] > values["folders"]
    assert values["calls"] > values["changes_of_file"] > values["files"]

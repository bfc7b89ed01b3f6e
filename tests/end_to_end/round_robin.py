"""A plain load balancer: each new connection goes to the next node that takes it."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from urllib.parse import urlsplit

PATIENCE = 30


class RoundRobin:
    """Passes bytes on, and knows nothing of what they mean."""

    def __init__(self, addresses: list[str]) -> None:
        parts = [urlsplit(address) for address in addresses]
        self._nodes = [(part.hostname, part.port) for part in parts]
        self._path = parts[0].path
        self._turns = count()
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    @property
    def address(self) -> str:
        """The address that stands for all nodes."""
        return f"http://127.0.0.1:{self.port}{self._path}"

    async def run(self, started: threading.Event, stopping: asyncio.Event) -> None:
        """Serve until stopped."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        async with server:
            await stopping.wait()
        for task in self._tasks:
            task.cancel()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            for _ in self._nodes:
                host, port = self._nodes[next(self._turns) % len(self._nodes)]
                with suppress(OSError):
                    there, back = await asyncio.open_connection(host, port)
                    await asyncio.gather(_pass_on(reader, back), _pass_on(there, writer))
                    return
        except asyncio.CancelledError:
            pass
        finally:
            self._tasks.discard(task)
            writer.close()


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while piece := await source.read(65536):
            target.write(piece)
            await target.drain()
    except OSError:
        pass
    finally:
        target.close()


@contextmanager
def round_robin(*addresses: str) -> Iterator[str]:
    """Balance between nodes, in a thread; the address to use."""
    balancer = RoundRobin(list(addresses))
    started = threading.Event()
    loop = asyncio.new_event_loop()
    stopping = asyncio.Event()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(balancer.run(started, stopping))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert started.wait(PATIENCE)
    try:
        yield balancer.address
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join(PATIENCE)

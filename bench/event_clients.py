"""Clients of the event stream in a process of their own: run with a port, a path and a number, controlled by its input.

Reads the cookies from the first line of its input, one for each client in turn. Answers each line with one of JSON.
"""

import json
import re
import selectors
import socket
import sys
import time
from dataclasses import dataclass

AT_ONCE = 100
RETRY = re.compile(rb"retry: (\d+)")


@dataclass
class Client:
    """One connection, and what it has seen since it was last asked."""

    cookie: str
    seen: bytes = b""
    retry: float = 1.0
    back_at: float = 0.0


class Clients:
    """Thousands of connections in one loop."""

    def __init__(self, port: int, path: str, cookies: list[str], count: int) -> None:
        self._address = ("127.0.0.1", port)
        self._path = path
        self._selector = selectors.DefaultSelector()
        self._away = [Client(cookies[number % len(cookies)]) for number in range(count)]
        self._count = count
        self.connects = 0

    def connect(self, seconds: float) -> list[float]:
        """Let everyone connect who is away, each after its delay; return when each was ready."""
        return self._until(rb"event: |retry: ", seconds, from_now=False)

    def hear(self, words: str, seconds: float) -> list[float]:
        """Wait until everyone has seen these words; when each did."""
        return self._until(words.encode(), seconds, from_now=True)

    def lose(self, seconds: float) -> int:
        """Wait until the server has hung up on everyone."""
        deadline = time.monotonic() + seconds
        while len(self._away) < self._count and time.monotonic() < deadline:
            for key, _ in self._selector.select(0.1):
                self._read(key)
        return len(self._away)

    def _until(self, pattern: bytes, seconds: float, *, from_now: bool) -> list[float]:
        wanted = re.compile(pattern)
        moments: dict[int, float] = {}
        deadline = time.monotonic() + seconds
        if from_now:
            for key in self._selector.get_map().values():
                key.data.seen = b""
        while len(moments) < self._count and time.monotonic() < deadline:
            self._come_back(len(moments))
            for key, _ in self._selector.select(0.01):
                self._read(key)
                if id(key.data) not in moments and wanted.search(key.data.seen):
                    moments[id(key.data)] = time.monotonic()
        return sorted(moments.values())

    def _come_back(self, settled: int) -> None:
        now = time.monotonic()
        ready = [client for client in self._away if client.back_at <= now]
        open_now = self._count - len(self._away)
        for client in ready[: max(0, AT_ONCE - (open_now - settled))]:
            connection = socket.socket()
            try:
                connection.connect(self._address)
                request = f"GET {self._path} HTTP/1.1\r\nHost: x\r\nCookie: PLATFORM_SESSION={client.cookie}\r\n\r\n"
                connection.sendall(request.encode())
            except OSError:
                connection.close()
                client.back_at = now + client.retry
                continue
            self.connects += 1
            connection.settimeout(0)
            client.seen = b""
            self._away.remove(client)
            self._selector.register(connection, selectors.EVENT_READ, client)

    def _read(self, key: selectors.SelectorKey) -> None:
        connection, client = key.fileobj, key.data
        assert isinstance(connection, socket.socket)
        try:
            piece = connection.recv(65536)
        except OSError:
            piece = b""
        if piece:
            client.seen = (client.seen + piece)[-2048:]
            found = RETRY.search(client.seen)
            client.retry = int(found[1]) / 1000 if found else client.retry
            return
        self._selector.unregister(connection)
        connection.close()
        client.back_at = time.monotonic() + client.retry
        self._away.append(client)


def main() -> None:
    port, path, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    clients = Clients(port, path, json.loads(sys.stdin.readline()), count)
    for line in sys.stdin:
        task, *arguments = json.loads(line)
        print(json.dumps(getattr(clients, task)(*arguments)), flush=True)


if __name__ == "__main__":
    main()

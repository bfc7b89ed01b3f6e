"""Runs the demo in a container of an image, as README.md describes, and checks what a new user does.

python tests/deploy/demo_container.py rostrum-manager

It needs Docker, the standard library of Python, and the free ports 4356 to 4358.
"""

import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection

PORTS = "4356-4358"
PAGES = {
    "http://127.0.0.1:4356/admin/": "<title>Rostrum",
    "http://127.0.0.1:4356/platform/": "<title>Rostrum",
    "http://127.0.0.1:4357/watch/": "<title>Market Watch",
    "http://127.0.0.1:4357/shared/get-agent.js": "@finos/fdc3-get-agent",
}
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Origin": "http://127.0.0.1:4356",
}
SECONDS = 120


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        sys.stderr.write(__doc__ or "")
        return 2
    with _container(arguments[0]) as name:
        _wait_until_healthy(name)
        said = _docker("logs", name)
        assert re.search(r"password +\S+", said), said
        for address, expected in PAGES.items():
            with urllib.request.urlopen(address, timeout=10) as answer:
                assert expected in answer.read().decode(), address
        gateway = HTTPConnection("127.0.0.1", 4358, timeout=10)
        gateway.request("GET", "/", headers=UPGRADE)
        assert gateway.getresponse().status == 101
        gateway.close()
        assert _docker("exec", name, "id", "-u").strip() == "10001"
        _docker("stop", name)
        assert _docker("inspect", name, "--format", "{{.State.ExitCode}}").strip() == "0"
    sys.stdout.write("the demo runs in a container\n")
    return 0


@contextmanager
def _container(image: str) -> Iterator[str]:
    name = _docker("run", "--detach", "--publish", f"127.0.0.1:{PORTS}:{PORTS}", image, "up", "--dir", "demo").strip()
    try:
        yield name
    except BaseException:
        sys.stderr.write(_docker("logs", name))
        raise
    finally:
        _docker("rm", "--force", name)


def _wait_until_healthy(name: str) -> None:
    end = time.monotonic() + SECONDS
    while (status := _docker("inspect", name, "--format", "{{.State.Health.Status}}").strip()) != "healthy":
        assert time.monotonic() < end, f"the container is {status} after {SECONDS} s"
        time.sleep(1)


def _docker(*arguments: str) -> str:
    """Run a command of Docker; return what it prints."""
    done = subprocess.run(
        ["docker", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

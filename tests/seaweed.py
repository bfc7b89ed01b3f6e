"""A real server that speaks S3, SeaweedFS, on loopback with a folder of its own."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from time import monotonic, sleep

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

KEY, SECRET = "the-key-of-the-tests", "the-secret-of-the-tests"
_PARTS = ("master", "volume", "filer", "s3")
_SOCKETS = Path("/tmp")
_PATIENCE = 60.0
_STARTS = 3


@dataclass(frozen=True)
class Seaweed:
    """A running server."""

    endpoint: str

    def variables(self, *, secret: str = SECRET) -> dict[str, str]:
        """Give the standard variables that lead to it."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": secret,
        }


@contextmanager
def seaweed(folder: Path) -> Iterator[Seaweed]:
    """Start a server and end it with everything it holds; buckets are made when something is put into them."""
    actions = ["Admin", "Read", "Write", "List"]
    who = {"name": "tests", "credentials": [{"accessKey": KEY, "secretKey": SECRET}], "actions": actions}
    (folder / "s3.json").write_text(json.dumps({"identities": [who]}))
    for attempt in range(_STARTS):
        place = folder / f"start{attempt}"
        place.mkdir()
        ports = _free_ports(2 * len(_PARTS))
        with (place / "log").open("wb") as log, subprocess.Popen(_command(folder, place, ports), stderr=log) as process:
            try:
                # Somebody else may have taken one of the ports meanwhile.
                server = Seaweed(f"http://127.0.0.1:{ports['s3.port']}")
                if _takes_files(process, server):
                    yield server
                    return
            finally:
                process.kill()
                process.wait()
                for left in (path for port in ports.values() for path in _SOCKETS.glob(f"seaweedfs-*-{port}.sock")):
                    left.unlink(missing_ok=True)
    raise RuntimeError(f"SeaweedFS did not start: {(place / 'log').read_text()[-2000:]}")


def _command(folder: Path, place: Path, ports: dict[str, int]) -> list[str]:
    return [
        str(Path(sys.executable).parent / "weed"),
        *("server", f"-dir={place}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-filer", "-s3"),
        *(
            "-master.telemetry=false",
            "-master.volumeSizeLimitMB=64",
            "-volume.max=20",
            f"-s3.config={folder / 's3.json'}",
        ),
        *("-s3.port.iceberg=0", "-s3.port.lance=0"),
        *(f"-{name}={port}" for name, port in ports.items()),
    ]


def _free_ports(count: int) -> dict[str, int]:
    names = [f"{part}.port{end}" for part in _PARTS for end in ("", ".grpc")]
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return {name: each.getsockname()[1] for name, each in zip(names, sockets, strict=True)}


def _takes_files(process: subprocess.Popen[bytes], server: Seaweed) -> bool:
    """Wait until something can be put into it: it listens before it has found its own disk."""
    store = S3Store(
        "ready",
        endpoint=server.endpoint,
        region="us-east-1",
        access_key_id=KEY,
        secret_access_key=SECRET,
        client_options={"allow_http": True},
        retry_config={"max_retries": 0, "retry_timeout": timedelta(seconds=1)},
    )
    end = monotonic() + _PATIENCE
    while monotonic() < end and process.poll() is None:
        try:
            obstore.put(store, "ready", b"yes")
        except (BaseError, OSError):
            sleep(0.05)
        else:
            return True
    return False

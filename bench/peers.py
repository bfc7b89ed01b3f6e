"""The same job at other servers: 500 documents behind a sign-in, listed."""

import base64
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from bench import load
from bench.postgresql import postgresql
from bench.processes import SERVER_CORE, on_core

PEERS = Path(__file__).resolve().parent.parent / ".venv-peers" / "bin"
"""Their own environment: their pins are not ours."""

_KINTO = """
[app:main]
use = egg:kinto
kinto.storage_backend = kinto.core.storage.postgresql
kinto.storage_url = {store}
kinto.permission_backend = kinto.core.permission.postgresql
kinto.permission_url = {store}
kinto.cache_backend = kinto.core.cache.memory
kinto.userid_hmac_secret = only for measuring
multiauth.policies = basicauth
[server:main]
use = egg:waitress#main
listen = 127.0.0.1:{port}
threads = 4
[loggers]
keys = root
[handlers]
keys =
[formatters]
keys =
[logger_root]
level = ERROR
handlers =
"""


@dataclass(frozen=True, slots=True)
class Peer:
    """A running server with the documents in it.

    Attributes:
        pids: Every process that works for an answer.

    """

    name: str
    pids: tuple[int, ...]
    address: str
    path: str
    headers: Mapping[str, str]


@contextmanager
def kinto(definitions: list[dict[str, Any]]) -> Iterator[Peer]:
    """Run Kinto on PostgreSQL as its manual says, with Basic sign-ins."""
    user = {"Authorization": f"Basic {base64.b64encode(b'ann:password').decode()}"}
    with tempfile.TemporaryDirectory() as place, postgresql() as database:
        port = load.free_port()
        settings = Path(place) / "kinto.ini"
        settings.write_text(_KINTO.format(store=database.address.replace("%", "%%"), port=port))
        quiet = {**os.environ, "PYTHONWARNINGS": "ignore"}
        subprocess.run([PEERS / "kinto", "migrate", "--ini", settings], check=True, env=quiet, capture_output=True)
        with _running([PEERS / "kinto", "start", "--ini", settings], port, env=quiet) as pid:
            address = f"http://127.0.0.1:{port}/v1"
            with httpx.Client(base_url=address, headers=user, timeout=60) as client:
                client.put("/buckets/firm").raise_for_status()
                client.put("/buckets/firm/collections/apps").raise_for_status()
                for each in definitions:
                    client.post("/buckets/firm/collections/apps/records", json={"data": each}).raise_for_status()
            path = "/buckets/firm/collections/apps/records"
            yield Peer("Kinto on PostgreSQL, Basic", (pid, *database.pids()), address, path, user)


@contextmanager
def pocketbase(definitions: list[dict[str, Any]]) -> Iterator[Peer]:
    """Run PocketBase on its SQLite, with a user's token."""
    login = ("ann@example.com", "a long password")
    with tempfile.TemporaryDirectory() as place:
        port = load.free_port()
        program, data = PEERS / "pocketbase", f"--dir={place}/data"
        subprocess.run([program, "superuser", "upsert", *login, data], check=True, capture_output=True)
        command = [program, "serve", f"--http=127.0.0.1:{port}", data]
        with _running(command, port) as pid:
            address = f"http://127.0.0.1:{port}/api"
            with httpx.Client(base_url=address, timeout=60) as client:
                client.headers["Authorization"] = _token(client, "_superusers", login)
                collection = {
                    "name": "apps",
                    "type": "base",
                    "listRule": "@request.auth.id != ''",
                    "fields": [{"name": "definition", "type": "json"}],
                }
                client.post("/collections", json=collection).raise_for_status()
                for each in definitions:
                    client.post("/collections/apps/records", json={"definition": each}).raise_for_status()
                person = {"email": "bob@example.com", "password": login[1], "passwordConfirm": login[1]}
                client.post("/collections/users/records", json=person).raise_for_status()
                token = _token(client, "users", (person["email"], login[1]))
            path = "/collections/apps/records?perPage=500&skipTotal=true"
            yield Peer("PocketBase on SQLite, token", (pid,), address, path, {"Authorization": token})


def _token(client: httpx.Client, collection: str, login: tuple[str, str]) -> str:
    body = {"identity": login[0], "password": login[1]}
    answer = client.post(f"/collections/{collection}/auth-with-password", json=body)
    answer.raise_for_status()
    token: str = answer.json()["token"]
    return token


@contextmanager
def _running(command: list[Any], port: int, **options: Any) -> Iterator[int]:
    process = subprocess.Popen(
        [*on_core(SERVER_CORE), *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options
    )
    try:
        load.until_listening(port)
        yield process.pid
    finally:
        process.kill()
        process.wait(30)

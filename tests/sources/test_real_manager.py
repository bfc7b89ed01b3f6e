"""A remote source that is a real manager on loopback."""

import json
from pathlib import Path

import httpx
import pytest

from rostrum.sources.combine import combine
from rostrum.sources.environment import Pair
from rostrum.sources.fetch import SourceReader
from rostrum.sources.path_source import PathReader
from rostrum.sources.rest_source import RestReader, open_client
from rostrum.sources.source import DEFAULT_SOURCE, Fetched, RequestIdentity, Source
from tests.conftest import ADMIN, ORIGIN, SECRET
from tests.end_to_end.processes import serving
from tests.plain_http import NO_TLS
from tests.sources.server import Slept

DOCUMENTS = [
    {"file": "system.json", "contents": {"build": "base", "base": True}},
    {"file": "system.json", "contents": {"build": "10"}, "version": "10"},
    {"file": "system.json", "contents": {"build": "desk"}, "group": "Desk"},
    {"file": "system.json", "contents": {"build": "ann"}, "user": "ann"},
    {"file": "custom.json", "contents": {"a": 1}},
    {"file": "system-DEMO-EMEA.json", "contents": {"build": "demo"}},
]


def manager_file(folder: Path) -> str:
    config = {
        "auth_method": "basic",
        "port": 0,
        "store": f"sqlite:///{folder}/rostrum.db",
        "token": {"secret": SECRET},
        "cors": {"credentials": True, "origin": ORIGIN},
        "auth_basic": {"predefinedUsers": [":".join(ADMIN)]},
    }
    path = folder / "manager.json"
    path.write_text(json.dumps(config))
    return str(path)


def fill(address: str) -> None:
    with httpx.Client(base_url=address, auth=ADMIN, verify=NO_TLS) as admin:
        made = admin.post("/admin/users", json={"id": "ann", "password": "a long password", "groups": ["Desk"]})
        assert made.status_code == 201, made.text
        for document in DOCUMENTS:
            answer = admin.post("/admin/configs", json=document)
            assert answer.status_code == 201, answer.text


async def fetch(address: str, someone: RequestIdentity) -> Fetched:
    source = Source(type="rest", source=address, impersonation=someone)
    async with open_client() as client:
        return await RestReader(client, Slept())(source)


@pytest.mark.long
@pytest.mark.rule("R-1-2", "R-2.5-4", "R-2.6-3", "R-2.8-11", "R-2.8-16", "E-4-3")
async def test_a_manager_answers_for_whom_it_is_asked(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "system.json").write_text('{"local": true, "build": "local"}')
    with serving("manager", "serve", "--config", manager_file(tmp_path)) as server:
        base = server.address
        fill(base)
        address = f"{base}/systemConfig/get".replace("//", "//{}:{}@".format(*ADMIN))
        builds = {
            name: (await fetch(address, someone)).files["system.json"].document["build"]
            for name, someone in {
                "nobody": RequestIdentity(),
                "a version": RequestIdentity(version="10.2"),
                "a user": RequestIdentity(user="ann", version="10.2"),
            }.items()
        }
        assert builds == {"nobody": "base", "a version": "10", "a user": "ann"}

        async with open_client() as client:
            reader = SourceReader(PathReader(tmp_path), RestReader(client, Slept()))
            sources = [DEFAULT_SOURCE, Source(type="rest", source=address, required=True)]
            combined = await combine(sources, reader)
            demo = await combine(sources, reader, pair=Pair("DEMO", "EMEA"))
        assert demo.files["system.json"].document == {"local": True, "build": "demo", "base": True}
        assert combined.files["system.json"].document == {"local": True, "build": "base", "base": True}
        assert combined.files["custom.json"].document == {"a": 1}

        stranger = await fetch(f"{base}/systemConfig/get".replace("//", "//ann:wrong@"), RequestIdentity())
        assert stranger.error == "answered with status 401: requires a user name and password that it accepts"
        server.stop()

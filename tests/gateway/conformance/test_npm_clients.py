"""The unmodified npm clients work with the gateway: each case of the Node project, with each library and with both.

The cases are written in tests/gateway/node/conformance/cases. With GATEWAY=reference in the environment they run
against the reference gateway instead, except for those in which Rostrum is better on purpose.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rostrum.gateway.users_file import add_user
from tests.end_to_end.processes import ROSTRUM
from tools.node import find_node

PROJECT = Path(__file__).resolve().parent.parent / "node"
CASES = PROJECT / "conformance" / "cases"
LIBRARIES = {"interopio": ["interopio"], "glue42": ["glue42"], "both": ["interopio", "glue42"]}
REFERENCE = os.environ.get("GATEWAY") == "reference"


def names() -> Iterator[str]:
    for file in sorted(CASES.glob("*.mjs")):
        for kind, sentence in re.findall(r'^(test|beyond)\("([^"]+)"', file.read_text(encoding="utf-8"), re.MULTILINE):
            if not (REFERENCE and kind == "beyond"):
                yield f"{file.stem}: {sentence}"


class Clients:
    """A Node process that has started a gateway, and runs one case after the other against it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, name: str, libraries: list[str]) -> dict[str, str]:
        """Run one case; the answer says what went wrong, and what the gateway printed meanwhile."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"name": name, "libraries": libraries}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the Node process ended; its last words are above"
        told: dict[str, str] = json.loads(line)
        return told


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clients]:
    assert (PROJECT / "node_modules").is_dir(), "the npm clients are not installed; `make test` installs them"
    node = find_node()
    reference = node.command("node", str(PROJECT / "reference.mjs"))
    command = reference if REFERENCE else [*ROSTRUM, "gateway", "--port"]
    users = tmp_path_factory.mktemp("gateway") / "users.json"
    add_user(users, "ada", "the right one")
    set_up = json.dumps({"command": command, "users": str(users)})
    process = subprocess.Popen(
        node.command("node", str(PROJECT / "conformance" / "run.mjs"), set_up),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=sys.__stderr__,
        text=True,
    )
    with process:
        yield Clients(process)
        # It ends, and its gateway with it, when nobody asks any more.
        process.communicate(timeout=60)


@pytest.mark.usual(140)
@pytest.mark.parametrize("libraries", LIBRARIES)
@pytest.mark.parametrize("name", [*names()])
def test_a_client(clients: Clients, name: str, libraries: str) -> None:
    told = clients.run(name, LIBRARIES[libraries])

    assert not told["trouble"], told["trouble"]
    assert "Traceback" not in told["gateway"], told["gateway"]


def test_there_are_cases_for_each_part_of_the_protocol() -> None:
    parts = {name.partition(":")[0] for name in names()}

    assert parts >= {"login", "peers", "methods", "streams", "contexts", "bus", "metrics", "users", "payloads"}
    assert parts >= {"reconnects", "disconnects"}

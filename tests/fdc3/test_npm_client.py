"""The unmodified client of FINOS with the agent: what apps call, and what they get."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rostrum.fdc3.host import ChoiceCancelled, Choose, Deliver, OpenApp, Opened, Output
from tests.fdc3 import schemas
from tests.fdc3.platform import CONTACT, INSTRUMENT, ORIGIN, Platform
from tools.node import find_node

PROJECT = Path(__file__).parent / "node"


class Apps:
    """A Node process with apps, and the platform that they run on."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.platform = Platform()

    def run(self) -> dict[str, Any]:
        """Carry messages until the apps report their results."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said = json.loads(line)
            if "results" in said:
                results: dict[str, Any] = said["results"]
                return results
            if "connect" in said:
                facts = {"app_id": said["appId"], "instance_id": said.get("instanceId")}
                assert self.platform.agent.connect(said["connect"], self.platform.now, origin=ORIGIN, **facts)
            else:
                schemas.check(said["message"])
                text = json.dumps(said["message"]).encode()
                self.do(self.platform.agent.receive(said["connection"], text, self.platform.now))
        raise AssertionError("the Node process ended without results")

    def do(self, outputs: list[Output]) -> None:
        for output in outputs:
            if isinstance(output, Deliver):
                message = json.loads(output.payload)
                schemas.check(message)
                self.tell({"connection": output.connection, "message": message})
            elif isinstance(output, OpenApp):
                self.tell({"open": {"appId": output.app_id, "instanceId": output.instance_id}})
                opened = Opened(request=output.request, instance_id=output.instance_id)
                self.do(self.platform.agent.answer(opened, self.platform.now))
            elif isinstance(output, Choose):
                self.do(self.platform.agent.answer(ChoiceCancelled(request=output.request), self.platform.now))

    def tell(self, line: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()


@pytest.mark.long
def test_apps_with_the_client_of_finos_use_every_part_of_the_agent() -> None:
    assert (PROJECT / "node_modules").is_dir(), "the npm client is not installed; `make test` installs it"
    command = find_node().command("node", str(PROJECT / "client.mjs"))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            results = Apps(process).run()
        finally:
            process.kill()

    assert results == {
        "provider": "Rostrum",
        "channels": ["Red", "Green"],
        "heard": INSTRUMENT,
        "current": INSTRUMENT,
        "stored": CONTACT,
        "onApp": CONTACT,
        "handler": "chart",
        "private": ["private", CONTACT],
        "denied": "AccessDenied",
        "mail": ["StartMail", {**CONTACT, "sent": True}],
        "opened": "mail",
        "instances": 2,
        "found": ["chart", "chart"],
        "byContext": ["ViewChart", "ViewNews"],
        "metadata": "Chart",
        "errors": [
            "AppNotFound",
            "NoAppsFound",
            "TargetAppUnavailable",
            "UserCancelledResolution",
            "NoChannelFound",
            "MalformedContext",
        ],
        "left": 1,
    }

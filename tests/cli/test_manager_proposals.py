"""rostrum manager proposals, as real processes on one database."""

import asyncio
import json
from pathlib import Path

import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api
from tests.end_to_end.processes import run

CHANGES = {"approvalKinds": ["group"]}


@pytest.fixture
def config(sqlite: str, tmp_path: Path) -> str:
    """The configuration of a manager on which a new group and the inheritance of another one wait for approval."""

    async def propose() -> None:
        async with running_api(manager_config(sqlite, changes=CHANGES), SettableClock()) as api:
            await _propose(api)

    asyncio.run(propose())
    document = {"auth_method": "basic", "store": sqlite, "token": {"secret": "x" * 32}, "changes": CHANGES}
    file = tmp_path / "rostrum.json"
    file.write_text(json.dumps({**document, "auth_basic": {"useSessionCookie": False}}))
    file.chmod(0o600)
    return str(file)


async def _propose(api: Api) -> None:
    await api.add_user("ann", "PLATFORM_SERVER_ADMIN")
    await api.add_user("eve", "Desk")
    ann = api.client(("ann", "ann-password"))
    for answer in (
        await ann.post("/admin/groups", json={"name": "one"}),
        await ann.patch("/admin/groups/Desk", json={"expandsTo": ["Plain"]}),
    ):
        assert answer.status_code == 202, answer.text


@pytest.mark.long
def test_proposals_are_listed_shown_approved_and_rejected(config: str) -> None:
    def manager(*words: str) -> str:
        done = run("manager", *words, "--config", config)
        assert done.returncode == 0, done.stderr
        return done.stdout

    listed = json.loads(manager("proposals", "list", "--json"))
    assert {(each["createdBy"], each["operation"]) for each in listed} == {
        ("ann", "createGroup"),
        ("ann", "changeGroup"),
    }
    shown = [json.loads(manager("proposals", "show", each["id"], "--json")) for each in listed]
    second, first = sorted(shown, key=lambda each: str(each["changes"][0]["id"]))
    printed = run("manager", "proposals", "show", second["id"], "--config", config)
    assert printed.stderr.splitlines()[-2:] == ["Affected users: 1", "eve"]
    assert ["groups", "gained", "Plain"] in [line.split() for line in printed.stdout.splitlines()]
    approved = json.loads(manager("proposals", "approve", first["id"], "--comment", "fine", "--json"))
    assert (approved["status"], approved["decision"]) == ("approved", "fine")
    manager("proposals", "reject", second["id"], "--comment", "no")

    assert json.loads(manager("proposals", "list", "--json")) == []
    entry = json.loads(manager("audit", "list", "--kind", "group", "--id", "one", "--json"))[0]
    assert (entry["approval"]["author"], entry["approval"]["comment"]) == ("ann", "fine")
    refused = run("manager", "proposals", "approve", second["id"], "--config", config)
    assert (refused.returncode, "already rejected" in refused.stderr) == (1, True)


@pytest.mark.long
def test_commands_on_the_server_change_members_without_approval(config: str) -> None:
    settings = json.loads(Path(config).read_text())
    settings["changes"] = {"approvalKinds": ["group", "user"], "approvalGroups": ["Desk"]}
    Path(config).write_text(json.dumps(settings))
    for words in (("disable", "eve"), ("enable", "eve"), ("passwd", "eve", "--generate"), ("link", "eve")):
        done = run("manager", "user", *words, "--config", config)
        assert done.returncode == 0, done.stderr
    listed = run("manager", "proposals", "list", "--status", "pending", "--json", "--config", config)
    # Only the proposals of the fixture wait.
    assert {each["createdBy"] for each in json.loads(listed.stdout)} == {"ann"}

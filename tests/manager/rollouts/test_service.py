"""Roll-outs on each database: who receives which version, stages, limits, conflicts and several nodes."""

import asyncio
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass, field
from typing import Any

import pytest

from rostrum.base import json_text
from rostrum.base.clock import SettableClock
from rostrum.base.errors import Invalid
from rostrum.base.passwords import PasswordPolicy, Passwords
from rostrum.contracts.api_tokens import NewApiToken
from rostrum.contracts.app_entries import AppChange, AppEntry, AppImport
from rostrum.contracts.groups import NewGroup
from rostrum.contracts.layout_entries import LayoutChange, LayoutEntry
from rostrum.contracts.previews import PreviewRequest
from rostrum.contracts.rollouts import NewRollout, RolloutPlan, Status
from rostrum.contracts.sessions import Applied, SessionHeartbeat, SessionOpening
from rostrum.contracts.system_config import ConfigChange, ConfigDocument, Scope
from rostrum.contracts.users import NewUser, UserChange
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.permissions import ADMIN_GROUP, Permission
from rostrum.manager.api_tokens.topic import ApiTokenService
from rostrum.manager.apps.service import AppService
from rostrum.manager.audiences import EventKind
from rostrum.manager.audit.service import AuditService
from rostrum.manager.configs.explanations import ExplanationService, Question
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.configs.service import RequestedScope, SystemConfigService
from rostrum.manager.crashes.service import CrashService
from rostrum.manager.database.paging import Query
from rostrum.manager.effective.service import EffectiveQuery, EffectiveService
from rostrum.manager.effective.views import effective_view, explanation_view
from rostrum.manager.errors import Conflict, DuringRollout, Expected, Forbidden, NotFound, Stale
from rostrum.manager.events.repository import Announcements
from rostrum.manager.groups.service import GroupService
from rostrum.manager.history.service import HistoryService
from rostrum.manager.kinds import Kind
from rostrum.manager.layouts.service import LayoutService
from rostrum.manager.preview.service import PreviewService
from rostrum.manager.purge import purge
from rostrum.manager.quotas.service import Quotas
from rostrum.manager.rollouts.service import RolloutProgress, RolloutService
from rostrum.manager.sessions.service import SessionService
from rostrum.manager.storage import Storage
from rostrum.manager.users.model import User
from rostrum.manager.users.repository import Users
from rostrum.manager.users.service import UserService
from tests.conftest import manager_config

IDLE = 90
USERS = [f"u{number:02}" for number in range(10)]
HOUR = 3600


def definition(title: str, **members: Any) -> dict[str, Any]:
    return {"name": "blotter", "type": "window", "title": title, "details": {"url": "https://a.example"}, **members}


def preview_of(change: dict[str, Any]) -> PreviewRequest:
    return PreviewRequest.model_validate({"changes": [{"key": "blotter", **change}]})


def layout(name: str, note: str) -> dict[str, Any]:
    return {"name": name, "type": "Global", "components": [], "metadata": {"note": note}}


@dataclass
class Firm:
    """Ten users with connected desktops, an app and the services."""

    storage: Storage
    clock: SettableClock
    sessions: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        quotas = Quotas.of(manager_config("sqlite:///unused.db"))
        self.users = UserService(self.storage, Passwords(memory_kib=8, rounds=1), PasswordPolicy())
        self.groups = GroupService(self.storage)
        self.desktops = SessionService(self.storage, quotas, idle_seconds=IDLE)
        self.crashes = CrashService(self.storage, quotas)
        self.apps = AppService(self.storage)
        self.layouts = LayoutService(self.storage, quotas)
        self.configs = SystemConfigService(self.storage)
        self.rollouts = self.service()

    def service(self) -> RolloutService:
        """Another node."""
        return RolloutService(self.storage, idle_seconds=IDLE)

    async def start(
        self, *stages: dict[str, Any], identity: Identity = SYSTEM, expected: Expected = None, **members: Any
    ) -> RolloutProgress:
        body = {"key": "blotter", "content": definition("new"), "stages": list(stages) or [{"percent": 10}], **members}
        return await self.rollouts.create(identity, Kind.APP, NewRollout.model_validate(body), expected)

    async def identity(self, user: str) -> Identity:
        async with self.storage.read() as work:
            return Identity.of(user, await work.of(Users).groups_of(user))

    async def receiving_new(self) -> set[str]:
        """The users whose desktops are served the new version of the app."""
        found = set()
        for user in USERS:
            texts = await self.apps.visible(await self.identity(user))
            assert len(texts) == 1
            if json_text.parse(texts[0])["title"] == "new":
                found.add(user)
        return found

    async def pass_time(self, seconds: float, applied: Collection[str] = USERS) -> None:
        """Let time pass while the desktops stay connected; some of them apply all changes."""
        self.clock.advance(seconds)
        async with self.storage.read() as work:
            newest = await work.of(Announcements).newest()
        for user, session in self.sessions.items():
            body = SessionHeartbeat(applied=Applied(apps=newest) if user in applied else None)
            await self.desktops.heartbeat(Identity.of(user, []), session, body)

    async def crash(self, user: str) -> None:
        await self.crashes.receive(Identity.of(user, []), {"_productName": "x"}, None)

    async def now(self, progress: RolloutProgress) -> RolloutProgress:
        """The roll-out after all steps that are possible at this moment."""
        await self.rollouts.advance_all()
        return await self.rollouts.get(SYSTEM, progress.rollout.kind, progress.rollout.id)

    async def told(self, revision: int) -> set[str]:
        """The users whose desktops were notified of changed apps after a revision."""
        found = set()
        async with self.storage.read() as work:
            for user in USERS:
                if EventKind.APPS in await work.of(Announcements).concerning(user, None, revision):
                    found.add(user)
        return found

    async def revision(self) -> int:
        async with self.storage.read() as work:
            return await work.of(Announcements).newest()


@pytest.fixture
async def firm(storage: Storage, clock: SettableClock) -> AsyncIterator[Firm]:
    made = Firm(storage, clock)
    await made.groups.create(SYSTEM, NewGroup(name="Desk"))
    await made.groups.create(SYSTEM, NewGroup(name="Pilots"))
    async with storage.write("test") as work:
        for number, user in enumerate(USERS):
            groups = ("Desk", "Pilots") if number < 3 else ("Desk",)
            await work.of(Users).add(User(id=user, groups=groups, stamp=work.stamp()))
    for user in USERS:
        opened = await made.desktops.open(Identity.of(user, []), SessionOpening(machine={"id": f"pc-{user}"}))
        made.sessions[user] = opened.session.id
    await made.apps.create(SYSTEM, AppEntry(definition=definition("saved"), access_list=["Desk"]))
    clock.advance(1)
    yield made
    assert (await AuditService(storage).verify(SYSTEM)).fault is None


@pytest.mark.long
async def test_a_change_expands_by_plan_and_is_saved_at_the_end(firm: Firm) -> None:
    start = await firm.revision()
    progress = await firm.start({"groups": ["Pilots"]}, {"percent": 50}, max_crashes="0", comment="new URL")
    assert await firm.receiving_new() == set(USERS[:3])
    assert await firm.told(start) == set(USERS[:3])
    assert progress.seen is not None
    assert progress.seen.as_json() == {
        "users": 3, "desktops": 3, "applied": 0, "pending": 3, "failed": 0, "crashed": 0
    }  # fmt: skip

    await firm.pass_time(HOUR - 1)
    assert (await firm.now(progress)).rollout.stage == 1
    before = await firm.revision()
    await firm.pass_time(1)
    progress = await firm.now(progress)
    assert progress.rollout.stage == 2
    half = {user for user in USERS if progress.rollout.cohort.includes(user, (await firm.identity(user)).groups)}
    assert set(USERS[:3]) <= half
    assert await firm.receiving_new() == half
    assert await firm.told(before) == half - set(USERS[:3])

    await firm.pass_time(HOUR)
    progress = await firm.now(progress)
    assert progress.rollout.status is Status.FINISHED
    assert await firm.receiving_new() == set(USERS)
    app = await firm.apps.get(SYSTEM, "blotter")
    assert app.title == "new"
    assert app.rollout is None
    revisions = (await HistoryService(firm.storage).page(SYSTEM, Kind.APP, "blotter", Query())).items
    assert len(revisions) == 2
    # The document is free again.
    await firm.apps.change(SYSTEM, "blotter", AppChange(definition=definition("newer")))


async def test_a_stage_without_a_duration_waits_for_an_administrator(firm: Firm) -> None:
    progress = await firm.start({"percent": 30, "duration": None}, {"percent": 60, "duration": None})
    await firm.pass_time(100 * HOUR)
    assert (await firm.now(progress)).rollout.stage == 1
    progress = await firm.rollouts.advance(SYSTEM, Kind.APP, progress.rollout.id)
    assert progress.rollout.stage == 2
    assert await firm.receiving_new() == {user for user in USERS if progress.rollout.cohort.includes(user, ())}
    with pytest.raises(Conflict, match="finish the roll-out instead"):
        await firm.rollouts.advance(SYSTEM, Kind.APP, progress.rollout.id)


@pytest.mark.long
async def test_crashes_halt_and_a_withdrawal_brings_the_saved_version_back(firm: Firm) -> None:
    await firm.crash("u00")
    firm.clock.advance(1)
    progress = await firm.start({"groups": ["Pilots"]}, {"percent": 100}, max_crashes="1")
    await firm.crash("u09")
    await firm.crash("u01")
    await firm.pass_time(10)
    assert (await firm.now(progress)).rollout.status is Status.RUNNING
    await firm.crash("u02")
    progress = await firm.now(progress)
    assert progress.rollout.status is Status.HALTED
    assert progress.rollout.reason == "2 of 3 users crashed; the limit is 1"
    await firm.pass_time(2 * HOUR)
    assert (await firm.now(progress)).rollout.stage == 1
    assert await firm.receiving_new() == set(USERS[:3])

    resumed = await firm.rollouts.resume(SYSTEM, Kind.APP, progress.rollout.id)
    assert resumed.seen is not None
    assert (resumed.rollout.status, resumed.seen.crashed) == (Status.RUNNING, 0)

    before = await firm.revision()
    withdrawn = await firm.rollouts.withdraw(SYSTEM, Kind.APP, progress.rollout.id)
    assert withdrawn.rollout.status is Status.WITHDRAWN
    assert await firm.receiving_new() == set()
    assert await firm.told(before) == set(USERS[:3])
    assert (await firm.apps.get(SYSTEM, "blotter")).title == "saved"
    with pytest.raises(Conflict, match="has ended"):
        await firm.rollouts.finish(SYSTEM, Kind.APP, progress.rollout.id)


@pytest.mark.long
async def test_desktops_that_do_not_apply_the_new_version_halt_it(firm: Firm) -> None:
    members: dict[str, Any] = {"max_failures": "20%", "apply_timeout": 600}
    progress = await firm.start({"groups": ["Pilots"], "duration": 60}, {"percent": 100}, **members)
    await firm.pass_time(599, applied={"u00", "u01"})
    progress = await firm.now(progress)
    assert progress.seen is not None
    # A stage lasts at least until desktops can count as failed.
    assert (progress.rollout.stage, progress.seen.applied, progress.seen.failed) == (1, 2, 0)
    await firm.pass_time(1, applied=())
    progress = await firm.now(progress)
    assert progress.rollout.status is Status.HALTED
    assert progress.rollout.reason == "1 of 3 desktops did not apply the new version in time; the limit is 20%"
    await firm.rollouts.resume(SYSTEM, Kind.APP, progress.rollout.id)
    await firm.pass_time(600)
    progress = await firm.now(progress)
    assert (progress.rollout.status, progress.rollout.stage) == (Status.RUNNING, 2)
    # Those of the first stage have applied it already, and are not notified again.
    assert progress.seen is not None
    assert (progress.seen.desktops, progress.seen.applied) == (10, 3)


async def test_the_content_cannot_be_changed_meanwhile_but_the_users_can(firm: Firm) -> None:
    progress = await firm.start({"groups": ["Pilots"]})
    with pytest.raises(DuringRollout, match=progress.rollout.id):
        await firm.apps.change(SYSTEM, "blotter", AppChange(definition=definition("other")))
    with pytest.raises(DuringRollout):
        await firm.apps.remove(SYSTEM, "blotter")
    with pytest.raises(DuringRollout):
        await firm.apps.import_all(SYSTEM, AppImport(applications=[definition("other")], overwrite=True))
    with pytest.raises(DuringRollout):
        await firm.start({"percent": 5})
    assert await firm.receiving_new() == set(USERS[:3])
    previews = PreviewService(firm.storage)
    for change in ({"action": "delete"}, {"action": "change", "document": {"definition": definition("other")}}):
        with pytest.raises(DuringRollout):
            await previews.attempt(SYSTEM, "apps", preview_of(change))
    await previews.attempt(SYSTEM, "apps", preview_of({"action": "change", "document": {"public": True}}))
    changed = await firm.apps.change(SYSTEM, "blotter", AppChange(definition=definition("saved"), public=True))
    assert changed.public
    finished = await firm.rollouts.finish(SYSTEM, Kind.APP, progress.rollout.id)
    assert finished.rollout.status is Status.FINISHED
    app = await firm.apps.get(SYSTEM, "blotter")
    assert (app.title, app.public) == ("new", True)


@pytest.mark.long
async def test_several_nodes_take_each_step_once(firm: Firm) -> None:
    progress = await firm.start({"percent": 10}, {"percent": 20}, {"percent": 30})
    nodes = [firm.rollouts, firm.service(), firm.service()]
    for stage in (2, 3):
        await firm.pass_time(HOUR)
        await asyncio.gather(*(node.advance_all() for node in nodes))
        assert (await firm.rollouts.get(SYSTEM, Kind.APP, progress.rollout.id)).rollout.stage == stage
    await firm.pass_time(HOUR)
    await asyncio.gather(*(node.advance_all() for node in nodes))
    entries = (await AuditService(firm.storage).page(SYSTEM, Query(limit=1000))).items
    steps = [each for each in entries if json_text.parse(each.text)["operation"] == "rollout"]
    assert len(steps) == 3
    assert len((await HistoryService(firm.storage).page(SYSTEM, Kind.APP, "blotter", Query())).items) == 2


async def test_steps_need_the_rights_of_the_author_at_that_time(firm: Firm) -> None:
    await firm.users.create(SYSTEM, NewUser(id="delegate", groups=[Permission.APPS_WRITE.value]))
    delegate = Identity.of("delegate", [Permission.APPS_WRITE.value])
    with pytest.raises(Forbidden):
        await firm.start({"percent": 10}, identity=Identity.of("u00", ["Desk"]))
    progress = await firm.start({"percent": 10}, {"percent": 20}, identity=delegate)
    with pytest.raises(Forbidden):
        await firm.rollouts.finish(Identity.of("u00", ["Desk"]), Kind.APP, progress.rollout.id)
    with pytest.raises(NotFound):
        await firm.rollouts.finish(SYSTEM, Kind.CONFIG, progress.rollout.id)
    await firm.users.change(SYSTEM, "delegate", UserChange(groups=[]))
    await firm.pass_time(HOUR)
    progress = await firm.now(progress)
    assert progress.rollout.status is Status.HALTED
    assert "APPS:WRITE" in progress.rollout.reason
    advanced = await firm.rollouts.advance(SYSTEM, Kind.APP, progress.rollout.id)
    assert (advanced.rollout.status, advanced.rollout.stage) == (Status.RUNNING, 2)


async def test_a_program_cannot_be_rolled_out_to_users_with_more_rights(firm: Firm) -> None:
    await firm.users.create(SYSTEM, NewUser(id="boss", groups=["Desk", Permission.USERS_WRITE.value]))
    delegate = Identity.of("delegate", [Permission.APPS_WRITE.value])
    program = {"name": "blotter", "type": "exe", "details": {"path": "c:/", "command": "x.exe"}}
    with pytest.raises(Forbidden):
        await firm.start({"percent": 10}, identity=delegate, content=program)
    progress = await firm.start({"percent": 10}, content=program)
    with pytest.raises(Forbidden):
        await firm.apps.change(delegate, "blotter", AppChange(public=True))
    await firm.rollouts.withdraw(SYSTEM, Kind.APP, progress.rollout.id)
    await firm.apps.change(delegate, "blotter", AppChange(public=True))


async def test_configuration_and_its_explanations(firm: Firm) -> None:
    body = ConfigDocument.model_validate({"file": "system.json", "contents": {"folders": {"one": 1}}})
    config = await firm.configs.create(SYSTEM, body)
    content = {"folders": {"one": 2}}
    plan = NewRollout.model_validate({"key": config.id, "content": content, "stages": [{"groups": ["Pilots"]}]})
    progress = await firm.rollouts.create(SYSTEM, Kind.CONFIG, plan)

    async def served(user: str) -> Any:
        files = await firm.configs.effective(await firm.identity(user), RequestedScope())
        return json_text.parse(files["system.json"])["folders"]["one"]

    assert (await served("u00"), await served("u08")) == (2, 1)
    assert json_text.parse((await firm.configs.for_nobody("", ["system.json"]))["system.json"]) == {
        "folders": {"one": 1}
    }
    with pytest.raises(DuringRollout):
        await firm.configs.change(SYSTEM, config.id, ConfigChange(contents={"folders": {}}))
    explained = ExplanationService(firm.storage)
    for user, value, is_new in (("u00", 2, True), ("u08", 1, False)):
        view = explanation_view(await explained.explain(SYSTEM, Question(user=user, file="system.json")))
        assert [item["value"] for item in view["items"]] == [value]
        assert view["items"][0]["winner"]["rollout"]["isCandidate"] is is_new
        told = effective_view(await EffectiveService(firm.storage).of_user(SYSTEM, user, EffectiveQuery()))
        layer = told["configs"]["items"][0]["layers"][0]
        assert layer["rollout"]["isCandidate"] is is_new
        assert f"stage 1 of 1 of the roll-out {progress.rollout.id}" in layer["rollout"]["text"]
        assert "members of Pilots" in layer["rollout"]["text"]
    await firm.rollouts.finish(SYSTEM, Kind.CONFIG, progress.rollout.id)
    assert (await served("u00"), await served("u08")) == (2, 2)


async def test_common_layouts_but_not_those_of_one_user(firm: Firm) -> None:
    entry = LayoutEntry.model_validate({"definition": layout("Day", "saved"), "owner": "*", "public": True})
    stored = await firm.layouts.create(SYSTEM, entry)
    plan = {"key": stored.id, "content": layout("Day", "new"), "stages": [{"groups": ["Pilots"]}]}
    progress = await firm.rollouts.create(SYSTEM, Kind.LAYOUT, NewRollout.model_validate(plan))

    async def served(user: str) -> Any:
        texts = await firm.layouts.visible(await firm.identity(user))
        return [json_text.parse(text)["metadata"]["note"] for text in texts]

    assert (await served("u00"), await served("u08")) == (["new"], ["saved"])
    with pytest.raises(DuringRollout):
        await firm.layouts.change(SYSTEM, stored.id, LayoutChange.model_validate({"owner": "u00"}))
    told = effective_view(await EffectiveService(firm.storage).of_user(SYSTEM, "u08", EffectiveQuery()))
    assert told["layouts"]["items"][0]["rollout"]["isCandidate"] is False
    await firm.rollouts.finish(SYSTEM, Kind.LAYOUT, progress.rollout.id)
    assert await served("u08") == ["new"]

    again = {**plan, "content": layout("Night", "new")}
    with pytest.raises(Invalid, match="problems"):
        await firm.rollouts.create(SYSTEM, Kind.LAYOUT, NewRollout.model_validate(again))
    own = await firm.layouts.create(SYSTEM, LayoutEntry.model_validate({"definition": layout("A", ""), "owner": "u00"}))
    plan = {"key": own.id, "content": layout("A", "x"), "stages": [{"percent": 5}]}
    with pytest.raises(Invalid) as refused:
        await firm.rollouts.create(SYSTEM, Kind.LAYOUT, NewRollout.model_validate(plan))
    assert refused.value.problems[0].message == "the layout belongs to one user; save it instead"


async def test_a_rollout_ends_with_its_document(firm: Firm) -> None:
    body = {"file": "system.json", "contents": {}, "group": "Pilots"}
    config = await firm.configs.create(SYSTEM, ConfigDocument.model_validate(body))
    plan = {"key": config.id, "content": {"folders": {}}, "stages": [{"percent": 50}]}
    progress = await firm.rollouts.create(SYSTEM, Kind.CONFIG, NewRollout.model_validate(plan))
    async with firm.storage.write("test") as work:
        await work.of(ConfigFiles).remove_of(Scope.GROUP, "Pilots")
    progress = await firm.now(progress)
    assert (progress.rollout.status, progress.rollout.reason) == (Status.WITHDRAWN, "the document was deleted")


async def test_wrong_plans_are_refused_with_their_places(firm: Firm) -> None:
    wrong: list[dict[str, Any]] = [{"percent": 50}, {"percent": 20}, {}, {"groups": ["Nobody"]}]
    with pytest.raises(Invalid) as refused:
        await firm.start(*wrong)
    assert [problem.path for problem in refused.value.problems] == [
        "stages[1].percent", "stages[2]", "stages[3].groups"
    ]  # fmt: skip
    with pytest.raises(Invalid, match="no change"):
        await firm.start(content=definition("saved"))
    with pytest.raises(Invalid):
        await firm.start(content={**definition("new"), "name": "other"})
    with pytest.raises(NotFound):
        await firm.start(key="unknown")
    with pytest.raises(Stale):
        await firm.start(expected=frozenset({1}))
    assert await firm.receiving_new() == set()


async def test_a_preview_counts_the_users_of_each_stage(firm: Firm) -> None:
    plan = RolloutPlan.model_validate({"key": "blotter", "stages": [{"groups": ["Pilots"]}, {"percent": 100}]})
    assert await firm.rollouts.preview(SYSTEM, Kind.APP, plan) == {
        "users": 10,
        "stages": [{"number": 1, "users": 3, "new": 3}, {"number": 2, "users": 10, "new": 7}],
    }


async def test_ended_rollouts_are_deleted_with_old_revisions(firm: Firm) -> None:
    kept = await firm.start({"percent": 10, "duration": None})
    ended = await firm.rollouts.withdraw(SYSTEM, Kind.APP, kept.rollout.id)
    opened = await firm.start({"percent": 10, "duration": None})
    firm.clock.advance(400 * 86_400)
    config = manager_config("sqlite:///unused.db", purge={"history": 30})
    await purge(firm.storage, config)
    with pytest.raises(NotFound):
        await firm.rollouts.get(SYSTEM, Kind.APP, ended.rollout.id)
    assert (await firm.rollouts.get(SYSTEM, Kind.APP, opened.rollout.id)).rollout.is_open


async def test_the_stages_of_a_rollout_have_no_more_rights_than_the_token_that_started_it(firm: Firm) -> None:
    await firm.users.create(SYSTEM, NewUser(id="robot", groups=[ADMIN_GROUP], service=True))
    tokens = ApiTokenService(firm.storage, max_days=9)
    body = NewApiToken(name="job", permissions=[Permission.APPS_WRITE], expires_in_days=9)
    token, _ = await tokens.create(SYSTEM, "robot", body)
    robot = Identity.of("robot", [ADMIN_GROUP]).limited_to(token.use)
    stages = [{"percent": 10, "duration": HOUR}, {"percent": 100, "duration": HOUR}]
    started = await firm.start(*stages, identity=robot)
    await tokens.revoke(SYSTEM, token.id)

    await firm.pass_time(HOUR)
    await firm.rollouts.advance_all()

    found = await firm.rollouts.get(SYSTEM, Kind.APP, started.rollout.id)
    assert (found.rollout.status, found.rollout.stage) == (Status.HALTED, 1)
    assert found.rollout.reason == "the API token was revoked, or has expired"

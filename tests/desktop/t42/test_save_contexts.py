"""Whom a layout asks for contexts: the peers of the app itself, within bounded time, and nobody else."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest

from rostrum.desktop.app_calls import AppCalls
from rostrum.desktop.callers import Callers
from rostrum.desktop.t42.layouts import SaveContextQuestions
from tests.desktop.test_identities import Program, bearing, signed_in
from tests.desktop.test_platform import APPS, Desk, desk, until

__all__ = ["desk"]

METHOD = "T42.HC.GetSaveContext"
ANSWERS: dict[str, Any] = {
    "clock": {"windowContext": {"page": 3}},
    "late": None,
    "hostile": {"windowContext": {"big": "x" * 2_000_000}},
    "wrong": {"windowContext": ["no object"]},
    "automatic": {"autoSaveWindowContext": ["Global"]},
}


async def answering(program: Program, name: str, answer: Any, asked: list[str]) -> None:
    """Answer each call of the method; None never answers."""
    while True:
        frame = await program.get()
        if frame["type"] == "invoke":
            asked.append(name)
            if answer is not None:
                invocation = frame["invocation_id"]
                await program.send(domain="agm", type="yield", invocation_id=invocation, result=answer)


@pytest.mark.long
async def test_only_peers_of_the_app_are_asked_and_late_or_wrong_answers_do_not_count(desk: Desk) -> None:
    for name in (*ANSWERS, "silent"):
        desk.write_app(name)
    desk.system(**APPS)
    asked: list[str] = []
    async with desk.running() as platform, AsyncExitStack() as peers:
        services, gateway = platform.services, platform.gateway
        helper = await gateway.local_peer("helper", "ann")
        stranger = await gateway.local_peer("stranger", "ann")

        def answered(_: object) -> dict[str, Any]:
            asked.append("stranger")
            return {"windowContext": {"x": 1}}

        await stranger.methods.register(METHOD, answered)
        tasks = []
        for name in (*ANSWERS, "silent"):
            instance = await services.instances.start(name, {"from": "start"})
            if name in ANSWERS:
                token = services.tokens.token(instance.id)
                program = await peers.enter_async_context(signed_in(gateway.address, bearing(token)))
                registered = {"id": "1", "name": METHOD, "flags": {}}
                assert (await program.ask(domain="agm", type="register", methods=[registered]))["type"] == "success"
                tasks.append(asyncio.create_task(answering(program, name, ANSWERS[name], asked)))
        await until(lambda: sum(one.name == METHOD for one in helper.methods.known) == len(ANSWERS) + 1)
        calls = AppCalls(helper, Callers(gateway, helper))
        services.layouts.save_contexts = SaveContextQuestions(calls, lambda _: {"page": "now"}, within=0.5)
        layout = await services.layouts.save("Morning")
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    found = {one["application"]: one["state"]["context"] for one in layout["components"]}
    start = {"from": "start"}
    assert found == dict.fromkeys((*ANSWERS, "silent"), start) | {"clock": {"page": 3}, "automatic": {"page": "now"}}
    assert sorted(asked) == sorted(ANSWERS)

"""Calls of apps by the platform: of the peer that is meant only, and never more than an app answers."""

import asyncio
from typing import Any

from rostrum.desktop.app_calls import AppCalls
from rostrum.desktop.callers import Callers
from rostrum.gateway import Gateway, GatewayOptions
from rostrum.gateway.local.methods import Invocation
from tests.desktop.test_platform import until


async def test_an_unresponsive_app_gets_a_limited_number_of_calls_and_delays_no_other() -> None:
    gateway = Gateway(GatewayOptions(port=0))
    await gateway.start()
    platform, silent, quick = [await gateway.local_peer(name, "ann") for name in ("platform", "silent", "quick")]
    called: list[str] = []

    async def never(_: Invocation) -> None:
        called.append("silent")
        await asyncio.Event().wait()

    async def at_once(invocation: Invocation) -> Any:
        called.append("quick")
        return {"given": invocation.arguments["number"]}

    await silent.methods.register("App.Call", never)
    await quick.methods.register("App.Call", at_once)
    calls = AppCalls(platform, Callers(gateway, platform))
    await until(lambda: len(calls.of_everyone("App.Call")) == 2)
    for number in range(150):
        calls.notify(calls.of_peer(silent.id, "App.Call"), {"number": number})
    await until(lambda: called.count("silent") == 100)
    (method,) = calls.of_peer(quick.id, "App.Call")
    assert await calls.ask(method, {"number": 7}) == {"given": 7}
    (other,) = calls.of_peer(silent.id, "App.Call")
    assert await calls.ask(other, {"number": 7}) is None
    assert called.count("silent") == 100
    assert calls.of_peer("nobody", "App.Call") == calls.of_instance("nobody", "App.Call") == ()
    # Nothing is waited for at the end.
    await calls.close()
    await gateway.stop()

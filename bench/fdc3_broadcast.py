"""Broadcasts from page to page in Chromium: with the agent on the gateway, a reference agent, and a bare relay."""

import asyncio
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from playwright.async_api import BrowserContext, Page

from tests.agents.main_page import build, served, write_setting
from tests.chromium import chromium
from tests.end_to_end.processes import serving
from tests.fdc3.platform import record
from tests.real_manager import USER, manager

ROUNDS = 5
MESSAGES = 200
GOAL_MEDIAN, GOAL_P99 = 1.5, 2.0
# Both pages have the clock of this machine.
LISTEN = """channel => agent.getOrCreateChannel(channel).then(async one => {
  window.delays = [];
  await one.addContextListener(null, context =>
    delays.push(performance.timeOrigin + performance.now() - context.sent));
})"""
SEND = """async ([channel, count]) => {
  const one = await agent.getOrCreateChannel(channel);
  for (let number = 0; number < count; number += 1) {
    await one.broadcast({ type: "bench.time", sent: performance.timeOrigin + performance.now() });
    await new Promise(resolve => setTimeout(resolve, 2));
  }
}"""
# The same without any agent: each page has a WebSocket to a server that passes messages on.
CONNECT = """address => new Promise(resolve => {
  window.delays = [];
  window.relay = new WebSocket(address);
  relay.onmessage = event => delays.push(performance.timeOrigin + performance.now() - JSON.parse(event.data).sent);
  relay.onopen = () => resolve(true);
})"""
RELAY = """async count => {
  for (let number = 0; number < count; number += 1) {
    relay.send(JSON.stringify({ type: "bench.time", sent: performance.timeOrigin + performance.now() }));
    await new Promise(resolve => setTimeout(resolve, 2));
  }
}"""


def report() -> str:
    ours, reference, bare = _measure()
    rows = []
    for name, share, goal in (("median", 0.5, GOAL_MEDIAN), ("p99", 0.99, GOAL_P99)):
        mine, theirs, least = (_quantile(delays, share) for delays in (ours, reference, bare))
        rows.append(
            f"| {name} | {mine:.2f} ms | {theirs:.2f} ms | {mine / theirs:.2f} × | ≤ {goal:g} × |"
            f" {least:.2f} ms | {mine / least:.2f} × |"
        )
    return (
        "## FDC3 broadcasts between pages\n\n"
        f"Two apps run in windows of Chromium. One of them broadcasts {MESSAGES} contexts on an app channel, {ROUNDS} "
        "times with each agent in turn. With Rostrum, the hub of the browser delivers broadcasts first, and the "
        "agent on the gateway receives every broadcast afterwards ([decision "
        "0073](decisions/0073-broadcasts-delivered-by-lease.md)). The reference is `@morgan-stanley/fdc3-web` "
        "0.17.0, an agent in the main page itself.\n\n"
        "The bare relay is a WebSocket server without an agent. Each page is connected to it directly, and it "
        "forwards messages. No agent that delivers from outside the browser can be faster.\n\n"
        "| delay | agent on the gateway | reference in the page | ratio | goal | bare relay | ratio |\n"
        "|---|---|---|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def _measure() -> tuple[list[float], list[float], list[float]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        site = folder / "site"
        site.mkdir()
        build(site, "main-page", "reference-page", "app-page")
        with manager(folder) as server, served(site) as origin, served(site) as apps, _relay() as relay:
            records = [record(one, details={"url": f"{apps}/app-page.html?{one}"}) for one in ("one", "two")]
            for one in records:
                server.admin("POST", "/admin/apps", {"definition": one, "public": True}, 201)
            token = httpx.post(f"{server.address}/token/refresh", auth=USER).json()["token"]
            runtime = {"XDG_RUNTIME_DIR": name, "XDG_DATA_HOME": name}
            options = ("--port", "0", "--manager", server.address, "--no-passwords")
            with serving("gateway", *options, environment=runtime) as gateway:
                write_setting(site, url=gateway.address, token=token, records=records)
                delays = asyncio.run(_in_browser(f"{origin}/main-page.html", f"{origin}/reference-page.html", relay))
                gateway.stop()
    return delays


async def _in_browser(ours: str, reference: str, relay: str) -> tuple[list[float], list[float], list[float]]:
    flags = ("--disable-popup-blocking", "--disable-background-timer-throttling", "--disable-renderer-backgrounding")
    async with chromium(*flags, "--disable-backgrounding-occluded-windows") as launched:
        first = await _apps(await launched.new_context(), ours, "seen.statuses.length > 0")
        second = await _apps(await launched.new_context(), reference, "window.isReady === true")
        third = await launched.new_context()
        bare_sender, bare_receiver = await third.new_page(), await third.new_page()
        for page in (bare_sender, bare_receiver):
            await page.evaluate(CONNECT, relay)
        found: tuple[list[float], list[float]] = ([], [])
        bare: list[float] = []
        for number in range(ROUNDS + 1):
            for delays, (sender, receiver) in zip(found, (first, second), strict=True):
                channel = f"bench-{number}"
                await receiver.evaluate(LISTEN, channel)
                await sender.evaluate(SEND, [channel, MESSAGES])
                await receiver.wait_for_function("count => delays.length >= count", arg=MESSAGES)
                if number:
                    # The first round warms both up.
                    delays.extend(await receiver.evaluate("delays"))
            await bare_receiver.evaluate("() => { window.delays = []; }")
            await bare_sender.evaluate(RELAY, MESSAGES)
            await bare_receiver.wait_for_function("count => delays.length >= count", arg=MESSAGES)
            if number:
                bare.extend(await bare_receiver.evaluate("delays"))
        return *found, bare


@contextmanager
def _relay() -> Iterator[str]:
    with subprocess.Popen(
        [sys.executable, "-m", "bench.websocket_relay"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield f"ws://127.0.0.1:{int(process.stdout.readline())}/"
        process.terminate()


async def _apps(context: BrowserContext, address: str, ready: str) -> tuple[Page, Page]:
    main = await context.new_page()
    await main.goto(address)
    await main.wait_for_function(ready)
    pages = []
    for name in ("one", "two"):
        async with context.expect_page() as opened:
            await main.evaluate("([app, id]) => openApp(app, id)", [name, f"{name}-1"])
        page = await opened.value
        await page.wait_for_function("window.connecting !== undefined")
        await page.evaluate("async () => { window.agent = await connecting; }")
        pages.append(page)
    return pages[0], pages[1]


def _quantile(values: list[float], share: float) -> float:
    return statistics.quantiles(values, n=1000, method="inclusive")[round(share * 1000) - 1]

"""Broadcasts between apps of one browser are delivered there, in the order that all browsers see."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Frame

from tests.end_to_end.platform_ui.conftest import at_desk
from tests.end_to_end.platform_ui.interop import connected_firm, open_app
from tests.end_to_end.processes import Running

# `agent.broadcast` asks for the current channel first; the channel itself does not.
JOIN = """async () => {
    await agent.joinUserChannel("fdc3.channel.1");
    window.channel = await agent.getCurrentChannel();
}"""
BROADCAST = "async text => { await channel.broadcast({ type: 'fdc3.test', text }); }"
# Without waiting for the agent's answer.
POST = "text => { void channel.broadcast({ type: 'fdc3.test', text }); }"
# The request follows without waiting for anything: the agent must have the broadcast by then.
BROADCAST_AND_ASK = """async text => {
    void channel.broadcast({ type: "fdc3.test", text });
    return (await channel.getCurrentContext("fdc3.test")).text;
}"""
TEXTS = "contexts.map(context => context.text)"
CURRENT = "agent.getCurrentChannel().then(one => one.getCurrentContext('fdc3.test')).then(context => context.text)"


@contextmanager
def halted(gateway: Running) -> Iterator[None]:
    """Let the gateway do nothing for a while; its connections stay open."""
    gateway.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        gateway.process.send_signal(signal.SIGCONT)


async def received(app: Frame, text: str) -> list[str]:
    """Wait until an app has received a context; return the texts of all that it has received."""
    await app.wait_for_function("text => contexts.some(context => context.text === text)", arg=text)
    texts: list[str] = await app.evaluate(TEXTS)
    return texts


async def broadcast_without_gateway(gateway: Running, chart: Frame, news: Frame) -> None:
    """Broadcast between two apps of one browser while the gateway does nothing, and ask the agent afterwards."""
    # The agent answers with who receives what.
    for text in ("0", "1"):
        await chart.evaluate(BROADCAST, text)
    await received(news, "1")

    with halted(gateway):
        await chart.evaluate(POST, "2")
        assert await received(news, "2") == ["0", "1", "2"]

    for text in ("order 1", "order 2", "order 3"):
        assert await chart.evaluate(BROADCAST_AND_ASK, text) == text
    await chart.evaluate(BROADCAST, "2")

    # The agent has the context as well, for apps that come later.
    assert await news.evaluate(CURRENT) == "2"


async def broadcast_in_two_browsers(gateway: Running, chart: Frame, news: Frame, there: Frame) -> None:
    """Broadcast in two browsers at once: the lease is returned first, so both see one order."""
    await there.evaluate(JOIN)
    assert await there.evaluate(CURRENT) == "2"
    # The first ones go through the agent: there is another receiver now.
    for text in ("a", "b", "3"):
        await chart.evaluate(BROADCAST, text)
    before = await received(there, "3")
    with halted(gateway):
        await there.evaluate(POST, "there")
        await chart.evaluate(POST, "here")
        assert (await received(news, "here"))[-1] == "here"
    assert (await received(news, "there"))[-3:] == ["3", "here", "there"]
    assert await received(there, "here") == [*before, "here"]
    assert await chart.evaluate(CURRENT) == await there.evaluate(CURRENT) == "there"
    await chart.evaluate(BROADCAST, "4")
    assert (await received(news, "4"))[-1] == (await received(there, "4"))[-1] == "4"


async def load_receiver_again(chart: Frame, news: Frame) -> None:
    """Load the receiver again, with other listeners than before, and broadcast to it."""
    await news.evaluate("location.reload()")
    await news.wait_for_function("window.connecting !== undefined && window.contexts?.length === 0")
    await news.evaluate("async () => { window.agent = await connecting; }")
    await news.wait_for_function("agent.getCurrentChannel().then(channel => channel !== null)")
    await chart.evaluate(BROADCAST, "5")
    await chart.evaluate(BROADCAST, "6")
    assert (await received(news, "6"))[-2:] == ["5", "6"]


@pytest.mark.long
async def test_apps_of_one_browser_do_not_wait_for_the_gateway_and_continue_after_a_reload_and_its_restart(
    browser: Browser, tmp_path: Path
) -> None:
    async with connected_firm(tmp_path) as firm, at_desk(browser, firm) as desk:
        for title in ("Chart", "News"):
            await firm.add_fdc3_app(title)
        with firm.gateway() as gateway:
            await desk.enter()
            chart, news = await open_app(desk, "Chart"), await open_app(desk, "News")
            for app in (chart, news):
                await app.evaluate(JOIN)
            await broadcast_without_gateway(gateway, chart, news)
            async with at_desk(browser, firm) as other:
                await other.enter()
                await broadcast_in_two_browsers(gateway, chart, news, await open_app(other, "News"))
            await load_receiver_again(chart, news)

        with firm.gateway():
            await chart.wait_for_function("agent.getInfo().then(() => true)")
            for text in ("7", "8", "9"):
                await chart.evaluate(BROADCAST, text)
            assert (await received(news, "9"))[-3:] == ["7", "8", "9"]
            assert await chart.evaluate(CURRENT) == "9"

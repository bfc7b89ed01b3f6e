"""Apps of the page with the user's FDC3 agent: channels, intents, windows, reloads, a gateway that is restarted."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Browser, Frame, Locator

from tests.chromium import expect, until
from tests.end_to_end.platform_ui.conftest import Desk, at_desk
from tests.end_to_end.platform_ui.interop import (
    CONTACT,
    INSTRUMENT,
    ConnectedFirm,
    connected,
    connected_firm,
    frame_of,
    open_app,
    select_channel,
)

FOUND = "appId => agent.findInstances({appId}).then(found => found.map(one => one.instanceId))"
OUTCOME = """async ([intent, context]) => {
    try { return (await agent.raiseIntent(intent, context)).source; } catch (error) { return error.message; }
}"""
HANDLER = """addEventListener("load", async () => {
    window.handled = [];
    if (location.search !== "?plotter") return;
    await (await connecting).addIntentListener("ViewChart", context => { handled.push(context); });
})"""

PRIVATE = """async () => {
    window.own = await agent.createPrivateChannel();
    await own.addEventListener("disconnect", () => { window.ended = true; });
}"""


def banner(desk: Desk) -> Locator:
    return desk.page.get_by_role("status").filter(has_text="Apps are not connected to each other")


async def select_with_keyboard(desk: Desk, news: Frame) -> None:
    """Use the menu of an app on channel 1: arrows move, Escape returns to the button, Enter selects."""
    button = desk.page.get_by_role("button", name="Channel of News:")
    await button.press("ArrowDown")
    selected = desk.page.get_by_role("menuitemradio", name="Channel 1", exact=True)
    await expect(selected).to_be_focused()
    await expect(selected).to_be_checked()
    assert await desk.violations() == []
    await desk.page.keyboard.press("Escape")
    await expect(button).to_be_focused()
    await button.press("Enter")
    await desk.page.keyboard.press("Home")
    await desk.page.keyboard.press("Enter")
    await expect(button).to_have_accessible_name("Channel of News: No channel")
    assert await news.evaluate("agent.getCurrentChannel()") is None
    assert await desk.violations() == []


async def show_page_of_another_app(desk: Desk, chart: Frame, page: str) -> None:
    """Load the page of another app in a frame: only pages of the directory record are answered."""
    await desk.tab("Chart").click()
    await expect(desk.page.get_by_role("button", name="Channel of Chart: Channel 1")).to_be_visible()
    await chart.evaluate("address => { location.href = address; }", page)
    # This page is not the app of the frame, and has no channel.
    await expect(desk.page.get_by_role("button", name="Channel of Chart:")).to_have_count(0)
    assert await answer_to_frame(desk, page) == "no answer"


async def answer_to_frame(desk: Desk, address: str) -> str:
    """Add a frame as an app can do itself; return what the platform answers to its first message."""
    await desk.page.evaluate(
        """address => new Promise(resolve => {
            const frame = document.createElement("iframe");
            frame.id = "stranger";
            frame.src = address;
            frame.onload = resolve;
            document.body.append(frame);
        })""",
        address,
    )
    handle = await desk.page.locator("#stranger").element_handle()
    stranger = await handle.content_frame()
    assert stranger is not None
    answer: str = await stranger.evaluate(
        """() => new Promise(resolve => {
            onmessage = event => resolve(event.data.type);
            parent.postMessage({type: "WCP1Hello", meta: {connectionAttemptUuid: "x"}}, "*");
            setTimeout(() => resolve("no answer"), 1000);
        })"""
    )
    return answer


async def choose_handlers(desk: Desk, watch: Frame) -> None:
    """Raise an intent with two handlers, Grapher and Plotter: the user is asked each time."""
    dialog = desk.page.get_by_role("dialog", name='Choose an app for "Show ViewChart"')
    raised = asyncio.ensure_future(watch.evaluate(OUTCOME, ["ViewChart", INSTRUMENT]))
    await expect(dialog).to_contain_text('Requested by "Watch".')
    assert await desk.violations() == []
    await desk.page.keyboard.press("Escape")
    assert await raised == "UserCancelledResolution"
    await expect(dialog).to_have_count(0)
    assert await watch.evaluate(OUTCOME, ["NoSuchIntent", INSTRUMENT]) == "NoAppsFound"

    # The second app of the list is started beside the one that asks, and gets the intent.
    await desk.page.context.add_init_script(HANDLER)
    raised = asyncio.ensure_future(watch.evaluate(OUTCOME, ["ViewChart", INSTRUMENT]))
    await expect(dialog.get_by_role("button", name="Grapher")).to_be_focused()
    await desk.page.keyboard.press("ArrowDown")
    await desk.page.keyboard.press("Enter")
    source = await raised
    assert source["appId"] == "plotter"
    plotter = await frame_of(desk, "Plotter")
    await plotter.wait_for_function("handled.length > 0")
    assert await plotter.evaluate("handled") == [INSTRUMENT]
    await expect(desk.page.locator(".dv-groupview")).to_have_count(2)

    # Now one runs: it is offered first, and brought to the front.
    raised = asyncio.ensure_future(watch.evaluate(OUTCOME, ["ViewChart", INSTRUMENT]))
    running = dialog.get_by_role("region", name="Running")
    await expect(running.get_by_role("button", name="Plotter Workspace 1")).to_be_focused()
    assert await desk.violations() == []
    await desk.page.keyboard.press("Enter")
    assert (await raised)["instanceId"] == source["instanceId"]
    await plotter.wait_for_function("handled.length > 1")

    # A question whose app is closed is withdrawn.
    raised = asyncio.ensure_future(watch.evaluate(OUTCOME, ["ViewChart", INSTRUMENT]))
    await expect(dialog).to_be_visible()
    await desk.tab("Watch").press("Delete")
    await expect(dialog).to_have_count(0)
    await asyncio.gather(raised, return_exceptions=True)


async def open_apps_and_windows(desk: Desk, firm: ConnectedFirm) -> None:
    """Open apps from apps, in panels and in a window, with a context; choose the handlers of intents."""
    watch = await open_app(desk, "Watch")
    opened = await watch.evaluate("context => agent.open({appId: 'chart'}, context)", INSTRUMENT)
    chart = await frame_of(desk, "Chart")
    assert await chart.evaluate("contexts") == [INSTRUMENT]
    assert await watch.evaluate(FOUND, "chart") == [opened["instanceId"]]
    failed = await watch.evaluate("agent.open({appId: 'nothing'}).catch(error => error.message)")
    assert failed == "AppNotFound"

    async with desk.page.expect_popup() as popup:
        await desk.launch("Ticket")
    ticket = await connected(await popup.value)
    assert len(await watch.evaluate(FOUND, "ticket")) == 1
    # Windows have no tab, so the bar lists them with their channels.
    await desk.page.get_by_role("button", name="1 window").press("Enter")
    await desk.page.get_by_label("Channel of Ticket").select_option("Channel 2")
    await until(ticket, "agent.getCurrentChannel().then(one => one?.id === 'fdc3.channel.2')")
    assert await desk.violations() == []
    await desk.page.keyboard.press("Escape")
    await select_channel(desk, "Watch", "Channel 2")
    await ticket.evaluate("context => agent.broadcast(context)", INSTRUMENT)
    await watch.wait_for_function("contexts.length > 0")

    # The window stays connected while the page of the platform is loaded again.
    await desk.page.reload()
    await desk.ready()
    watch = await frame_of(desk, "Watch")
    assert await watch.evaluate("agent.getCurrentChannel().then(one => one.id)") == "fdc3.channel.2"
    await ticket.evaluate("context => agent.broadcast(context)", CONTACT)
    await watch.wait_for_function("contexts.some(one => one.type === 'fdc3.contact')")

    # A reload while the user is asked: the question of the window comes again.
    for title in ("Plotter", "Grapher"):
        await firm.add_fdc3_app(title, "ViewChart")
    await until(ticket, "agent.findIntent('ViewChart').then(one => one.apps.length === 2, () => false)")
    raised = asyncio.ensure_future(ticket.evaluate(OUTCOME, ["ViewChart", INSTRUMENT]))
    dialog = desk.page.get_by_role("dialog", name='Choose an app for "Show ViewChart"')
    await expect(dialog).to_be_visible()
    await desk.page.reload()
    await desk.ready()
    await expect(dialog.get_by_role("button")).to_have_count(3)
    await desk.page.keyboard.press("Escape")
    assert await raised == "UserCancelledResolution"
    watch = await frame_of(desk, "Watch")

    # The window itself is loaded again: the new page of the platform finds it by its name.
    before = await watch.evaluate(FOUND, "ticket")
    await (await popup.value).reload()
    ticket = await connected(await popup.value)
    assert await ticket.evaluate("agent.getInfo().then(one => [one.appMetadata.instanceId])") == before
    await desk.page.get_by_role("button", name="1 window").press("Enter")
    await expect(desk.page.get_by_label("Channel of Ticket")).to_have_value("fdc3.channel.2")
    await desk.page.keyboard.press("Escape")
    await (await popup.value).close()
    await until(watch, "agent.findInstances({appId: 'ticket'}).then(found => found.length === 0)")
    await desk.tab("Chart").press("Delete")
    await expect(desk.page.locator(".dv-groupview")).to_have_count(1)
    await choose_handlers(desk, watch)


STORED = """Object.entries(sessionStorage)
    .some(([key, text]) => key.startsWith("rostrum-open:") && text.includes(JSON.stringify(argument)))"""


async def duplicate_tab(desk: Desk, chart: Frame) -> None:
    """Open the page in a second tab: both share one connection, and the second one has apps of its own."""
    # The page stores what is open a moment after it has changed.
    for app in ("chart", "news"):
        await until(desk.page, STORED, app)
    # Browsers copy the session storage to a window that a page opens, as to a duplicated tab.
    async with desk.page.expect_popup() as popup:
        await desk.page.evaluate("() => { window.open(location.href); }")
    second = Desk(await popup.value, desk.root)
    await second.ready()
    copy = await frame_of(second, "Chart")
    await second.tab("Chart").click()
    await expect(second.page.get_by_role("button", name="Channel of Chart: No channel")).to_be_visible()
    assert len(set(await copy.evaluate(FOUND, "chart"))) == 2
    await select_channel(second, "Chart", "Channel 1")
    await copy.evaluate("agent.broadcast({type: 'test.copy'})")
    await chart.wait_for_function("contexts.some(one => one.type === 'test.copy')")
    # The first tab continues when the second one is closed.
    await second.page.close()
    await until(chart, "agent.findInstances({appId: 'chart'}).then(found => found.length === 1)")


async def load_page_again(desk: Desk) -> tuple[Frame, Frame]:
    """Load the page of the platform again; its apps are on their channel again."""
    await desk.page.reload()
    await desk.ready()
    chart, news = await frame_of(desk, "Chart"), await frame_of(desk, "News")
    await expect(desk.page.get_by_role("button", name="Channel of News: Channel 1")).to_be_visible()
    await chart.evaluate("context => agent.broadcast(context)", INSTRUMENT)
    await news.wait_for_function("contexts.some(one => one.type === 'fdc3.instrument')")
    return chart, news


@pytest.mark.long
async def test_users_open_apps_and_put_them_on_channels_which_they_keep_over_a_reload_and_a_restart_of_the_gateway(
    browser: Browser, tmp_path: Path
) -> None:
    async with connected_firm(tmp_path) as firm, at_desk(browser, firm) as desk:
        for title in ("Watch", "Chart", "News"):
            await firm.add_fdc3_app(title)
        await firm.add_fdc3_app("Ticket", openInBrowser="window", width=420, height=300)
        with firm.gateway():
            await desk.enter()
            await open_apps_and_windows(desk, firm)
            await desk.tab("Plotter").press("Delete")
            await expect(desk.page.locator("iframe")).to_have_count(0)

            chart = await open_app(desk, "Chart")
            await expect(desk.page.get_by_role("button", name="Channel of Chart: No channel")).to_be_visible()
            await select_channel(desk, "Chart", "Channel 1")
            news = await open_app(desk, "News")
            await news.evaluate("agent.joinUserChannel('fdc3.channel.1')")
            await expect(desk.page.get_by_role("button", name="Channel of News: Channel 1")).to_be_visible()
            await chart.evaluate("context => agent.broadcast(context)", INSTRUMENT)
            await news.wait_for_function("contexts.length > 0")
            assert await news.evaluate("contexts") == [INSTRUMENT]
            await select_with_keyboard(desk, news)

            # An app in another browser of the same user is on the same channels.
            async with at_desk(browser, firm) as other:
                await other.enter()
                there = await open_app(other, "News")
                await select_channel(other, "News", "Channel 1")
                await chart.evaluate("context => agent.broadcast(context)", CONTACT)
                await there.wait_for_function("contexts.some(one => one.type === 'fdc3.contact')")

            await select_channel(desk, "News", "Channel 1")
            before = await chart.evaluate(FOUND, "chart")
            await duplicate_tab(desk, chart)
            chart, news = await load_page_again(desk)
            assert await chart.evaluate(FOUND, "chart") == before
            await chart.evaluate(PRIVATE)

        await expect(banner(desk)).to_be_visible()
        await expect(desk.page.get_by_role("button", name="Channel of News: Channel 1")).to_be_disabled()
        assert await desk.violations() == []
        # What an app sends meanwhile is sent later. The new process knows nothing of the apps.
        await chart.evaluate("() => { window.sent = agent.broadcast({type: 'test.later'}); }")
        with firm.gateway():
            await expect(banner(desk)).to_have_count(0)
            await chart.evaluate("sent")
            await news.wait_for_function("contexts.some(one => one.type === 'test.later')")
            assert await news.evaluate(FOUND, "chart") == before
            await expect(desk.page.get_by_role("button", name="Channel of News: Channel 1")).to_be_enabled()
            # Private channels end with the process, and their apps receive an event.
            await chart.wait_for_function("window.ended === true")
            failed = await chart.evaluate("own.broadcast({type: 'fdc3.nothing'}).catch(error => error.message)")
            assert failed == "NoChannelFound"
            await show_page_of_another_app(desk, chart, f"{firm.site.address}/app-page.html?news")

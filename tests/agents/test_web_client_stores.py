"""Layouts and preferences of client libraries, which a real manager stores."""

from collections.abc import Iterator

import pytest

from tests.agents.web_clients import Place, ready
from tests.conftest import ADMIN
from tests.real_manager import manager

PASSWORD = "a long password"


@pytest.fixture(scope="module")
def stores(place: Place, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A manager with a user; the result is its address."""
    users = [":".join(ADMIN), f"ann:{PASSWORD}"]
    cors = {"credentials": True, "origin": place.site}
    folder = tmp_path_factory.mktemp("manager")
    with manager(folder, cors=cors, auth_basic={"predefinedUsers": users}) as running:
        yield running.address


@pytest.mark.long
async def test_preferences_and_layouts_are_stored_and_changes_reach_the_apps(place: Place, stores: str) -> None:
    async with place.desk(manager=stores, username="ann") as main:
        blotter, orders = await main.open("blotter", "blotter-1"), await main.open("orders", "orders-1")
        assert (await blotter.evaluate("io.prefs.get()"))["data"] == {}
        await orders.evaluate("void io.prefs.subscribeFor('blotter', ({data}) => { window.got = data; })")
        await orders.wait_for_function("window.got !== undefined")
        await blotter.evaluate("io.prefs.set({rows: 10})")
        await blotter.evaluate("io.prefs.update({sort: 'time'})")
        await orders.wait_for_function("window.got.sort === 'time' && window.got.rows === 10")
        stored = await orders.evaluate("io.prefs.getAll()")
        assert [(one["app"], one["data"]) for one in stored["all"]] == [("blotter", {"rows": 10, "sort": "time"})]
        await blotter.evaluate("io.prefs.clear()")
        assert (await blotter.evaluate("io.prefs.get()"))["data"] == {}
        # Preferences belong to the user: apps access those of all apps of the user, and no others.
        await blotter.evaluate("io.prefs.setFor('orders', {by: 'blotter'})")
        assert (await orders.evaluate("io.prefs.get()"))["data"] == {"by": "blotter"}
        assert (await blotter.evaluate("io.prefs.get('orders')"))["data"] == {"by": "blotter"}
        await blotter.evaluate("io.prefs.clearFor('orders')")
        for name in ("nobody", "rostrum-browser-platform", "Rostrum-Browser-Platform"):
            for call in ("setFor(name, {})", "get(name)", "clearFor(name)", "updateFor(name, {})"):
                message = await blotter.evaluate(f"name => io.prefs.{call}.catch(error => error.message)", name)
                assert f"the user has no app {name}" in message

        # Open apps are saved as a layout, and restored.
        await orders.evaluate("void io.layouts.onSaveRequested(() => ({windowContext: {order: 7}}))")
        await orders.evaluate("io.channels.join('Green')")
        await blotter.evaluate("io.layouts.save({name: 'Morning', ignoreInstances: ['g42-blotter-1']})")
        summaries = await blotter.evaluate("io.layouts.getAll('Global')")
        assert [one["name"] for one in summaries] == ["Morning"]
        async with main.context.expect_page() as opened:
            await blotter.evaluate("io.layouts.restore({name: 'Morning'})")
        again = await opened.value
        await ready(again)
        assert orders.is_closed()
        assert await again.evaluate("io.windows.my().getContext()") == {"order": 7}
        await again.wait_for_function("io.channels.my() === 'Green'")
        assert (await blotter.evaluate("io.layouts.getCurrentLayout()"))["name"] == "Morning"

        # Layouts are renamed, exported and removed.
        await blotter.evaluate("void io.layouts.onRemoved(({name}) => { window.removed = name; })")
        await blotter.evaluate("io.layouts.save({name: 'Morning', metadata: {a: 1}})")
        await blotter.evaluate("io.layouts.setDefaultGlobal('Morning')")
        assert (await blotter.evaluate("io.layouts.getDefaultGlobal()"))["name"] == "Morning"
        await blotter.evaluate("io.layouts.clearDefaultGlobal()")
        await blotter.evaluate("io.layouts.get('Morning', 'Global').then(layout => io.layouts.rename(layout, 'Day'))")
        [exported] = await blotter.evaluate("io.layouts.export('Global')")
        assert (exported["name"], exported["metadata"]) == ("Day", {"a": 1})
        await blotter.evaluate("layout => io.layouts.import([{...layout, name: 'Night'}], 'merge')", exported)
        names = await blotter.evaluate("io.layouts.getAll('Global').then(all => all.map(({name}) => name).toSorted())")
        assert names == ["Day", "Night"]
        await blotter.evaluate("io.layouts.remove('Global', 'Day')")
        await blotter.wait_for_function("window.removed === 'Day'")
        message = await blotter.evaluate("io.layouts.restore({name: 'Day'}).catch(error => error.message)")
        assert "layouts.restore: there is no layout Day" in message

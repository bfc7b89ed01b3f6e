"""Fixtures of the tests of windows: a display of this test process's own, and what is seen on it."""

from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import closing

import pytest
import pytest_asyncio

from tests.windows import processes
from tests.windows.desk import DeskOfTests, engine_wanted, running_desk
from tests.windows.display import Display, running_display, wanted
from tests.windows.pages import OTHER_SITE, Pages, served
from tests.windows.real_host import RealHost, real_host
from tests.windows.screen import Screen


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Save a picture of the screen when a test fails, while its windows are still there."""
    report = yield
    display = getattr(item, "funcargs", {}).get("display")
    if report.when == "call" and report.failed and isinstance(display, Display):
        folder = item.config.rootpath / "build" / "failed-windows"
        # On a connection of its own: that of the test may be broken.
        with closing(Screen(display.name)) as screen:
            picture = screen.save(folder, item.name.replace("/", "-")[:150])
        report.sections.append(("screen", f"The screen at the failure: {picture} (the windows: {picture.stem}.txt)"))
    return report


@pytest.fixture(autouse=True)
def orphans_are_adopted() -> Iterator[None]:
    with processes.orphans_adopted():
        yield


@pytest.fixture(scope="session")
def display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Display]:
    """A display with a window manager; each worker of pytest has its own."""
    wanted()
    with running_display(tmp_path_factory.mktemp("display")) as running:
        yield running


@pytest.fixture(scope="session")
def connected_screen(display: Display) -> Iterator[Screen]:
    screen = Screen(display.name)
    yield screen
    screen.close()


@pytest.fixture
def screen(display: Display, connected_screen: Screen) -> Iterator[Screen]:
    """The screen as a person sees and uses it: one monitor, nothing pressed, the pointer in the corner."""
    connected_screen.move(0, 0)
    yield connected_screen
    connected_screen.release()
    connected_screen.set_monitors()


@pytest.fixture
def evil() -> Iterator[Pages]:
    """Another site than that of the apps; tests add what it serves to its answers."""
    with served({}, OTHER_SITE) as pages:
        yield pages


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def running_platform(
    request: pytest.FixtureRequest,
    display: Display,
    connected_screen: Screen,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[DeskOfTests]:
    """One platform with windows for all tests of a module, with the module's APPS, PAGES and SETTINGS."""
    engine_wanted()
    module, root = request.module, tmp_path_factory.mktemp("desk")
    with served(module.PAGES) as pages:
        settings = getattr(module, "SETTINGS", {})
        async with running_desk(root, display, connected_screen, pages, module.APPS, settings) as desk:
            yield desk


@pytest_asyncio.fixture(loop_scope="module")
async def desk(running_platform: DeskOfTests, screen: Screen) -> AsyncIterator[DeskOfTests]:
    """The module's platform; every window is closed after each test."""
    yield running_platform
    await running_platform.close_all()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def running_host(display: Display) -> AsyncIterator[RealHost]:
    """One window process without a platform for all tests of a module."""
    async with real_host(display) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def running(running_host: RealHost, screen: Screen) -> AsyncIterator[RealHost]:
    """The module's window process; every window is closed after each test."""
    yield running_host
    await running_host.close_windows()
    await screen.until("no windows", lambda: not screen.windows())

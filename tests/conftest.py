"""Fixtures that several folders of tests use."""

import gc
import inspect
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from hypothesis import HealthCheck, settings
from playwright.async_api import Browser

from rostrum.base.clock import SettableClock
from rostrum.base.passwords import Passwords
from rostrum.manager.app import create_app
from rostrum.manager.config import ManagerConfig, read_config
from tests.chromium import chromium
from tests.compiled_statements import share_compiled_statements
from tests.long_form import cycles
from tests.postgresql import running_postgresql
from tests.prepared_processes import use_cheap_hashes
from tests.processor_limit import ProcessorLimit
from tests.processor_time import ProcessorTime
from tests.selection import Selection, add_options
from tests.tables import add_content, add_tables, empty_database, is_sqlite

settings.register_profile(
    "rostrum",
    max_examples=cycles(50),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.load_profile("rostrum")
share_compiled_statements()
use_cheap_hashes()

_LONG = (
    "tests/windows/",
    "tests/end_to_end/admin_ui/",
    "tests/end_to_end/",
)
"""Tests that take long: with windows, with the browser, and with programs (the rest of the last folder)."""

ADMIN = ("admin", "admin-password")
ORIGIN = "http://admin.example.com"
_SQLITE_FILE = "sqlite:////"
SECRET = "a secret that only the tests know, long enough"

# Tests start hundreds of processes: they keep compiled modules, as they do for a person. So does this one.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# What a shell starts in the background ignores Ctrl+C, and so would the programs that tests start and stop by it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options that select tests."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Select tests, record the processor time of complete runs, and limit that of each usual test."""
    config.pluginmanager.register(Selection(config))
    config.pluginmanager.register(ProcessorTime(config))
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.pluginmanager.register(ProcessorLimit())


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name tests so that the name can be sent between processes: half of a surrogate pair cannot."""
    return ascii(val) if isinstance(val, str) and any("\ud800" <= letter <= "\udfff" for letter in val) else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that take long: each process of `-n` has one kind of them first.

    A process of `-n` gets an equal share of the list, and takes over tests from the end of the shares of others when it
    has finished. Were the long tests there, each process would start a browser or a display of its own, and all would
    wait for the last test.
    """
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()) and inspect.iscoroutinefunction(
            getattr(item, "function", None)
        ):
            # The browser lives on this loop.
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
    long: dict[str, list[pytest.Item]] = {folder: [] for folder in _LONG}
    others: list[pytest.Item] = []
    for item in items:
        kind = next((folder for folder in _LONG if item.nodeid.startswith(folder)), None)
        (others if kind is None else long[kind]).append(item)
    shares = max(1, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))
    size = len(items) // shares
    ordered: list[pytest.Item] = []
    for number, kind in enumerate(_LONG):
        # Kinds without a process of their own follow the others at once.
        missing = max(0, min(number, shares - 1) * size - len(ordered))
        ordered += [*others[:missing], *long[kind]]
        del others[:missing]
    items[:] = [*ordered, *others]


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Never look for garbage among the collected tests and the modules that they loaded: they stay until the end.

    Afterwards garbage is looked for less often than usual: it took a tenth of the time of all tests.
    """
    gc.disable()
    try:
        _load_share(session.config)
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)


def _load_share(config: pytest.Config) -> None:
    """Load a share of the tests in each process of `-n` before all of them.

    Loading compiles them, which takes longer than everything else at the start. Each process then finds what the others
    have compiled.
    """
    number = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    if not number or any(not Path(argument).is_dir() for argument in config.args):
        return
    root, count = config.rootpath, int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    ignored = {Path(path).resolve() for path in config.getoption("ignore") or ()}
    files = sorted(file for folder in config.args for file in Path(folder).resolve().rglob("test_*.py"))
    for file in [file for file in files if ignored.isdisjoint(file.parents)][int(number) :: count]:
        # The collection reports what cannot be loaded.
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(file.relative_to(root).with_suffix("").parts))


@pytest.fixture(autouse=True)
def logging_is_restored() -> Iterator[None]:
    """Remove log handlers that a test leaves: their streams are closed, and other tests read the log."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield
    root.handlers[:] = [handler for handler in root.handlers if handler in before]
    root.setLevel(level)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One Chromium for all tests of a process: starting it takes longer than most of these tests."""
    async with chromium() as launched:
        yield launched


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """A real PostgreSQL of this test run's own; the answer is the address of its first database."""
    with running_postgresql() as server:
        yield server.get_uri()


@pytest.fixture
def postgresql(postgresql_server: str) -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    with empty_database(postgresql_server) as address:
        yield address


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """The address of an SQLite database that does not exist yet."""
    return f"sqlite:///{tmp_path}/rostrum.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest) -> str:
    """The address of an empty database, of each kind in turn."""
    address: str = request.getfixturevalue(request.param)
    return address


@pytest.fixture
def clock() -> SettableClock:
    """A clock that stands still until the test moves it."""
    return SettableClock()


def manager_config(store: str, **document: Any) -> ManagerConfig:
    """A configuration for tests; members of the object can be given or replaced."""
    if document or not store.startswith(_SQLITE_FILE):
        return _read_config(store, document)
    # Most tests use a file and nothing unusual: all of them share what was read once.
    return _usual_config().model_copy(update={"store": store})


@cache
def _usual_config() -> ManagerConfig:
    return _read_config(f"{_SQLITE_FILE}rostrum.db", {})


def _read_config(store: str, document: dict[str, Any]) -> ManagerConfig:
    return read_config(
        {
            "auth_method": "basic",
            "store": store,
            "token": {"secret": SECRET},
            "cors": {"credentials": True, "origin": ORIGIN},
            "auth_basic": {"predefinedUsers": [":".join(ADMIN)]},
            # It works on the database while the first requests come, and tests watch what these do.
            "purge": {"atStartup": False},
            **document,
        },
        {},
    ).config


class Api:
    """A manager's API as one user sees it: no cookies unless asked for, so that each request stands alone."""

    def __init__(self, app: Any, config: ManagerConfig) -> None:
        self.app = app
        self.config = config

    def client(self, auth: tuple[str, str] | None = None, **options: Any) -> httpx.AsyncClient:
        """A client with its own cookie jar, in process."""
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=True, client=("127.0.0.9", 4711))
        address = f"http://manager.example.com/{self.config.base}"
        return httpx.AsyncClient(transport=transport, base_url=address, auth=auth, trust_env=False, **options)

    @property
    def admin(self) -> httpx.AsyncClient:
        """A client of the administrator."""
        return self.client(ADMIN)

    async def add_user(self, user: str, *groups: str, **members: Any) -> httpx.AsyncClient:
        """Make a user, and give a client of theirs."""
        password = f"{user}-password"
        body = {"id": user, "password": password, "groups": list(groups), **members}
        answer = await self.admin.post("/admin/users", json=body)
        assert answer.status_code == 201, answer.text
        return self.client((user, password))


@asynccontextmanager
async def running_api(config: ManagerConfig, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager in this process, its database open; it hashes cheaply, because tests sign in thousands of times."""

    async def start_once(store: str) -> None:
        async with create_app(manager_config(store), SettableClock(), _cheap_passwords()).running():
            pass

    is_usual = config == manager_config(config.store) and clock.now() == SettableClock().now()
    if is_usual and is_sqlite(config.store):
        # The first start takes as long as everything else here: it adds the administrator.
        await add_content(config.store, "administrator", start_once)
    await add_tables(config.store)
    app = create_app(config, clock, _cheap_passwords())
    async with app.running():
        yield Api(app, config)


def _cheap_passwords() -> Passwords:
    return Passwords(memory_kib=8, rounds=1)


@pytest.fixture
async def api(sqlite: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on an empty SQLite database, with the administrator ``ADMIN``."""
    async with running_api(manager_config(sqlite), clock) as running:
        yield running

"""One manager for all tests of stores, and stores that are opened as often as a test likes."""

from collections.abc import AsyncIterator, Iterator

import pytest

from rostrum.client.service import Service
from tests.real_manager import Manager, manager
from tests.stores.reopening import Makers, Reopen, connected, opened
from tests.stores.rest_service import rest_service


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Manager]:
    with manager(tmp_path_factory.mktemp("manager")) as running:
        yield running


@pytest.fixture(params=["file", "rest", "server"])
async def reopen(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Reopen[object]]:
    """Open the store as a start of the platform does; each call is another start. The module says how it is made."""
    makers: Makers[object] = request.module.MAKERS
    folder = tmp_path_factory.mktemp("store")
    if request.param == "file":
        yield lambda: opened(makers.file(folder))
    elif request.param == "rest":
        async with rest_service() as rest, Service(rest.address) as service:
            yield lambda: opened(makers.rest(service, folder))
    else:
        async with connected(request.getfixturevalue("server")) as connection:
            yield lambda: opened(makers.server(connection, folder))
            await makers.clear(connection.client)

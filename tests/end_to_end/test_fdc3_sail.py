"""FDC3 Sail reads the app directory of a manager: the requests of Sail, and its rules for the answer.

The requests and rules were derived from the published sources of Sail. Sail 2 reads directories in its server, the beta
of Sail 3 in its page. Sail itself is not run.
"""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser

from tests.agents.main_page import served
from tests.real_manager import Manager, manager
from tools.node import find_node

READ = """async ({address, identity, intent, context}) => {
    // No options: no headers, and no credentials for another origin.
    const answer = await fetch(address);
    if (!answer.ok) return {status: answer.status};
    const {applications} = await answer.json();
    // Sail 3 refuses the complete directory if one app lacks one of these.
    const required = ['appId', 'title', 'type', 'details'];
    const incomplete = applications.filter(app => required.some(member => !app[member])).length;
    const ids = new Set(applications.map(app => app.appId.toLowerCase()));
    // Sail 2 lists web apps with an address and native apps, except those that its own manifest hides.
    const listed = applications.filter(app => (app.hostManifests?.sail?.searchable ?? true)
        && (app.type === 'native' || (app.type === 'web' && app.details.url != null)));
    // A page that connects is the app with the same origin and path.
    const place = address => { const {origin, pathname} = new URL(address); return origin + pathname; };
    const connected = applications.filter(app => typeof app.details.url === 'string'
        && place(app.details.url) === place(identity));
    // A search by context compares the intents of all apps, so that Sail 3 fails at one without contexts.
    const intents = applications.flatMap(({appId, interop}) => Object.entries(interop?.intents?.listensFor ?? {})
        .map(([name, declared]) => ({appId, name, contexts: declared.contexts})));
    const accepting = intents.filter(({contexts}) => contexts.includes(context));
    const handlers = accepting.filter(({name}) => name === intent);
    const names = apps => apps.map(app => app.appId).sort();
    return {status: answer.status, incomplete, distinct: ids.size === applications.length, all: names(applications),
        listed: names(listed), connected: names(connected), accepting: names(accepting),
        handlers: names(handlers)};
}"""
QUESTION = {
    "identity": "https://chart.example.com/page?symbol=A",
    "intent": "ViewChart",
    "context": "fdc3.instrument",
}
DEFINITIONS: list[dict[str, Any]] = [
    {
        "name": "chart",
        "type": "window",
        "details": {"url": "https://chart.example.com/page"},
        "intents": [{"name": "ViewChart", "contexts": ["fdc3.instrument"]}, {"name": "Print"}],
    },
    {"name": "ledger", "type": "exe", "details": {"path": "C:\\ledger", "command": "ledger.exe"}},
    {"appId": "group", "title": "Group", "type": "other", "details": {}},
    {
        "appId": "quotes",
        "title": "Quotes",
        "type": "web",
        "details": {"url": "https://quotes.example.com"},
        "interop": {
            "intents": {
                "listensFor": {
                    "ViewQuote": {},
                    "ViewChart": {"contexts": ["fdc3.instrument"]},
                    "Trade": {"contexts": ["fdc3.instrument"]},
                    "Print": None,
                }
            }
        },
    },
    {
        "appId": "hidden",
        "title": "Hidden",
        "type": "web",
        "details": {"url": "https://hidden.example.com"},
        "hostManifests": {"sail": {"searchable": False}},
        "interop": {"intents": {"listensFor": ["ViewChart"]}},
    },
]
EXPECTED = {
    "status": 200,
    "incomplete": 0,
    "distinct": True,
    "all": ["chart", "group", "hidden", "ledger", "quotes"],
    "listed": ["chart", "ledger", "quotes"],
    "connected": ["chart"],
    "accepting": ["chart", "quotes", "quotes"],
    "handlers": ["chart", "quotes"],
}


@pytest.fixture(scope="module")
def firm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Manager]:
    with manager(tmp_path_factory.mktemp("sail"), directory={"anonymous": True}) as running:
        for definition in DEFINITIONS:
            running.admin("POST", "/admin/apps", {"definition": definition, "public": True}, 201)
        running.admin("POST", "/admin/groups", {"name": "Traders"}, 201)
        yield running


@pytest.fixture
def secret(firm: Manager) -> Iterator[str]:
    """The directory address of a group; it is revoked at the end."""
    made = firm.admin("POST", "/admin/directories", {"group": "Traders"}, 201)
    yield str(httpx.URL(firm.address).join(made["path"]))
    firm.admin("DELETE", f"/admin/directories/{made['id']}", None, 204)


def read_in_server(address: str) -> Any:
    script = (
        f"({READ})({json.dumps({**QUESTION, 'address': address})}).then(found => console.log(JSON.stringify(found)))"
    )
    done = subprocess.run(
        [find_node().node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True, timeout=60
    )
    return json.loads(done.stdout)


async def read_in_page(browser: Browser, folder: Path, *addresses: str) -> list[Any]:
    (folder / "index.html").write_text("<!doctype html><title>Sail</title>")
    with served(folder) as origin:
        page = await browser.new_page()
        await page.goto(f"{origin}/index.html")
        found = [await page.evaluate(READ, {**QUESTION, "address": address}) for address in addresses]
        await page.close()
    return found


@pytest.mark.long
def test_the_server_of_sail_2_reads_the_directory(firm: Manager, secret: str) -> None:
    assert read_in_server(secret) == EXPECTED
    assert read_in_server(f"{firm.address}/v2/apps") == EXPECTED


@pytest.mark.long
async def test_the_page_of_sail_3_reads_the_directory(
    browser: Browser, firm: Manager, secret: str, tmp_path: Path
) -> None:
    # A page that may not read a response gets an exception instead of its status.
    unknown = secret.replace("/v2/apps", "x/v2/apps")

    found = await read_in_page(browser, tmp_path, secret, f"{firm.address}/v2/apps", unknown)

    assert found == [EXPECTED, EXPECTED, {"status": 404}]

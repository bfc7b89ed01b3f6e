"""CONTRIBUTING names the files that a request passes through."""

import re

from tests.conftest import Api
from tools.measure.put import trace_put
from tools.measure.sources import ROOT
from tools.measure.tracing import tracing

CONTRIBUTING = ROOT / "CONTRIBUTING.md"


async def test_contributing_names_files_that_a_change_of_an_app_passes_through(api: Api) -> None:
    section = CONTRIBUTING.read_text().partition("### The path of a request")[2].partition("\n## ")[0]
    named = re.findall(r"`((?:manager|contracts)/[\w/]+\.py)`", section)

    trace = await trace_put(api.admin)

    files, values = trace.files_beyond_constructors, trace.as_json()
    assert len(named) > 25
    assert [file for file in named if file not in files] == []
    assert len(files) < 90, "more files than CONTRIBUTING states"
    assert values["calls"] > values["changes_of_file"] > values["files"] > values["folders"] > 5


async def test_a_repeated_poll_passes_through_few_files(api: Api) -> None:
    trader = await api.add_user("trader", "Trading")
    for _ in range(2):
        await trader.get("/apps")

    with tracing() as trace:
        response = await trader.get("/apps")

    assert response.status_code == 200
    assert 0 < len(trace.files_beyond_constructors) < 30, "more files than CONTRIBUTING states"

"""The start of a manager."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from tests.real_manager import configuration
from tests.tables import add_tables

RARELY_NEEDED = {
    "alembic",
    "attr",
    "httpx",
    "jinja2",
    "litestar.plugins.pydantic",
    "obstore",
    "prometheus_client",
    "pydantic.v1",
    "rostrum.settings.sections",
    "sqlalchemy.dialects.postgresql",
}
"""Modules that only some operations, commands or databases need."""


@pytest.mark.long
def test_a_started_manager_has_not_loaded_libraries_that_it_rarely_needs(tmp_path: Path) -> None:
    asyncio.run(add_tables(f"sqlite:///{tmp_path}/rostrum.db"))
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from rostrum.cli.manager import open_settings\n"
        "from rostrum.manager.server import RunningManager\n"
        f"config = open_settings(Path({configuration(tmp_path)!r}), quiet=True).config\n"
        f"with RunningManager(config): print(*sorted({RARELY_NEEDED!r} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == []

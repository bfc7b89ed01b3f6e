"""Which Node.js runs a script: real ones, and programs that report another version."""

import asyncio
import os
from pathlib import Path

import pytest

from rostrum.desktop.errors import LaunchFailed
from rostrum.desktop.launch.launcher import Launch, Surroundings
from rostrum.desktop.launch.node import NodeLauncher
from rostrum.desktop.launch.node_version import fitting_node
from tools.node import find_node


def other(folder: Path, version: str) -> str:
    """A program called node that reports a version."""
    folder.mkdir(parents=True)
    program = folder / "node"
    program.write_text(f"#!/bin/sh\necho {version}\n")
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize(
    ("wanted", "taken"),
    [
        (None, "old"),
        ("", "old"),
        ("18", "old"),
        ("v18.2", "old"),
        ("18.x", "old"),
        ("18.3", "nvm/versions/node/v18.20.4/bin"),
        ("20", "new"),
        ("20.11.1", "new"),
        ("20.11.*", "new"),
        ("16.0.0", "nvm/versions/node/v16.4.2/bin"),
    ],
)
async def test_the_first_one_of_the_same_major_version_that_is_not_older_is_taken(
    tmp_path: Path, wanted: str | None, taken: str
) -> None:
    for folder, version in (("old", "v18.2.0"), ("broken", "nothing"), ("new", "v20.11.1")):
        other(tmp_path / folder, version)
    for version in ("v16.4.2", "v16.1.0", "v18.20.4"):
        other(tmp_path / "nvm" / "versions" / "node" / version / "bin", version)
    path = os.pathsep.join(str(tmp_path / one) for one in ("old", "gone", "broken", "new"))
    variables = {"PATH": path, "NVM_DIR": str(tmp_path / "nvm")}
    assert await fitting_node("node", wanted, variables) == str(tmp_path / taken / "node")


async def test_what_there_is_instead_is_said(tmp_path: Path) -> None:
    program = other(tmp_path / "bin", "v18.2.0")
    variables = {"PATH": str(tmp_path / "bin")}
    for wanted in ("20", "18.2.1", "16"):
        with pytest.raises(LaunchFailed, match=rf"it needs Node\.js {wanted} \(nodeVersion\); .*node is 18\.2\.0$"):
            await fitting_node("node", wanted, variables)
    with pytest.raises(LaunchFailed, match=r"is 18\.2\.0"):
        await fitting_node(program, "20", variables)
    with pytest.raises(LaunchFailed, match="none was found on the PATH"):
        await fitting_node("node", "20", {})
    for wrong in ("lts/*", ">=18", "20.11.1.1", "twenty", True, "²0"):
        with pytest.raises(LaunchFailed, match="no version such as 20"):
            await fitting_node("node", wrong, variables)


async def test_an_app_runs_with_a_node_that_fits_and_does_not_start_with_another(tmp_path: Path) -> None:
    node = find_node().node
    (tmp_path / "app.js").write_text("require('fs').writeFileSync('out.txt', process.versions.node)")
    surroundings = Surroundings(root=tmp_path, logs=tmp_path / "logs", variables={"PATH": "/usr/bin:/bin"})
    launcher = NodeLauncher(surroundings, tmp_path / "scripts", node=node)

    async def run(wanted: str) -> int | None:
        ended: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        details = {"path": "app.js", "nodeVersion": wanted}
        definition = {"name": "tool", "type": "node", "details": details}
        await launcher.launch(Launch(instance="1", definition=definition, title="x", ended=ended.set_result))
        return await asyncio.wait_for(ended, 60)

    with pytest.raises(LaunchFailed, match=r"^tool: it needs Node\.js 9\.1 \(nodeVersion\)"):
        await run("9.1")
    assert not (tmp_path / "out.txt").exists()
    assert await run("") == 0
    version = (tmp_path / "out.txt").read_text()
    (tmp_path / "out.txt").unlink()
    assert await run(version.partition(".")[0]) == 0
    assert (tmp_path / "out.txt").read_text() == version

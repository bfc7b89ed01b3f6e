"""The desk of a first taste: the configuration of a desktop that finds the demo's manager."""

import json
import re
from pathlib import Path

__all__ = ["write_desk"]

_ADDRESS = re.compile(r"https?://[^/\"]+")


def write_desk(folder: Path, address: str) -> None:
    """Write the configuration; of one that is there only the address changes, and nothing that somebody has edited."""
    file = folder / "config" / "system.json"
    system = {
        "env": "DEMO",
        "region": "EMEA",
        "appStores": [],
        "server": {"enabled": True, "url": address},
        "crashReporter": {"output": {"type": "server", "serverUrl": f"{address}/crashes"}},
    }
    text = json.dumps(system, indent=2) + "\n"
    if file.exists() and _ADDRESS.sub("", file.read_text("utf-8")) != _ADDRESS.sub("", text):
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")

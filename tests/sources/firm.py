"""An installation on disk: configuration files, loaded the way a start does it."""

import json
from pathlib import Path
from typing import Any

from rostrum.base.clock import SettableClock
from rostrum.sources.load import Early, Loaded, Start, load_all, load_early
from rostrum.sources.locate import Arguments
from tests.sources.server import Slept

CLOCK = SettableClock()


class Firm:
    """A folder with ``config`` in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.slept = Slept()
        self.write("config/system.json", {})

    def write(self, name: str, document: Any) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return path

    def system(self, *sources: Any, **members: Any) -> None:
        declared = {"systemConfigurations": {"sources": list(sources)}} if sources else {}
        self.write("config/system.json", {**members, **declared})

    def start(self, **properties: Any) -> Start:
        return Start(root=self.root, **{"arguments": Arguments(), **properties})

    def early(self, **properties: Any) -> Early:
        return load_early(self.start(**properties))

    async def load(self, *, save: bool = True, **properties: Any) -> Loaded:
        return await load_all(self.early(**properties), sleep=self.slept, clock=CLOCK, save=save)


def rest(url: str, **properties: Any) -> dict[str, Any]:
    return {"type": "rest", "source": url, "restRetries": 0, **properties}


def path(folder: str, **properties: Any) -> dict[str, Any]:
    return {"type": "path", "source": folder, **properties}

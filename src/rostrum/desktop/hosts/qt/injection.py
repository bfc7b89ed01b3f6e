"""The scripts of the platform in pages.

They belong to the profile and not to single pages: after a page has gone to another site, the engine no longer runs the
scripts of that page. ``scripts/bridge.js`` runs first in the main frame of each page that has a channel, in an isolated
world. It asks the window process, with a question that only this script knows, which scripts run in its document.
"""

import secrets
from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files

import msgspec
from PySide6.QtCore import QFile, QIODevice
from PySide6.QtWebEngineCore import QWebEngineProfile, QWebEngineScript

ISOLATED = QWebEngineScript.ScriptWorldId.ApplicationWorld
"""A world of scripts whose variables pages can neither read nor change."""
_MAIN = QWebEngineScript.ScriptWorldId.MainWorld
_EVENT = "rostrum-bridge"


class Injection:
    """The scripts that are registered with a profile.

    Attributes:
        question: What the script in the isolated world asks.
    """

    def __init__(self, profile: QWebEngineProfile) -> None:
        """Register the script that asks."""
        self.question = f"rostrum {secrets.token_urlsafe(32)}"
        self._profile = profile
        self._used: Counter[tuple[str, ...]] = Counter()
        source = script_text("bridge.js").replace("__QUESTION__", msgspec.json.encode(self.question).decode())
        profile.scripts().insert(_script("bridge", source, ISOLATED))

    def use(self, scripts: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        """Register the scripts of a page, by name and source, which run in this order; return what selects them."""
        digest = sha256(msgspec.json.encode(scripts)).hexdigest()
        names = tuple(f"{name} {digest}-{number}" for number, (name, _) in enumerate(scripts))
        self._used[names] += 1
        if self._used[names] == 1:
            for name, (_, source) in zip(names, scripts, strict=True):
                asked = (
                    f"new CustomEvent('{_EVENT}', {{ cancelable: true, detail: {msgspec.json.encode(name).decode()} }})"
                )
                guarded = f"if (!document.dispatchEvent({asked})) {{\n{source}\n}}"
                self._profile.scripts().insert(_script(name, guarded, _MAIN))
        return names

    def release(self, names: tuple[str, ...]) -> None:
        """Remove scripts that no page uses any more."""
        self._used[names] -= 1
        if self._used[names] == 0:
            del self._used[names]
            for name in names:
                for found in self._profile.scripts().find(f"rostrum: {name}"):
                    self._profile.scripts().remove(found)


@cache
def script_text(name: str) -> str:
    """Return a script of the package."""
    file = QFile(":/qtwebchannel/qwebchannel.js")
    file.open(QIODevice.OpenModeFlag.ReadOnly)
    library = bytes(file.readAll().data()).decode()
    folder = files(__package__) / "scripts"
    text = (folder / name).read_text("utf-8").replace("__CONNECT__", (folder / "connect.js").read_text("utf-8"))
    return text.replace("__QWEBCHANNEL__", library).replace("__EVENT__", f'"{_EVENT}"')


def _script(name: str, source: str, world: QWebEngineScript.ScriptWorldId) -> QWebEngineScript:
    script = QWebEngineScript()
    script.setName(f"rostrum: {name}")
    script.setSourceCode(source)
    script.setInjectionPoint(QWebEngineScript.InjectionPoint.DocumentCreation)
    script.setWorldId(world.value)
    script.setRunsOnSubFrames(False)
    return script

"""Apps of type clickonce and citrix: they say on which systems they run."""

from rostrum.desktop.errors import NotOnThisSystem
from rostrum.desktop.launch.launcher import Launch, Launched

__all__ = ["CITRIX", "CLICKONCE", "ElsewhereLauncher"]

CLICKONCE = "ClickOnce apps run on Windows only"
CITRIX = "Citrix apps need the Citrix receiver and a desktop with windows, on Windows only"


class ElsewhereLauncher:
    """Refuses with the reason."""

    def __init__(self, reason: str) -> None:
        """Take what to say."""
        self._reason = reason

    async def launch(self, launch: Launch) -> Launched:
        """Say where such apps run."""
        raise NotOnThisSystem(f"{launch.definition['name']}: {self._reason}")

"""PageTokens: with what the pages of running apps sign in to the gateway."""

from rostrum.desktop.app_tokens import AppTokens
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.instances import Instances

__all__ = ["PageTokens"]


class PageTokens:
    """Makes tokens for running instances only."""

    def __init__(self, tokens: AppTokens, instances: Instances) -> None:
        """Take the tokens of apps, and the running apps."""
        self._tokens = tokens
        self._instances = instances

    def token(self, instance: str) -> str:
        """Make a token with which a running instance, such as the page of a window, signs in to the gateway."""
        running = self._instances.get(instance)
        if running is None:
            raise DesktopError(f"there is no instance {instance!r}")
        return self._tokens.token(instance, running.app, running.type)

"""Tokens with which apps that the platform starts sign in to its gateway."""

from rostrum.desktop.launch.launcher import Launch
from rostrum.gateway import Gateway
from rostrum.gateway.peer import Binding
from rostrum.settings.scope import AppType

_WITH_WINDOW = frozenset(
    kind.lower() for kind in (AppType.WINDOW, AppType.WORKSPACES, AppType.WEB_GROUP, AppType.CHILD_WINDOW)
)


class AppTokens:
    """Tokens that are bound to an application, its instance and its window, until the instance ends."""

    def __init__(self, gateway: Gateway, user: str) -> None:
        self._gateway = gateway
        self._user = user
        self._bindings: dict[str, Binding] = {}

    def for_launch(self, launch: Launch) -> str:
        """Create the token of an app that is about to start."""
        return self.token(launch.instance, str(launch.definition["name"]), str(launch.definition["type"]))

    def token(self, instance: str, application: str, kind: str) -> str:
        """Create a token for an instance; each is valid for one connection, and for a short time."""
        binding = self._bindings.get(instance)
        if binding is None:
            # A window has the id of the instance that it shows.
            window = instance if kind.lower() in _WITH_WINDOW else None
            binding = self._gateway.bind(self._user, application, instance=instance, window=window)
            self._bindings[instance] = binding
        return self._gateway.one_time_token(binding)

    def end(self, instance: str) -> None:
        """Revoke the tokens of an instance that has ended, or never started."""
        binding = self._bindings.pop(instance, None)
        if binding is not None:
            self._gateway.end(binding)

    def revoke(self, instance: str, reason: str) -> None:
        """Revoke the tokens of a running instance, and disconnect it; it may request another one later."""
        binding = self._bindings.pop(instance, None)
        if binding is not None:
            self._gateway.revoke(binding, reason)

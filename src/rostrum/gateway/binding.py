"""Verified identities: what a peer is bound to, whatever it says of itself."""

from dataclasses import dataclass

BOUND_MEMBERS = ("application", "applicationName", "instance", "windowId")
"""Members of an identity that only a binding may set once there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """One application, with its instance and its window where it has them.

    Attributes:
        id: What tokens name it by.
        user: Whose peers are bound to it.

    """

    id: str
    user: str
    application: str
    instance: str | None = None
    window: str | None = None

    def identity(self) -> dict[str, str | None]:
        """Return the members to lay over the identity of a peer; those that are None are taken out of it."""
        given = (self.application, self.application, self.instance, self.window)
        return dict(zip(BOUND_MEMBERS, given, strict=True))

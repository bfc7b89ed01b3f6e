"""Preferences: what one app keeps for one user."""

from dataclasses import dataclass

from rostrum.manager.stamp import Stamp


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """What one app keeps for one user."""

    id: str
    user: str
    app: str
    data: str
    stamp: Stamp

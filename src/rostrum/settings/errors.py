"""Errors of the settings.

RostrumError
└── SettingsError
    ├── BadDeclaration    a setting is declared twice, or with a default it would refuse itself
    └── BadVersion        a version that is not numbers with points between
"""

from rostrum.base.errors import RostrumError


class SettingsError(RostrumError):
    """Something is wrong with the settings as a whole."""


class BadDeclaration(SettingsError):
    """A declaration contradicts another one or itself."""


class BadVersion(SettingsError):
    """A text is not a version of the platform."""

"""App definitions: their models, and the check of a whole document."""

from rostrum.contracts.apps.definition import DETAILS, AppDefinition, check_app

__all__ = ["DETAILS", "AppDefinition", "check_app"]

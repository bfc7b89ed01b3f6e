"""App definitions: their models, and the check of a whole document."""

from rostrum.contracts.apps.check import check_app
from rostrum.contracts.apps.definition import DETAILS, AppDefinition

__all__ = ["DETAILS", "AppDefinition", "check_app"]

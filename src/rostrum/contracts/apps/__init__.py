"""App definitions: their models, and the validation of a document."""

from rostrum.contracts.apps.definition import DETAILS, AppDefinition, check_app

__all__ = ["DETAILS", "AppDefinition", "check_app"]

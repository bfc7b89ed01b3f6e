"""The preferences record of an app and a user, which stores and clients exchange."""

from datetime import datetime

from pydantic import ConfigDict, Field

from rostrum.contracts.shape import Open
from rostrum.contracts.values import DocumentName, Free


class AppPreferences(Open):
    """The preferences of one app."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    app: DocumentName = Field(description="Name of the app they belong to.")
    data: Free = Field(description="The preferences by name; the app defines their meaning.")
    # JSON has no dates, so texts are accepted here in spite of strict validation.
    last_update: datetime | None = Field(default=None, strict=False, description="Last change, as clients read it.")
    last_known_update: datetime | None = Field(
        default=None, strict=False, description="The same, with the name that REST stores use."
    )

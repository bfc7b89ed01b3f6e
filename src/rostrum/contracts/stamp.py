"""Who made a document, who changed it last, and its revision."""

from datetime import datetime

from pydantic import Field

from rostrum.contracts.body import View


class Stamped(View):
    """The members that every stored document answers."""

    revision: int = Field(description="Number of the change that made it what it is.")
    created: datetime
    created_by: str
    modified: datetime
    modified_by: str

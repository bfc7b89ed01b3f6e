"""The reason for a change: a comment and the number of a ticket."""

from typing import Annotated, Any

from pydantic import Field

from rostrum.contracts.body import Body, View
from rostrum.contracts.names import FORMS

MOST_COMMENT = 256
MOST_TICKET = 64

# Also without characters that start a line or reverse the text: an entry must not look like another one.
_ONE_LINE = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$"
FORMS[_ONE_LINE] = "must be one line of text without control characters"


def _text(most: int) -> Any:
    return Field(max_length=most, pattern=_ONE_LINE)


Comment = Annotated[str, _text(MOST_COMMENT)]
"""The reason for a change, in the words of its author."""

Ticket = Annotated[str, _text(MOST_TICKET)]
"""The number of a ticket in another system."""


class GivenReason(Body):
    """The reason that came with a request or a command."""

    comment: Comment = ""
    ticket: Ticket = ""


class ChangeRules(View):
    """The settings of the server that concern changes by administrators."""

    comment_required: list[str] = Field(description="Kinds of documents whose changes require a comment.")
    approval_kinds: list[str] = Field(description="Kinds of documents whose changes may require approval.")
    ticket_url: str = Field(description="Address of a ticket, with `{ticket}` for its number; may be empty.")

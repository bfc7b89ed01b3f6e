"""Imports of users from a CSV file: requests and responses."""

from typing import Annotated, Any, Literal

from pydantic import Field

from rostrum.contracts.body import Body, View
from rostrum.contracts.names import Id
from rostrum.contracts.reasons import Comment, Ticket

MOST_ROWS = 20_000
LONGEST = 8 * 1024 * 1024

Column = Literal["displayName", "email", "groups", "apps", "disabled"]
Csv = Annotated[str, Field(min_length=1, max_length=LONGEST)]


class UserImportRequest(Body):
    """A CSV file with users, and the options of the import."""

    csv: Csv = Field(
        description="The text of the file. The first row contains the names of columns: id (required), displayName, "
        "email, groups, apps and disabled. Fields are separated by commas, semicolons or tabs; groups and apps within "
        f"a field by semicolons. Other columns are ignored. At most {MOST_ROWS:,} rows."
    )
    columns: list[Column] | None = Field(
        None, max_length=5, description="The columns to import. Null for all columns of the file."
    )
    lists: Literal["replace", "add"] = Field(
        "replace",
        description="Whether the groups and apps of a row replace those of the user, or are added to them.",
    )


class NewUserImport(UserImportRequest):
    """An import to be started."""

    key: Id = Field(
        description="Chosen by the client, for example a random ID. A repeated request with the same key returns the "
        "batch that the first request has started."
    )
    skip_invalid: bool = Field(
        default=False,
        description="Skip invalid rows and import the others. Otherwise, nothing is imported if a row is invalid.",
    )
    count: int | None = Field(
        None,
        ge=0,
        le=MOST_ROWS,
        description="The number of new and changed users that the preview returned. The import is refused if it would "
        "change another number of users now.",
    )
    comment: Comment = Field("", description="The reason for the change, for the audit log.")
    ticket: Ticket = Field("", description="The number of a ticket, for the audit log.")


class ImportProblem(View):
    """A problem of a row."""

    column: str = Field(description="The column that has the problem; empty if the problem concerns the complete row.")
    message: str


class ImportChange(View):
    """A value that a row changes."""

    column: str
    before: Any = Field(description="Null for a new user.")
    after: Any


class ImportRow(View):
    """A row of the file and its effect."""

    line: int = Field(description="The line of the file on which the row begins; the header is line 1.")
    id: str
    result: Literal["new", "changed", "unchanged", "invalid"]
    problems: list[ImportProblem]
    changes: list[ImportChange]


class UserImportPreview(View):
    """The effect of an import; nothing was written."""

    total: int = Field(description="The number of rows.")
    new: int
    changed: int
    unchanged: int
    invalid: int
    transactions: int = Field(
        description="The number of transactions in which users are written. Other changes can happen between them."
    )
    columns: list[str] = Field(description="The columns that are imported.")
    ignored: list[str] = Field(description="The titles of columns that are not imported.")
    problems: list[ImportRow] = Field(description="All invalid rows.")
    items: list[ImportRow] = Field(description="The first rows that create or change users.")

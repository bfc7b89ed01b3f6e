"""Types of names and IDs, with the permitted characters and their error messages."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from rostrum.base.ids import validate_new_id

FORMS: dict[str, str] = {}
"""Descriptions of the patterns, for messages about texts that do not match."""


def _form(pattern: str, words: str, *, least: int = 1, most: int = 256) -> Any:
    FORMS[pattern] = words
    return Field(min_length=least, max_length=most, pattern=pattern)


def _not_dots(text: str) -> str:
    # Clients remove these from an address before sending it.
    if text in (".", ".."):
        raise ValueError("must be more than dots")
    return text


# Control characters in names are useless, and databases do not accept all of them.
Name = Annotated[str, _form(r"^[^\x00-\x1f\x7f]+$", "must not hold control characters"), AfterValidator(_not_dots)]
"""The name of an app or a layout."""

GroupName = Name

NewGroupName = Annotated[GroupName, AfterValidator(validate_new_id)]
"""The name of a new group; stored names may be older than these rules."""

# Basic credentials are split at the first colon; brackets and the star have other meanings.
UserId = Annotated[
    str,
    _form(r"^[^\x00-\x1f\x7f:()*]+$", "must not hold a colon, brackets, a star or control characters"),
    AfterValidator(_not_dots),
]

NewUserId = Annotated[UserId, AfterValidator(validate_new_id)]
"""An ID for a new user; stored IDs may be older than these rules."""

Owner = Annotated[str, _form(r"^([^\x00-\x1f\x7f:()*]+|\*)$", "must be a user id, or * for all")]

Id = Annotated[str, _form(r"^[A-Za-z0-9_-]+$", "must be an id that the server gave", most=64)]

Password = Annotated[str, _form(r"^[^\x00]+$", "must not hold a NUL character", most=1024)]

Email = Annotated[
    str, _form(r"^[^\x00-\x20\x7f@]+@[^\x00-\x20\x7f@]+$", "must be an address such as ann@example.com", most=320)
]

# Characters that change the direction of text could hide which name this is.
DisplayName = Annotated[
    str,
    _form(
        r"^[^\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]+$",
        "must not hold control characters or characters that change the direction of text",
        most=200,
    ),
]

Version = Annotated[str, _form(r"^[0-9]+(\.[0-9]+){0,2}$", "must be a version such as 10, 10.1 or 10.1.2", most=32)]

# It becomes a file on the client's disk, so separators are not allowed.
FileName = Annotated[
    str, _form(r"^[A-Za-z0-9_][A-Za-z0-9_.-]*\.json$", "must be a file name such as system.json", most=128)
]

# Up to 256 characters. Declare a type with another `most` for another limit.
ShortText = Annotated[str, _form(r"^[^\x00-\x1f\x7f]*$", "must be one line of text", least=0)]

LongText = Annotated[str, _form(r"^[^\x00]*$", "must not hold a NUL character", least=0, most=100_000)]

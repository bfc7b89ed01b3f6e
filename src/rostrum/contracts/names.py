"""The kinds of text that name things, with what may be in them."""

from typing import Annotated

from pydantic import Field

__all__ = ["Email", "FileName", "Id", "LongText", "Name", "Owner", "Password", "ShortText", "UserId", "Version"]

# A control character in a name helps nobody, and no database takes all of them.
_PLAIN = r"^[^\x00-\x1f\x7f]+$"

Name = Annotated[str, Field(min_length=1, max_length=256, pattern=_PLAIN)]
"""What an app, a group or a layout is called."""

UserId = Annotated[str, Field(min_length=1, max_length=256, pattern=r"^[^\x00-\x1f\x7f:()*]+$")]
"""A user id: no colon, because Basic credentials split at the first one; brackets and the star have other meanings."""

Owner = Annotated[str, Field(min_length=1, max_length=256, pattern=r"^([^\x00-\x1f\x7f:()*]+|\*)$")]
"""A user id, or ``*`` for all."""

Id = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
"""An id that the server made."""

Password = Annotated[str, Field(min_length=1, max_length=1024, pattern=r"^[^\x00]+$")]
Email = Annotated[str, Field(max_length=320, pattern=r"^[^\x00-\x20\x7f@]+@[^\x00-\x20\x7f@]+$")]
Version = Annotated[str, Field(max_length=32, pattern=r"^[0-9]+(\.[0-9]+){0,2}$")]
"""A version scope: ``10``, ``10.1`` or ``10.1.2``."""

FileName = Annotated[str, Field(max_length=128, pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*\.json$")]
"""A configuration file: it becomes a file on the client's disk, so no separators."""

ShortText = Annotated[str, Field(max_length=256, pattern=r"^[^\x00-\x1f\x7f]*$")]
LongText = Annotated[str, Field(max_length=100_000, pattern=r"^[^\x00]*$")]

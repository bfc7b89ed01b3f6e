"""API tokens of programs: read from the environment or from a file, never from the command line."""

import os
from collections.abc import Mapping
from pathlib import Path

from rostrum.base.addresses import url_origin
from rostrum.base.errors import RostrumError
from rostrum.client.credentials import Bearer

VARIABLE = "ROSTRUM_API_TOKEN"
"""The environment variable with an API token."""

FILE_VARIABLE = "ROSTRUM_API_TOKEN_FILE"
"""The environment variable with the path of a file that contains only an API token."""

_LONGEST = 4096


def api_token(address: str, variables: Mapping[str, str] = os.environ) -> Bearer | None:
    """Return the API token for the manager at an address; ``None`` if neither variable is set.

    The token is sent to the origin of this address only.
    """
    text, path = variables.get(VARIABLE, ""), variables.get(FILE_VARIABLE, "")
    if text and path:
        raise RostrumError(f"Set either {VARIABLE} or {FILE_VARIABLE}, not both.")
    if path:
        text = _read(Path(path))
    text = text.strip()
    if not text:
        return None
    if not text.isascii() or not text.isprintable() or " " in text or len(text) > _LONGEST:
        # The text itself is a secret, and not part of the message.
        raise RostrumError(f"The API token in {path or VARIABLE} is not a token: it must be one line without spaces.")
    origin = url_origin(address)
    if origin is None:
        raise RostrumError("The address of the manager must begin with http:// or https://.")
    return Bearer(text, origin)


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            text = file.read(_LONGEST + 1).decode(errors="replace")
    except OSError as error:
        raise RostrumError(f"The API token file {path} cannot be read: {error.strerror}") from None
    if not text.strip():
        raise RostrumError(f"The API token file {path} is empty.")
    return text

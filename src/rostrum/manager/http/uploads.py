"""Forms with files, and downloads."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from litestar import Response
from litestar.datastructures import UploadFile
from litestar.response import Stream

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.files.model import StoredFile
from rostrum.manager.http.request import ManagerRequest

_MOST_FIELDS = 200
_LONGEST_FIELD = 64 * 1024
_MOST_READ_ON = 256 * 1024 * 1024
_PATIENCE = 30.0


async def read_form(request: ManagerRequest, file_field: str) -> tuple[dict[str, str], UploadFile | None]:
    """Read the text fields of a multipart form, and the one file that is expected in it."""
    if request.content_type[0] != "multipart/form-data":
        raise Invalid("the body must be multipart/form-data")
    try:
        form = await request.form()
    except OSError:
        await _read_on(request)
        raise
    fields: dict[str, str] = {}
    file: UploadFile | None = None
    problems: list[Problem] = []
    for name, value in form.multi_items():
        if isinstance(value, UploadFile):
            if name != file_field or file is not None:
                problems.append(Problem(path=name, message=f"one file is expected, in the field {file_field}"))
            else:
                file = value
        elif len(name) > 256 or len(value) > _LONGEST_FIELD or "\0" in name:
            problems.append(Problem(path=name[:64], message=f"longer than {_LONGEST_FIELD} characters"))
        else:
            fields[name] = value
    if len(fields) > _MOST_FIELDS:
        problems.append(Problem(path="", message=f"more than {_MOST_FIELDS} fields"))
    if problems:
        raise Invalid("the form has problems", problems[:20])
    return fields, file


async def _read_on(request: ManagerRequest) -> None:
    """Read the rest of a body, up to a limit: clients that still send when the connection closes miss the response."""
    left = _MOST_READ_ON
    with suppress(TimeoutError):
        async with asyncio.timeout(_PATIENCE):
            while left > 0:
                message = await request.receive()
                if message["type"] != "http.request" or not message["more_body"]:
                    return
                left -= len(message["body"])


def download(file: StoredFile, pieces: AsyncIterator[bytes]) -> Response[Any]:
    """Send a stored file as a download that browsers do not display."""
    return Stream(
        pieces,
        media_type=file.media_type,
        headers={
            "Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name, safe='')}",
            "Content-Length": str(file.size),
            "Cache-Control": "private, no-store",
        },
    )

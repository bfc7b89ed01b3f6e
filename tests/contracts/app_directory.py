"""The answers of an FDC3 2.2 app directory, as its official OpenAPI document requires them.

No npm package that is locked here contains this document, so names, types and required members are declared here in our
own words. The published document of 2.2 allows exactly one form of `details` (`oneOf`), although the forms of `web` and
`onlineNative` are the same; its own examples are invalid by it. The type of the app chooses the form here.
"""

from typing import Any

import jsonschema_rs

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_ADDRESS = {"type": "string", "format": "uri"}
_EMAIL = {"type": "string", "format": "email"}


def _object(required: tuple[str, ...] = (), *, more: object = True, **members: object) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": members, "additionalProperties": more}


_DETAILS = {
    "web": _object(("url",), more=False, url=_ADDRESS),
    "native": _object(("path",), more=False, path=_TEXT, arguments=_TEXT),
    "citrix": _object(("alias",), more=False, alias=_TEXT, arguments=_TEXT),
    "onlineNative": _object(("url",), more=False, url=_ADDRESS),
    "other": _object(more=False),
}
_PICTURE = {"src": _ADDRESS, "size": _TEXT, "type": _TEXT}
_INTENT = _object(("contexts",), displayName=_TEXT, contexts=_TEXTS, resultType=_TEXT, customConfig=_object())
_CHANNEL = _object(("id",), id=_TEXT, description=_TEXT, broadcasts=_TEXTS, listensFor=_TEXTS)
_INTEROP = _object(
    intents=_object(listensFor=_object(more=_INTENT), raises=_object(more=_TEXTS)),
    userChannels=_object(broadcasts=_TEXTS, listensFor=_TEXTS),
    appChannels={"type": "array", "items": _CHANNEL},
)
_MEMBERS: dict[str, Any] = {
    **dict.fromkeys(("appId", "title", "name", "version", "tooltip", "description", "publisher"), _TEXT),
    "type": {"enum": list(_DETAILS)},
    "lang": {"type": "string", "pattern": "^[a-z]{2}(-[a-zA-Z0-9]{2,8}){0,1}$"},
    "categories": _TEXTS,
    "icons": {"type": "array", "items": _object(("src",), more=False, **_PICTURE)},
    "screenshots": {"type": "array", "items": _object(("src",), more=False, **_PICTURE, label=_TEXT)},
    "contactEmail": _EMAIL,
    "supportEmail": _EMAIL,
    "moreInfo": _ADDRESS,
    "customConfig": {"type": "array", "items": _object(name=_TEXT, value=_TEXT)},
    "hostManifests": _object(more={"oneOf": [_ADDRESS, {"type": "object"}]}),
    "interop": _INTEROP,
}
_APPLICATION = {
    **_object(("appId", "title", "type", "details"), **_MEMBERS, localizedVersions=_object(more=_object(**_MEMBERS))),
    "allOf": [
        {"if": _object(type={"const": kind}), "then": _object(details=details)} for kind, details in _DETAILS.items()
    ],
}
_ALL = _object(applications={"type": "array", "items": _APPLICATION}, message=_TEXT)

_ONE = jsonschema_rs.Draft7Validator(_APPLICATION, validate_formats=True)
_LIST = jsonschema_rs.Draft7Validator(_ALL, validate_formats=True)


def problems_of_app(record: object) -> list[str]:
    """List how one record differs from the standard."""
    return [f"{list(error.instance_path)}: {error.message}" for error in _ONE.iter_errors(record)]


def problems_of_list(answer: object) -> list[str]:
    """List how an answer with all apps differs from the standard."""
    return [f"{list(error.instance_path)}: {error.message}" for error in _LIST.iter_errors(answer)]

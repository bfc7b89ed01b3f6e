"""What holds for each setting, one by one: it is read when right and reported when wrong."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from rostrum.base.problems import json_path
from rostrum.settings.catalogue import catalogue
from rostrum.settings.kinds import SettingsFile
from rostrum.settings.parse import parse_document
from rostrum.settings.problems import Severity
from rostrum.settings.scope import Stream
from tests.settings.samples import VERSIONS, Steps, at, full, places

_DOCUMENTS = {
    (kind, stream): full(kind, stream)
    for kind in SettingsFile
    for stream in Stream
    if stream is Stream.V9 or kind not in (SettingsFile.GILDING, SettingsFile.ENV)
}
_WRONG: dict[str, Any] = {
    "boolean": "yes",
    "number": "many",
    "string": 5,
    "string[]": 5,
    "object": 5,
    "object[]": 5,
    "string[] | object": 5,
}


def _sections() -> list[Any]:
    """The members of the sample documents, each with the settings in it: the catalogue's path, and the way to it."""
    return [
        pytest.param(kind, stream, settings, id=f"{kind}-{stream}-{name}")
        for (kind, stream), document in _DOCUMENTS.items()
        for name, member in document.items()
        if (settings := [*_settings(kind, {name: member})])
    ]


def _settings(kind: SettingsFile, document: dict[str, Any]) -> Iterator[tuple[str, Steps]]:
    declared = catalogue(kind)
    return ((path, steps) for path, steps in places(document) if path in declared and declared[path].type != "unknown")


def _has_default(kind: SettingsFile, path: str) -> bool:
    # The default of one depends on the mode; the other is gone with the object it stands in.
    if path in ("windowManagement.group.type", "windows.preloadScripts.useBase64PreloadScripts"):
        return False
    return catalogue(kind)[path].default is not None and "[]" not in path


def _changed(kind: SettingsFile, stream: Stream, steps: Steps, value: Any) -> dict[str, Any]:
    document = deepcopy(_DOCUMENTS[kind, stream])
    at(document, steps[:-1])[steps[-1]] = value
    return document


def test_the_sample_documents_hold_every_setting() -> None:
    for kind in SettingsFile:
        written = {path for (one, _), doc in _DOCUMENTS.items() if one is kind for path, _ in places(doc)}
        assert set(catalogue(kind)) - written == set()


@pytest.mark.rule("R-2.4-6", "R-2.4-7", "R-5-7")
@pytest.mark.parametrize(("kind", "stream"), _DOCUMENTS)
def test_a_document_with_every_setting_has_no_error_and_comes_back_as_written(
    kind: SettingsFile, stream: Stream
) -> None:
    document = _DOCUMENTS[kind, stream]
    parsed = parse_document(kind, document, version=VERSIONS[stream])
    assert [problem for problem in parsed.problems if problem.severity is not Severity.NOTE] == []
    read = parsed.settings.model_dump(mode="json", by_alias=True)
    for _, steps in places(document):
        if not isinstance(at(document, steps), dict | list):
            assert at(read, steps) == at(document, steps), steps


@pytest.mark.parametrize(("kind", "stream"), _DOCUMENTS)
def test_no_sample_is_the_default(kind: SettingsFile, stream: Stream) -> None:
    declared = catalogue(kind)
    same = {
        path
        for path, steps in places(_DOCUMENTS[kind, stream])
        if path in declared and declared[path].default == at(_DOCUMENTS[kind, stream], steps)
    }
    assert same == set()


@pytest.mark.parametrize(("kind", "stream", "settings"), _sections())
def test_a_wrong_value_is_one_error_at_its_path_and_leaves_the_default_effective(
    kind: SettingsFile, stream: Stream, settings: list[tuple[str, Steps]]
) -> None:
    for path, steps in settings:
        declared = catalogue(kind)[path]
        wrong = _WRONG[declared.type]
        parsed = parse_document(kind, _changed(kind, stream, steps, wrong), version=VERSIONS[stream])
        assert [error.path for error in parsed.errors] == [json_path(steps)]
        assert parsed.errors[0].value in (wrong, "••••"), path
        if _has_default(kind, path):
            read = parsed.settings.model_dump(mode="json", by_alias=True, exclude_none=True)
            assert at(read, steps) == declared.default, path


@pytest.mark.usual(30)
@pytest.mark.parametrize(("kind", "stream", "settings"), _sections())
def test_null_is_the_default_and_no_error_unless_the_setting_is_required(
    kind: SettingsFile, stream: Stream, settings: list[tuple[str, Steps]]
) -> None:
    for path, steps in settings:
        parsed = parse_document(kind, _changed(kind, stream, steps, None), version=VERSIONS[stream])
        errors = [error.path for error in parsed.errors]
        if errors:
            assert errors == [json_path(steps)] or path.endswith("store.restURL"), path
            assert "required" in parsed.errors[0].message, path
        else:
            assert not catalogue(kind)[path].required, path


@pytest.mark.rule("R-2.7-3", "R-2.16-8")
@pytest.mark.parametrize(
    ("path", "declared"), [(path, one) for path, one in catalogue().items() if one.minimum is not None]
)
def test_a_range_holds_at_both_ends(path: str, declared: Any) -> None:
    steps = tuple(path.split("."))
    for bound, beyond in ((declared.minimum, -1), (declared.maximum, 1)):
        if bound is not None:
            assert (
                parse_document(SettingsFile.SYSTEM, _changed(SettingsFile.SYSTEM, Stream.V10, steps, bound)).errors
                == ()
            )
            (error,) = parse_document(
                SettingsFile.SYSTEM, _changed(SettingsFile.SYSTEM, Stream.V10, steps, bound + beyond)
            ).errors
            assert error.path == path
            assert str(bound) in error.message


def _enumerations() -> list[Any]:
    told_apart_elsewhere = "autoUpdater.updateSource.type"
    return [
        pytest.param(path, one, id=path)
        for path, one in catalogue().items()
        if one.enum and one.type == "string" and one.stream != Stream.V9
        if "[]" not in path and path != told_apart_elsewhere
    ]


@pytest.mark.parametrize(("path", "declared"), _enumerations())
def test_each_word_of_an_enumeration_is_taken_and_no_other(path: str, declared: Any) -> None:
    steps = tuple(path.split("."))
    for word in declared.enum:
        assert parse_document(SettingsFile.SYSTEM, _changed(SettingsFile.SYSTEM, Stream.V10, steps, word)).errors == ()
    (error,) = parse_document(
        SettingsFile.SYSTEM, _changed(SettingsFile.SYSTEM, Stream.V10, steps, declared.enum[0] + "x")
    ).errors
    assert all(word in error.message for word in declared.enum)
    assert error.suggestion == declared.enum[0]

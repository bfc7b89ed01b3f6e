"""Sections made without validation are the ones that validation makes, and nothing wrong is let through."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rostrum.settings.kinds import SettingsFile
from rostrum.settings.parse import parse_document
from rostrum.settings.roots import ROOTS
from rostrum.settings.scope import Stream
from rostrum.settings.sections.stores import AppDefinitionOverrides, PathDetails
from rostrum.settings.sections.user_interface import Alerts
from rostrum.settings.setting import Section
from rostrum.settings.shape import members
from rostrum.settings.trusted import construct_trusted
from tests.settings.samples import VERSIONS, full
from tests.settings.test_any_document import JSON


def _sections(of: type[Section]) -> Iterator[type[Section]]:
    yield of
    for member in members(of).values():
        for inner in member.sections:
            yield from _sections(inner)


_ALL = sorted({one for kind in SettingsFile for one in _sections(ROOTS[kind])}, key=lambda one: one.__qualname__)
_VALUES = st.sampled_from(
    [True, 0, 1, -1, 5, 20.5, 10**400, float("inf"), "", "path", "rest", "red", "*", "\ud800", "ä", [], ["a"], [1], {}]
)


def _validated(cls: type[Section], values: dict[str, Any]) -> Section | None:
    try:
        return cls.model_validate(values)
    except ValidationError:
        return None


@pytest.mark.long
@given(cls=st.sampled_from(_ALL), data=st.data())
def test_whatever_is_made_is_what_validation_makes(cls: type[Section], data: st.DataObject) -> None:
    plain = [name for name, member in members(cls).items() if not member.sections]
    values = data.draw(st.dictionaries(st.sampled_from(plain) if plain else st.just("x"), _VALUES | JSON, max_size=6))
    made = construct_trusted(cls, values)
    if made is not None:
        validated = _validated(cls, values)
        assert validated is not None
        assert made == validated
        assert made.model_fields_set == validated.model_fields_set


@pytest.mark.parametrize("cls", _ALL, ids=lambda one: one.__qualname__)
def test_a_wrong_value_is_never_made_into_a_section(cls: type[Section]) -> None:
    for name, member in members(cls).items():
        for wrong in ("\ud800", float("nan"), b"", object()):
            if member.type != "unknown":
                assert construct_trusted(cls, {name: wrong}) is None


@pytest.mark.parametrize("kind", SettingsFile)
@pytest.mark.parametrize("stream", Stream)
def test_a_document_without_a_fault_needs_no_validation(
    kind: SettingsFile, stream: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = full(kind, stream)
    expected = parse_document(kind, document, version=VERSIONS[stream])

    def refused(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(Section, "model_validate", refused)
    assert parse_document(kind, document, version=VERSIONS[stream]) == expected


def test_what_is_required_must_be_there() -> None:
    assert construct_trusted(PathDetails, {}) is None
    assert construct_trusted(PathDetails, {"path": "apps"}) == PathDetails(path="apps")


def test_a_section_left_out_has_its_defaults() -> None:
    assert construct_trusted(Alerts, {}) == Alerts()


@pytest.mark.parametrize("name", ["cls", "_fields_set", "__class__"])
def test_unknown_names_in_an_open_section_are_not_passed_as_arguments(name: str) -> None:
    assert construct_trusted(AppDefinitionOverrides, {name: {"a": 1}}) is None
    parsed = parse_document(
        SettingsFile.SYSTEM, {"appStores": [{"type": "server", "appDefinitionOverrides": {name: {"a": 1}}}]}
    )
    assert parsed.errors == ()

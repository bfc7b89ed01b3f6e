"""Files of existing installations: every name and form that others understand is explained."""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given

from rostrum.settings.catalogue import catalogue
from rostrum.settings.kinds import SettingsFile
from rostrum.settings.migrations import _ELSEWHERE, _FORMS, _REPLACED, _WORDS, in_todays_form
from rostrum.settings.parse import parse_document, parse_early, parse_system
from rostrum.settings.problems import Severity
from tests.settings.reading import in_force, said, tree
from tests.settings.test_any_document import JSON

_IN_ARRAYS = {"appStores.details.trusted": {"appStores": [{"type": "in-memory", "details": {"trusted": True}}]}}


@pytest.mark.parametrize("name", sorted(_ELSEWHERE))
def test_a_setting_of_others_is_a_note_and_strictly_an_error(name: str) -> None:
    document = _IN_ARRAYS.get(name) or tree(name, 1)
    (problem,) = [one for one in parse_system(document).problems if "other platforms" in one.message]
    assert (problem.severity, problem.suggestion) == (Severity.NOTE, None)
    (strictly,) = [one for one in parse_system(document, strict=True).errors if "other platforms" in one.message]
    assert strictly.path == problem.path


def test_no_setting_of_others_is_one_of_ours() -> None:
    ours = {path.replace("[]", "") for path in catalogue()} - set(_IN_ARRAYS)
    assert ours & (_ELSEWHERE | set(_REPLACED)) == set()


@pytest.mark.parametrize("name", _REPLACED)
def test_a_replaced_name_states_its_successor(name: str) -> None:
    (problem,) = parse_system({name: []}).problems
    assert problem.severity is Severity.NOTE
    assert "systemConfigurations.sources" in problem.message or "gilding.json" in problem.message


def test_the_remote_configuration_of_the_9_0_stream_names_its_replacement() -> None:
    (problem,) = parse_document(SettingsFile.GILDING, {"remoteConfig": {}}).problems
    assert problem.message.endswith("systemConfigurations.sources in system.json has taken its place")


@pytest.mark.parametrize(("place", "word"), [(place, word) for place, words in _WORDS.items() for word in words])
def test_a_word_of_others_is_explained_and_none_of_ours(place: str, word: str) -> None:
    declared = {path.replace("[]", ""): one for path, one in catalogue().items()}[place]
    assert word not in declared.enum
    key, _, last = place.partition(".")
    if declared.path.startswith("systemConfigurations"):
        document: Any = {key: {"sources": [{"type": word, "source": "./config"}]}}
    elif "[]" in declared.path:
        document = {key: [{last: word}]}
    else:
        document = tree(place, word)
    (problem,) = parse_system(document).problems
    assert (problem.severity, problem.message) == (_WORDS[place][word].severity, _WORDS[place][word].message)


def test_the_word_for_the_built_in_folder_leaves_the_other_sources_alone() -> None:
    sources = [{"type": "default", "source": "./config"}, {"type": "path", "source": "more"}]
    parsed = parse_system({"systemConfigurations": {"sources": sources}})
    assert [problem.severity for problem in parsed.problems] == [Severity.NOTE]
    assert [source.source for source in parsed.settings.system_configurations.sources] == ["more"]


@pytest.mark.parametrize(
    ("document", "noted", "path", "value"),
    [
        ({"folders": {"cache": {"copy": True, "location": "c"}}}, "folders.cache", "folders.cache", "c"),
        ({"gw": {"configuration": {"port": "08390"}}}, "gw.configuration.port", "gw.configuration.port", 8390),
        (
            {"searchProvider": {"types": ["layout", "swimlane"]}},
            "searchProvider.types",
            "searchProvider.types",
            ["layout"],
        ),
        (
            {"windows": {"preloadScripts": {"scripts": ["a", {"url": "b", "timeout": 1}]}}},
            "windows.preloadScripts.scripts[1]",
            "windows.preloadScripts.scripts",
            ["a", "b"],
        ),
        ({"windows": {"preloadScripts": [{"url": "b"}]}}, "windows.preloadScripts[0]", "windows.preloadScripts", ["b"]),
    ],
)
def test_another_form_is_read_with_a_note(document: Any, noted: str, path: str, value: Any) -> None:
    before = deepcopy(document)
    assert said(document) == [("note", noted)]
    assert in_force(path, document) == value
    assert document == before


def test_another_form_counts_early_too() -> None:
    parsed = parse_early({"folders": {"cache": {"location": "c"}}})
    assert parsed.settings.folders.cache == "c"
    assert [problem.path for problem in parsed.problems] == ["folders.cache"]


@pytest.mark.parametrize("wrong", [{}, {"location": 5}, [], 5])
def test_an_unknown_form_is_an_error(wrong: Any) -> None:
    assert said(tree("folders.cache", wrong)) == [("error", "folders.cache")]


def test_every_form_belongs_to_a_setting() -> None:
    for steps in _FORMS:
        assert ".".join(step for step in steps if isinstance(step, str)) in catalogue()


@given(JSON)
def test_any_document_is_brought_into_form_without_being_changed(document: Any) -> None:
    text = json.dumps(document, sort_keys=True, default=str)
    again, notes = in_todays_form(document)
    assert json.dumps(document, sort_keys=True, default=str) == text
    assert notes or again is document

"""Sources as a system.json declares them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.sources.declared import declared_sources
from rostrum.sources.source import DEFAULT_SOURCE, Impersonation, Source


def declare(*sources: Any) -> Any:
    return {"systemConfigurations": {"sources": list(sources)}}


@pytest.mark.rule("R-2.8-9")
@pytest.mark.parametrize("document", [{}, {"systemConfigurations": {}}, {"systemConfigurations": None}, None, []])
def test_without_sources_there_is_the_built_in_one(document: Any) -> None:
    assert declared_sources(document, {}) == ((DEFAULT_SOURCE,), ())


@pytest.mark.rule("R-2.8-15", "R-2.8-16")
def test_every_property_has_its_default() -> None:
    (source,), problems = declared_sources(declare({"type": "rest", "source": "http://x/systemConfig/get"}), {})
    assert problems == ()
    assert source == Source(
        type="rest",
        source="http://x/systemConfig/get",
        configs="*",
        priority=1000,
        required=False,
        impersonation=Impersonation(user=None, group="*", version=None),
        rest_backoff_factor=1000,
        rest_retries=3,
        rest_timeout=30,
        rest_use_cache=True,
    )


@pytest.mark.rule("R-2.8-10")
def test_every_property_can_be_set() -> None:
    entry = {
        "type": "rest",
        "source": "https://%HOST%/${PATH_PART}",
        "configs": "system.json",
        "priority": 5,
        "required": True,
        "impersonation": {"user": "ann", "group": "g", "version": "10"},
        "restBackoffFactor": 1,
        "restRetries": 0,
        "restTimeout": 2.5,
        "restUseCache": False,
    }
    assert declared_sources(declare(entry), {"HOST": "h", "PATH_PART": "p"}) == (
        (
            Source(
                type="rest",
                source="https://h/p",
                configs="system.json",
                priority=5,
                required=True,
                impersonation=Impersonation(user="ann", group="g", version="10"),
                rest_backoff_factor=1,
                rest_retries=0,
                rest_timeout=2.5,
                rest_use_cache=False,
            ),
        ),
        (),
    )


def test_the_word_default_means_the_built_in_folder() -> None:
    (source,), problems = declared_sources(declare({"type": "default"}), {})
    assert (source.type, source.source, problems) == ("path", "./config", ())


def test_an_unknown_variable_is_a_problem_that_names_it() -> None:
    (source,), problems = declared_sources(declare({"type": "path", "source": "%NOPE%/x"}), {})
    assert source.source == "%NOPE%/x"
    assert [str(problem) for problem in problems] == [
        "systemConfigurations.sources[0].source: there is no environment variable NOPE"
    ]


def test_every_wrong_property_is_told_at_once() -> None:
    entry = {
        "type": "path",
        "source": "x",
        "configs": 1,
        "priority": "high",
        "required": "yes",
        "impersonation": {"user": 5},
        "restRetries": float("inf"),
        "restTimeout": 10**400,
        "restUseCache": 0,
        "restBackoffFactor": True,
    }
    (source,), problems = declared_sources(declare(entry), {})
    assert source == Source(type="path", source="x")
    assert sorted(problem.path.rpartition("].")[2] for problem in problems) == sorted(
        ["impersonation.user", *(set(entry) - {"type", "source", "impersonation"})]
    )


def test_a_time_limit_of_nothing_is_refused() -> None:
    (source,), problems = declared_sources(declare({"type": "rest", "source": "http://x/", "restTimeout": 0}), {})
    assert source.rest_timeout == 30
    assert [str(problem) for problem in problems] == [
        "systemConfigurations.sources[0].restTimeout: must be a number above 0"
    ]


@pytest.mark.parametrize(
    "entry", [1, {}, {"type": "ftp", "source": "x"}, {"type": "path"}, {"type": "rest", "source": ""}]
)
def test_an_entry_that_is_no_source_is_told_and_left_out(entry: Any) -> None:
    sources, problems = declared_sources(declare(entry, {"type": "path", "source": "x"}), {})
    assert sources == (Source(type="path", source="x"),)
    assert len(problems) == 1


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=3) | st.sampled_from(["path", "rest"]),
        lambda child: (
            st.lists(child, max_size=2)
            | st.dictionaries(st.sampled_from(["type", "source", "impersonation", "restRetries", "user"]), child)
        ),
    )
)
def test_any_declaration_gives_sources_or_problems(declared: Any) -> None:
    sources, problems = declared_sources({"systemConfigurations": {"sources": declared}}, {})
    assert declared == [] or sources or problems

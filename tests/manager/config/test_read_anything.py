"""Whatever stands in the object and in the environment, the answer is a configuration or its problems."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rostrum.manager.config import ConfigInvalid, describe, options, read_config
from rostrum.manager.config.document import nest
from tests.long_form import cycles
from tests.manager.config.samples import NEEDED, SAMPLES

TEXT = st.text(st.characters())
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
FIELDS = [info.field for info in options()]
GROUPS = sorted({info.property.split(".")[0] for info in options()})
VALUES = st.sampled_from([sample.value for sample in SAMPLES.values()])
CORS_MEMBERS = st.sampled_from(
    ["credentials", "origin", "methods", "allowedHeaders", "exposedHeaders", "maxAge"],
)
ORIGINS = TEXT | st.builds("http://{}:{}".format, TEXT, st.integers() | TEXT)
CORS = st.dictionaries(CORS_MEMBERS | TEXT, JSON | ORIGINS, max_size=5)
NAMED = st.dictionaries(st.sampled_from(FIELDS), JSON | VALUES | CORS, max_size=8).map(nest)
NEARLY_RIGHT = st.dictionaries(st.sampled_from(FIELDS), JSON | VALUES | CORS, max_size=3).map(
    lambda values: nest({**NEEDED, **values})
)
GROUPED = st.dictionaries(st.sampled_from([*GROUPS, "$schema"]), JSON, max_size=5)
ADDRESSES = st.builds("{}://{}:{}@{}/{}".format, st.sampled_from(["postgresql", "sqlite", "x"]), TEXT, TEXT, TEXT, TEXT)

NAMES = st.sampled_from([name for info in options() for name in (info.env, info.env_file)])
TEXTS = TEXT | JSON.map(str) | ADDRESSES | st.sampled_from([sample.text for sample in SAMPLES.values()])
VARIABLES = st.dictionaries(NAMES | TEXT | TEXT.map("API_{}".format), TEXTS, max_size=8)

SLOW_IS_FINE = settings(max_examples=cycles(80), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def read_whatever(document: Any, environment: dict[str, str]) -> None:
    try:
        loaded = read_config(document, environment)
    except ConfigInvalid as error:
        said = [str(error), *map(str, error.problems)]
    else:
        said = [*loaded.notes, *map(str, describe(loaded))]
    assert all(text.encode() for text in said)


@pytest.mark.long
@SLOW_IS_FINE
@given(document=JSON)
def test_any_json(document: Any) -> None:
    read_whatever(document, {})


@pytest.mark.long
@SLOW_IS_FINE
@given(document=NAMED | NEARLY_RIGHT | GROUPED)
def test_any_value_under_the_right_names(document: Any) -> None:
    read_whatever(document, {})


@pytest.mark.long
@SLOW_IS_FINE
@given(environment=VARIABLES)
def test_any_environment(environment: dict[str, str]) -> None:
    read_whatever(None, environment)


@pytest.mark.long
@SLOW_IS_FINE
@given(document=JSON | NAMED | NEARLY_RIGHT | GROUPED, environment=VARIABLES)
def test_both_together(document: Any, environment: dict[str, str]) -> None:
    read_whatever(document, environment)


@SLOW_IS_FINE
@given(address=ADDRESSES)
def test_any_address_of_a_store(address: str) -> None:
    read_whatever(nest({**NEEDED, "store": address}), {})


def test_a_path_that_is_too_long_for_the_system() -> None:
    read_whatever(nest({**NEEDED, "files_folder": "x" * 5000}), {})


@pytest.mark.long
@SLOW_IS_FINE
@given(cors=CORS)
def test_any_cors(cors: dict[str, Any]) -> None:
    read_whatever(nest({**NEEDED, "cors": cors}), {})

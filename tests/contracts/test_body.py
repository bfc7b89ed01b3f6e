"""Base classes of requests and responses."""

import pytest
from pydantic import Field, ValidationError

from rostrum.contracts.body import ListView, View, model_of


class Part(View):
    first_name: str


class Whole(ListView):
    """A page of parts."""

    items: list[Part] = Field(description="The parts.")
    next_page: "Whole | None" = None


def test_the_model_of_a_response_is_made_once_and_at_its_first_use() -> None:
    class Unused(View):
        name: str

    assert "_deferred_model" not in vars(Unused)
    assert model_of(Unused) is model_of(Unused)
    assert model_of(Unused).__name__ == "Unused"


def test_a_response_is_read_with_its_nested_responses() -> None:
    page = {"total": 1, "items": [{"firstName": "Ann"}]}
    whole = Whole.model_validate({**page, "nextPage": page})

    assert whole.items[0].first_name == "Ann"
    assert isinstance(whole, Whole)
    assert isinstance(whole, ListView)
    assert isinstance(whole.next_page, Whole)
    assert not isinstance(whole.items[0], Whole)
    assert Whole(**page) == Whole.model_validate(page)


def test_unknown_members_of_a_response_are_refused() -> None:
    with pytest.raises(ValidationError):
        Part.model_validate({"firstName": "Ann", "other": 1})


def test_the_schema_of_a_response_refers_to_the_schemas_of_others_by_their_names() -> None:
    schema = Whole.model_json_schema()

    assert set(schema["$defs"]) == {"Part", "Whole"}
    assert schema["$defs"]["Whole"]["description"] == "A page of parts."
    assert schema["$defs"]["Whole"]["properties"]["items"]["items"] == {"$ref": "#/$defs/Part"}

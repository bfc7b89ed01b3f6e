"""Names that people choose stand in addresses: none of them may be the name of an operation."""

from typing import Any

import pytest

from rostrum.base.ids import new_id
from tests.conftest import Api

NAMED = ("/api/admin/users", "/api/admin/groups", "/api/admin/apps", "/api/v2/apps")
"""Below these, people choose the next part of an address; below others it is an ID or a number from the server."""


def words_beside_parameters(api: Api) -> dict[str, set[str]]:
    """The fixed words at the places of an address where a parameter can stand too, by what stands before."""
    parts = [path.split("/") for path in api.app.paths() if path.startswith("/api/")]
    places = {"/".join(path[:place]) for path in parts for place, part in enumerate(path) if part.startswith("{")}
    return {
        place: {path[depth] for path in parts if len(path) > depth and "/".join(path[:depth]) == place}
        for place in places
        if (depth := place.count("/") + 1)
    }


async def test_no_operation_stands_where_a_name_can_stand(api: Api) -> None:
    beside = words_beside_parameters(api)

    assert [[word for word in beside[place] if not word.startswith("{")] for place in NAMED] == [[], [], [], []]
    ids = set().union(*(words for place, words in beside.items() if place.startswith("/api/admin/")))
    assert not [word for word in ids if not word.startswith("{") and len(word) == len(new_id())]


@pytest.mark.long
async def test_users_groups_and_apps_may_have_the_name_of_an_operation(api: Api) -> None:
    for name in ("preview", "import", "explain", "revisions", "-", "new"):
        app = {"name": name, "type": "window", "details": {"url": "https://apps.example.com"}}
        made: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
            ("users", {"id": name}, {"email": "x@example.com"}),
            ("groups", {"name": name}, {"priority": 3}),
            ("apps", {"definition": app}, {"public": True}),
        ]
        for kind, body, change in made:
            address = f"/admin/{kind}/{name}"
            assert (await api.admin.post(f"/admin/{kind}", json=body)).status_code == 201, name
            assert (await api.admin.patch(address, json=change)).status_code == 200
            assert (await api.admin.put(address, json=(await api.admin.get(address)).json())).status_code == 200
            assert (await api.admin.get(f"{address}/revisions")).json()["total"] >= 2
            preview = {"changes": [{"action": "delete", "key": name}]}
            assert (await api.admin.post(f"/admin/previews/{kind}", json=preview)).status_code == 200
            assert (await api.admin.delete(address)).status_code == 204

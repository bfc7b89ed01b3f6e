from tests.conftest import Api

WRONG: dict[str, dict[str, str]] = {
    "/admin/configs/explain?vesion=10": {"vesion": 'is not known here; did you mean "version"?'},
    "/admin/server?pretty=1&all=1": dict.fromkeys(("pretty", "all"), "this address takes no parameters"),
    "/admin/apps/x/revisions/compare?with=1": {"with": "is not known here; use from, to"},
    "/admin/users/admin?asOf=1": {"asOf": "this address takes no parameters"},
    "/admin/users?limit=0": {"limit": "must be at least 1"},
    "/admin/users?limit=1001": {"limit": "must be at most 1000"},
    "/admin/users?limit=ten": {"limit": "must be a whole number"},
    f"/admin/users?q={'x' * 201}": {"q": "must have at most 200 characters"},
    "/admin/configs/explain?user=a%00&defaults=maybe": {"user": "must not hold a NUL character"},
    "/admin/configs/explain?defaults=maybe": {"defaults": "must be true or false"},
    "/admin/users/admin/effective?kind=files": {"kind": 'must be "apps", "layouts" or "configs"'},
}


async def test_a_parameter_that_cannot_count_is_refused_in_plain_words(api: Api) -> None:
    for address, told in WRONG.items():
        answer = await api.admin.get(address)

        assert answer.status_code == 400, address
        details = {detail["path"]: detail["message"] for detail in answer.json()["error"]["details"]}
        assert told.items() <= details.items(), address


async def test_a_misspelt_parameter_does_not_turn_a_trial_into_a_deed(api: Api) -> None:
    answer = await api.admin.post("/admin/import?dryrun=true", content=b"")

    assert answer.status_code == 400
    assert answer.json()["error"]["details"] == [
        {"path": "dryrun", "message": 'is not known here; did you mean "dryRun"?'}
    ]


async def test_what_desktops_add_to_an_address_is_left_alone(api: Api) -> None:
    for address in ("/apps?user=admin&t=1", "/layouts?_=2", "/me?x", "/systemConfig/get?region=EU"):
        assert (await api.admin.get(address)).status_code == 200

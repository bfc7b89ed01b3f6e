from rostrum.base.clock import SettableClock
from tests.conftest import Api

MACHINE = {"id": "pc/7", "name": "DESK-7", "os": "Windows 11", "displays": [{"width": 2560}], "own": {"x": None}}


async def test_a_machine_is_known_once_a_client_reported_it(api: Api, clock: SettableClock) -> None:
    user = await api.add_user("ann")
    await user.post("/sessions", json={"machine": MACHINE})
    clock.advance(60)
    newer = {**MACHINE, "os": "Windows 12"}
    await user.post("/sessions", json={"machine": newer})

    listed = (await api.admin.get("/admin/machines")).json()

    seen = {"firstSeen": "2026-01-01T00:00:00Z", "lastSeen": "2026-01-01T00:01:00Z"}
    assert listed == {"items": [{"id": "pc/7", "name": "DESK-7", "info": newer, "owner": "ann", **seen}], "total": 1}
    read = await api.admin.get("/admin/machines/pc%2F7")
    assert read.json() == listed["items"][0]
    again = await api.admin.get("/admin/machines/pc%2F7", headers={"If-None-Match": read.headers["ETag"]})
    assert again.status_code == 304


async def test_machines_are_found_by_name_and_by_who_used_them(api: Api) -> None:
    for user, machine in (("ann", "m1"), ("bob", "m2"), ("ann", "m3")):
        client = api.client((user, f"{user}-password"))
        if (await client.get("/me")).status_code == 401:
            await api.add_user(user)
        await client.post("/sessions", json={"machine": {"id": machine, "name": f"host-{machine}"}})

    async def found(**filters: str) -> list[str]:
        return [item["id"] for item in (await api.admin.get("/admin/machines", params=filters)).json()["items"]]

    assert await found() == ["m1", "m2", "m3"]
    assert await found(user="ann") == ["m1", "m3"]
    assert await found(name="host-m2") == ["m2"]
    assert await found(q="M3") == ["m3"]
    assert await found(sort="-id", limit="2") == ["m3", "m2"]


async def test_a_forgotten_machine_comes_back_with_its_next_client(api: Api) -> None:
    user = await api.add_user("ann")
    await user.post("/sessions", json={"machine": MACHINE})

    assert (await api.admin.delete("/admin/machines/pc%2F7")).status_code == 204
    for method in ("GET", "DELETE"):
        assert (await api.admin.request(method, "/admin/machines/pc%2F7")).status_code == 404
    await user.post("/sessions", json={"machine": MACHINE})
    assert (await api.admin.get("/admin/machines/pc%2F7")).status_code == 200


async def test_reading_and_writing_need_their_own_permissions(api: Api) -> None:
    nobody = await api.add_user("nobody")
    reader = await api.add_user("reader", "PLATFORM_MANAGER:MACHINES:READ")
    await nobody.post("/sessions", json={"machine": MACHINE})

    assert (await nobody.get("/admin/machines")).status_code == 403
    assert (await nobody.get("/admin/machines/pc%2F7")).status_code == 403
    assert (await reader.get("/admin/machines/pc%2F7")).status_code == 200
    assert (await reader.delete("/admin/machines/pc%2F7")).status_code == 403


async def test_no_user_changes_what_another_user_has_described(api: Api) -> None:
    ann, eve = await api.add_user("ann"), await api.add_user("eve")
    await ann.post("/sessions", json={"machine": {"id": "pc-1", "name": "PC of Ann", "os": "linux"}})
    before = (await api.admin.get("/admin/machines/pc-1")).json()

    opened = await eve.post("/sessions", json={"machine": {"id": "pc-1", "name": "EVIL", "os": "<script>"}})

    # People share computers, so the session itself is fine.
    assert opened.status_code == 201
    assert (await api.admin.get("/admin/machines/pc-1")).json() == before
    assert (before["owner"], before["name"]) == ("ann", "PC of Ann")


async def test_its_owner_describes_a_machine_anew(api: Api) -> None:
    ann = await api.add_user("ann")
    for name in ("old", "new"):
        await ann.post("/sessions", json={"machine": {"id": "pc-1", "name": name}})

    assert (await api.admin.get("/admin/machines/pc-1")).json()["name"] == "new"


async def test_a_machine_whose_owner_is_deleted_belongs_to_the_next_user(api: Api) -> None:
    ann, bob = await api.add_user("ann"), await api.add_user("bob")
    await ann.post("/sessions", json={"machine": {"id": "pc-1", "name": "of Ann"}})
    await api.admin.delete("/admin/users/ann")

    await bob.post("/sessions", json={"machine": {"id": "pc-1", "name": "of Bob"}})

    machine = (await api.admin.get("/admin/machines/pc-1")).json()
    assert (machine["owner"], machine["name"]) == ("bob", "of Bob")

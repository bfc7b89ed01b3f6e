"""The in-memory app store of a running desktop, as allowed apps use it."""

from typing import Any

import pytest

from tests.desktop.test_identities import bearing, signed_in
from tests.desktop.test_platform import APPS, Desk, desk

__all__ = ["desk"]


def page(name: str) -> dict[str, Any]:
    return {"name": name, "type": "window", "details": {"url": f"https://{name}.example"}}


@pytest.mark.rule("R-2.12-12")
async def test_an_allowed_app_imports_exports_removes_and_clears_definitions_and_others_do_not(desk: Desk) -> None:
    desk.write_app("maker")
    desk.write_app("other")
    desk.system(appStores=[*APPS["appStores"], {"type": "in-memory", "details": {"allowedApps": ["maker"]}}])
    async with desk.running() as platform:

        def defined() -> list[str]:
            return [name for name in platform.services.apps.definitions() if name not in ("maker", "other")]

        maker, other = [(await platform.services.instances.start(name)).id for name in ("maker", "other")]
        async with signed_in(platform.gateway.address, bearing(platform.services.tokens.token(maker))) as app:
            assert await app.call("Apps.Import", definitions=[page("a"), page("b")]) == {"imported": ["a", "b"]}
            await app.call("Apps.Import", definitions=[page("c")], mode="merge")
            assert defined() == ["a", "b", "c"]
            started = (await app.call("Apps.Start", name="c"))["id"]
            exported = (await app.call("Apps.Export"))["definitions"]
            assert exported == [page("a"), page("b"), page("c")]
            assert await app.call("Apps.Remove", names=["b", "never there"]) == {"removed": ["b"]}
            assert await app.call("Apps.Remove", name="c") == {"removed": ["c"]}
            # What runs stays.
            assert platform.services.instances.get(started) is not None
            assert defined() == ["a"]
            reason = await app.refused("Apps.Import", definitions=[page("x"), {"name": "wrong"}])
            assert "the definitions are invalid: [1]" in reason
            assert "type: is required" in reason
            arguments: dict[str, Any]
            for arguments in ({"definitions": [page("x")], "mode": "append"}, {"definitions": "x"}):
                await app.refused("Apps.Import", **arguments)
            for arguments in ({}, {"names": "a"}, {"names": [5]}):
                await app.refused("Apps.Remove", **arguments)
            # All or nothing.
            assert defined() == ["a"]
            await app.call("Apps.Import", definitions=exported, mode="replace")
            assert defined() == ["a", "b", "c"]
            async with signed_in(platform.gateway.address, bearing(platform.services.tokens.token(other))) as stranger:
                for method, arguments in (
                    ("Import", {"definitions": []}),
                    ("Export", {}),
                    ("Remove", {"name": "a"}),
                    ("Clear", {}),
                ):
                    assert "other may not define apps" in await stranger.refused(f"Apps.{method}", **arguments)
            assert await app.call("Apps.Clear") == {"removed": ["a", "b", "c"]}
            assert (defined(), await app.call("Apps.Export")) == ([], {"definitions": []})

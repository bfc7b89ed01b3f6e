"""Headers of all pages of the manager."""

import pytest

from tests.conftest import Api


@pytest.mark.parametrize(
    ("path", "policy"),
    [
        ("/admin/", "same-origin"),
        ("/admin/apps/a", "same-origin"),
        ("/api/docs", "same-origin"),
        # Apps in windows find the platform through their opener.
        ("/platform/", "same-origin-allow-popups"),
    ],
)
async def test_pages_of_other_origins_keep_no_reference_to_a_page_that_they_opened(
    api: Api, path: str, policy: str
) -> None:
    async with api.client() as client:
        page = await client.get(f"http://manager.example.com{path}")

    assert page.headers.get_list("Cross-Origin-Opener-Policy") == [policy]
    assert page.headers["Referrer-Policy"] == "no-referrer"

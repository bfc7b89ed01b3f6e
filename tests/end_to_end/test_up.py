"""The first taste, as a stranger has it."""

from pathlib import Path

import httpx

from tests.end_to_end.processes import Running, serving


def log_in(server: Running) -> tuple[str, str]:
    address = server.address
    password = server.line_with("password").split()[1]
    return address, password


def test_up_makes_a_firm_to_look_at_and_keeps_it(tmp_path: Path) -> None:
    folder = str(tmp_path / "taste")
    with serving("up", "--dir", folder, "--port", "0") as server:
        address, password = log_in(server)
        root = address.removesuffix("/api")
        assert "Log in" in httpx.get(f"{root}/admin/").text
        assert "Log in" in httpx.get(f"{root}/admin/gd").text
        assert httpx.get(root, follow_redirects=True).url.path == "/admin/"
        with httpx.Client(base_url=address, auth=("admin", password)) as admin:
            totals = {
                name: admin.get(f"/admin/{name}").json()["total"]
                for name in (
                    "users", "groups", "apps", "layouts", "prefs", "configs",
                    "sessions", "machines", "commands", "crashes", "feedback",
                )
            }  # fmt: skip
            assert totals["users"] >= 13
            assert totals["apps"] >= 24
            assert min(totals.values()) > 0
            # The page writes with its cookie from the server's own origin.
            admin.get("/me")
            assert admin.post("/logout", auth=lambda request: request, headers={"Origin": root}).status_code == 204
        person = httpx.get(f"{address}/apps", auth=("ada.birch", password)).json()["applications"]
        assert 0 < len(person) < totals["apps"]
        assert server.stop() == 0

    with serving("up", "--dir", folder, "--port", "0") as server:
        address, again = log_in(server)
        assert again == password
        assert httpx.get(f"{address}/admin/users", auth=("admin", again)).json()["total"] == totals["users"]
        assert server.stop() == 0

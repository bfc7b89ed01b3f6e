"""The server as operators run it: real processes, real sockets, both databases."""

import datetime as dt
import json
import os
import signal
import socket
import ssl
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.end_to_end.processes import PATIENCE, run, serving
from tests.plain_http import NO_TLS

ADMIN = ("admin", "pass:word with colons")
SECRET = "the end-to-end tests' own secret, long enough"


def write_config(folder: Path, **members: object) -> str:
    document = {
        "auth_method": "basic",
        "port": 0,
        "store": "sqlite:///data/rostrum.db",
        "token": {"secret": SECRET},
        "cors": {"credentials": True, "origin": "http://admin.example.com"},
        "auth_basic": {"predefinedUsers": [":".join(ADMIN)]},
        **members,
    }
    path = folder / "rostrum.json"
    path.write_text(json.dumps(document))
    return str(path)


def environment_of(store: str) -> dict[str, str]:
    return {
        "API_AUTH_METHOD": "basic",
        "API_PORT": "0",
        "API_STORE": store,
        "API_TOKEN_SECRET": SECRET,
        "API_CORS_OPTIONS": '{"credentials": true, "origin": "http://admin.example.com"}',
        "API_AUTH_METHOD_BASIC_USERS": json.dumps([":".join(ADMIN)]),
    }


@pytest.mark.long
@pytest.mark.rule("R-1-1", "R-2.2-11")
def test_init_then_serve_then_sign_in_then_stop(tmp_path: Path) -> None:
    made = run("manager", "init", "--dir", str(tmp_path))
    assert made.returncode == 0, made.stderr
    password = next(line.split()[-1] for line in made.stderr.splitlines() if line.startswith("password"))
    config = tmp_path / "rostrum.json"
    assert config.stat().st_mode & 0o077 == 0
    document = json.loads(config.read_text())
    config.write_text(json.dumps({**document, "port": 0}))

    with serving("manager", "serve", "--config", str(config)) as server:
        address = server.address
        answer = httpx.get(f"{address}/me", auth=("admin", password), verify=NO_TLS)
        assert answer.status_code == 200
        assert "PLATFORM_SESSION" in answer.cookies
        assert httpx.get(f"{address}/health/ready", verify=NO_TLS).json()["status"] == "ok"
        assert server.stop() == 0
    assert (tmp_path / "rostrum.db").exists()
    messages = "".join(server.messages)
    assert "store = sqlite:////" in messages
    assert password not in messages
    assert document["token"]["secret"] not in messages


def test_init_does_not_overwrite(tmp_path: Path) -> None:
    (tmp_path / "rostrum.json").write_text("mine")

    refused = run("manager", "init", "--dir", str(tmp_path))

    assert refused.returncode == 1
    assert "already exists" in refused.stderr
    assert (tmp_path / "rostrum.json").read_text() == "mine"


@pytest.mark.long
@pytest.mark.rule("R-2.2-9", "R-2.2-10", "R-5-2")
def test_the_environment_alone_serves_on_both_databases(store: str) -> None:
    with serving("manager", "serve", environment=environment_of(store)) as server:
        address = server.address
        with httpx.Client(base_url=address, auth=ADMIN, verify=NO_TLS) as admin:
            made = admin.post("/admin/users", json={"id": "änn/1", "password": "a long password"})
            assert made.status_code == 201
            assert admin.get("/admin/users/%C3%A4nn%2F1").json()["id"] == "änn/1"
        assert server.stop() == 0


@pytest.mark.rule("R-2.2-1", "R-2.2-8", "X-D-3", "X-D-4")
def test_every_problem_of_the_settings_is_reported_at_once(tmp_path: Path) -> None:
    config = write_config(tmp_path, auth_method="okta", token={"secret": "short"}, prot=1, cors=None)

    refused = run("manager", "serve", "--config", config)

    assert refused.returncode == 1
    for words in ("okta", "token.secret", "'port'" if "'port'" in refused.stderr else "port", '"cors":'):
        assert words in refused.stderr
    assert "short" not in refused.stderr.replace("too short", "").replace("shorter", "")


def test_a_missing_file_and_broken_json_are_reported_in_words(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"port": 1,\n "host": }')

    missing = run("manager", "serve", "--config", str(tmp_path / "none.json"))
    wrong = run("manager", "serve", "--config", str(broken))

    assert missing.returncode == 1
    assert "none.json" in missing.stderr
    assert wrong.returncode == 1
    assert "line 2" in wrong.stderr
    assert "Traceback" not in missing.stderr + wrong.stderr


def test_a_taken_port_is_reported_in_words(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        config = write_config(tmp_path, port=taken.getsockname()[1])

        refused = run("manager", "serve", "--config", config)

    assert refused.returncode == 1
    assert "cannot listen on 127.0.0.1" in refused.stderr


def test_an_unreachable_database_is_reported_in_words_without_its_password(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    config = write_config(tmp_path, store=f"postgresql://rostrum:distinctive@127.0.0.1:{port}/rostrum")

    refused = run("manager", "serve", "--config", config)

    assert refused.returncode == 1
    assert "the database does not respond" in refused.stderr
    assert "distinctive" not in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.long
@pytest.mark.rule("X-D-2")
def test_a_missing_exclusive_user_is_reported_and_the_rest_continues(tmp_path: Path) -> None:
    config = write_config(tmp_path, auth_exclusive_users=["nobody.here"], log={"format": "json"})

    with serving("manager", "serve", "--config", config, environment={"API_PROT": "1"}) as server:
        assert httpx.get(f"{server.address}/me", auth=ADMIN, verify=NO_TLS).status_code == 200
        server.stop()
    # Every line is JSON, what start-up has to say included.
    events = [json.loads(line) for line in server.messages]
    settings = next(event for event in events if event["message"] == "effective settings")
    assert settings["port"] == "0 (configuration file)"
    assert SECRET not in str(settings)
    told = [event["message"] for event in events if event["level"] == "warning"]
    assert [words for words in ("nobody.here", "API_PROT") if not any(words in message for message in told)] == []


@pytest.mark.long
def test_killed_without_warning_it_comes_back_with_everything_acknowledged(postgresql: str) -> None:
    environment = environment_of(postgresql)
    with serving("manager", "serve", environment=environment) as server:
        with httpx.Client(base_url=server.address, auth=ADMIN, verify=NO_TLS) as admin:
            for number in range(20):
                assert admin.post("/admin/groups", json={"name": f"group {number}"}).status_code == 201
            cookie = dict(admin.get("/me").cookies)
        os.killpg(server.process.pid, signal.SIGKILL)
        server.process.wait(PATIENCE)

    with serving("manager", "serve", environment=environment) as server:
        # The session outlives the restart too: the cookie alone is enough.
        answer = httpx.get(f"{server.address}/admin/groups?q=group", cookies=cookie, verify=NO_TLS)
        assert answer.status_code == 200
        assert answer.json()["total"] == 20
        assert server.stop() == 0


@pytest.mark.long
def test_several_workers_serve_one_postgresql(postgresql: str) -> None:
    environment = {**environment_of(postgresql), "API_WORKERS": "2"}
    with serving("manager", "serve", environment=environment) as server:
        address = server.address
        made = httpx.post(
            f"{address}/admin/groups", json={"name": "Trading"}, auth=ADMIN, timeout=PATIENCE, verify=NO_TLS
        )
        assert made.status_code == 201
        # A new connection each time, so that both workers get some.
        seen = [httpx.get(f"{address}/admin/groups/Trading", auth=ADMIN, verify=NO_TLS).status_code for _ in range(10)]
        assert seen == [200] * 10
        assert server.stop() == 0


def test_several_workers_on_sqlite_are_refused(tmp_path: Path) -> None:
    refused = run("manager", "serve", "--config", write_config(tmp_path, workers=2))

    assert refused.returncode == 1
    assert "PostgreSQL" in refused.stderr


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    cert_path, key_path = tmp_path / "cert.pem", tmp_path / "key.pem"
    cert_path.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return cert_path, key_path


@pytest.mark.long
@pytest.mark.rule("R-1-8", "R-5-9")
def test_with_a_certificate_it_serves_https_and_secure_cookies(tmp_path: Path, certificate: tuple[Path, Path]) -> None:
    cert, key = certificate
    config = write_config(tmp_path, tls={"cert": str(cert), "key": str(key)})

    with serving("manager", "serve", "--config", config) as server:
        address = server.address
        assert address.startswith("https://")
        trusted = ssl.create_default_context(cafile=str(cert))
        local = address.replace("127.0.0.1", "localhost")
        answer = httpx.get(f"{local}/me", auth=ADMIN, verify=trusted)
        assert answer.status_code == 200
        assert "Secure" in answer.headers["set-cookie"]
        assert server.stop() == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [("/none_such_database?", "does not exist"), ("//nobody:distinctive@/postgres?", "nobody")],
)
def test_what_postgresql_refuses_is_reported_in_words(
    postgresql_server: str, tmp_path: Path, change: str, words: str
) -> None:
    store = postgresql_server.replace("/postgres?" if change.startswith("/n") else "//postgres:@/postgres?", change)

    refused = run("manager", "serve", "--config", write_config(tmp_path, store=store))

    assert refused.returncode == 1
    assert words in refused.stderr
    assert "Traceback" not in refused.stderr
    assert "distinctive" not in refused.stderr


@pytest.mark.long
def test_a_database_file_is_its_owners_alone(tmp_path: Path) -> None:
    with serving("manager", "serve", "--config", write_config(tmp_path)) as server:
        assert httpx.get(f"{server.address}/health/ready", verify=NO_TLS).status_code == 200
        assert {path.stat().st_mode & 0o077 for path in (tmp_path / "data").iterdir()} == {0}
        server.stop()


def test_a_database_file_that_cannot_be_made_is_reported_in_words(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")

    refused = run("manager", "serve", "--config", write_config(tmp_path))

    assert refused.returncode == 1
    assert "cannot be created" in refused.stderr
    assert "Traceback" not in refused.stderr

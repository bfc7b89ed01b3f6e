"""The examples of `deploy/`: they can be read, their parts fit together, and every setting in them exists."""

import configparser
import fnmatch
import json
import re
import shutil
import ssl
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml

from rostrum.manager.app import create_app
from rostrum.manager.config import ManagerConfig, options, read_config
from tests.certificates import self_signed
from tests.conftest import manager_config
from tests.end_to_end.processes import run
from tools import fdc3_library, workspaces_page

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
HEALTH_CHECK = DEPLOY / "health_check.py"
SETTINGS = {name for option in options() for name in (option.env, option.env_file)}
SECRETS = {
    "store": "postgresql://rostrum:secret@database/rostrum",
    "token-secret": "a secret that only this test knows, long enough",
    "users": '["admin:secret"]',
}
PORT = 4356


MADE = {
    "/src/rostrum/manager/admin_page/build/": "npm --prefix admin-ui run build",
    "/src/rostrum/manager/platform_page/build/": "npm --prefix admin-ui run build:platform",
    f"/{fdc3_library.LIBRARY.relative_to(ROOT).as_posix()}": "python tools/fdc3_library.py",
    f"/{fdc3_library.DEMO_LIBRARY.relative_to(ROOT).as_posix()}": "python tools/fdc3_library.py",
    **{
        f"/{(workspaces_page.PAGES / workspaces_page.NAME).relative_to(ROOT).as_posix()}.{kind}": (
            "python tools/workspaces_page.py"
        )
        for kind in ("css", "js")
    },
}
"""What packages contain and Git ignores, and the command of the Dockerfile that makes it."""


def compose() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return document


def kubernetes_objects() -> list[dict[str, Any]]:
    """Every Kubernetes object, in the order in which kubectl creates them."""
    files = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
    return [document for file in files for document in yaml.safe_load_all(file.read_text())]


def manifests() -> dict[str, dict[str, Any]]:
    """Every Kubernetes object except network policies, by kind."""
    return {document["kind"]: document for document in kubernetes_objects() if document["kind"] != "NetworkPolicy"}


def unit(name: str = "rostrum-manager.service") -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=True, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string((DEPLOY / name).read_text())
    return parser


def dockerfile() -> list[tuple[str, str]]:
    """Each instruction with what follows it."""
    text = re.sub(r"\\\n\s*", "", (DEPLOY / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


@pytest.mark.parametrize("file", sorted(path.name for path in DEPLOY.rglob("*") if path.is_file()))
def test_every_setting_that_is_named_exists(file: str) -> None:
    (path,) = DEPLOY.rglob(file)
    named = set(re.findall(r"\bAPI_[A-Z_]+\b", path.read_text()))

    assert named <= SETTINGS


def with_secrets(environment: dict[str, str], folder: Path) -> ManagerConfig:
    """Read settings as a node would that finds its secrets in files."""
    for name, text in SECRETS.items():
        (folder / name).write_text(text)
    found = {name: re.sub(r"^/run/secrets/(rostrum/)?", f"{folder}/", value) for name, value in environment.items()}
    return read_config({}, found).config


def test_the_nodes_of_the_compose_file_start_with_their_settings(tmp_path: Path) -> None:
    services = compose()["services"]
    nodes = [services[name] for name in services if name.startswith("node-")]

    assert len(nodes) > 1
    for node in nodes:
        config = with_secrets(node["environment"], tmp_path)
        assert config.store.startswith("postgresql://")
        assert config.trusted_proxies
        assert config.port == PORT


def test_the_nodes_of_the_manifests_start_with_their_settings(tmp_path: Path) -> None:
    config = with_secrets(manifests()["ConfigMap"]["data"], tmp_path)

    assert config.store.startswith("postgresql://")
    assert config.predefined_users == ("admin:secret",)


def test_the_parts_of_the_compose_file_fit_together() -> None:
    document = compose()
    services = document["services"]
    for service in services.values():
        assert set(service.get("secrets", ())) <= set(document["secrets"])
        assert set(service.get("depends_on", ())) <= set(services)
        named = {volume.split(":")[0] for volume in service.get("volumes", ()) if not volume.startswith(".")}
        assert named <= set(document["volumes"])
        for volume in service.get("volumes", ()):
            assert not volume.startswith("./") or (DEPLOY / volume.split(":")[0]).is_file()
        if "build" in service:
            assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
        variables = [name for name in service.get("environment", ()) if name.endswith("_FILE")]
        for name in variables:
            assert service["environment"][name].removeprefix("/run/secrets/") in service["secrets"]


def test_only_one_service_builds_the_image() -> None:
    # Parallel builds of the same image can fail with "already exists".
    services = compose()["services"]

    assert [name for name, service in services.items() if "build" in service] == ["node-1"]
    assert services["node-1"]["image"] == services["node-2"]["image"] == services["gateway-1"]["image"]


def test_the_users_of_the_containers_can_read_the_secrets_and_others_cannot(tmp_path: Path) -> None:
    commands = re.findall(r"(?m)^#   (.+)$", (DEPLOY / "compose.yaml").read_text())
    script = "\n".join(("umask 077", *commands))
    subprocess.run(["sh", "-ec", script], cwd=tmp_path, capture_output=True, timeout=60, check=True)

    folder = tmp_path / "deploy" / "secrets"
    files = {path.name: path for path in folder.iterdir()}
    assert folder.stat().st_mode & 0o777 == 0o700
    assert set(files) == set(compose()["secrets"])
    assert {path.stat().st_mode & 0o777 for path in files.values()} == {0o644}
    environment = {**compose()["services"]["node-1"]["environment"]}
    named = {name: value.replace("/run/secrets", str(folder)) for name, value in environment.items()}
    config = read_config({}, named).config
    assert config.store == f"postgresql://rostrum:{files['database-password'].read_text().strip()}@database/rostrum"


def test_secrets_are_neither_committed_nor_sent_to_the_builder() -> None:
    assert "/secrets/" in (DEPLOY / ".gitignore").read_text().splitlines()
    assert not is_in_context("deploy/secrets/users")


def test_clients_of_the_balancer_cannot_claim_another_address() -> None:
    forwarded = re.findall(r"proxy_set_header X-Forwarded-For (\S+);", (DEPLOY / "nginx.conf").read_text())

    assert forwarded
    assert set(forwarded) == {"$remote_addr"}


def test_the_balancer_has_all_nodes_and_forwards_events_and_reports() -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    defaults = {option.field: option.default for option in options()}

    assert text.count("{") == text.count("}")
    nodes = {name for name in compose()["services"] if name.startswith("node-")}
    assert set(re.findall(r"server (\S+):(\d+)", text)) == {(name, str(PORT)) for name in nodes}
    events = text[text.index("location /api/events") : text.index("location = /gw/")]
    assert "proxy_buffering off;" in events
    assert int(re.findall(r"proxy_read_timeout (\d+)s", events)[0]) > defaults["events_heartbeat"]
    assert int(re.findall(r"client_max_body_size (\d+)m", text)[0]) * 1024 * 1024 == defaults["max_crash"]


@pytest.mark.long
def test_the_balancer_has_a_path_for_each_gateway_that_the_manager_names(tmp_path: Path) -> None:
    services = compose()["services"]
    gateways = {name: service for name, service in services.items() if name.startswith("gateway-")}
    nodes = with_secrets(services["node-1"]["environment"], tmp_path).gateway_nodes
    text = (DEPLOY / "nginx.conf").read_text()

    paths = dict(re.findall(r"location = (/gw/\S+) \{\s+proxy_pass http://(gateway-\d+):8385;", text))
    assert tuple(sorted(paths)) == nodes
    assert set(paths.values()) == set(gateways)
    for path, name in paths.items():
        arguments = gateways[name]["command"]
        assert arguments[arguments.index("--node") + 1] == path
        assert "--no-passwords" in arguments
        assert run(*arguments, "--help").returncode == 0
    assert text.count("proxy_set_header Upgrade $http_upgrade;") == len(gateways)


def test_the_unit_of_gateways_gives_each_its_port_and_path() -> None:
    arguments = unit("rostrum-gateway@.service")["Service"]["ExecStart"].replace("%i", "1").split()[1:]

    assert arguments[arguments.index("--node") + 1] == "/gw/1"
    assert arguments[arguments.index("--port") + 1] == "8391"
    assert run(*arguments, "--help").returncode == 0


def test_the_manifests_fit_together() -> None:
    found = manifests()
    assert set(found) == {"ConfigMap", "Deployment", "Service", "PodDisruptionBudget", "Ingress", "Namespace"}
    for document in found.values():
        assert re.fullmatch(r"([a-z0-9.]+/)?v\d", document["apiVersion"])
        is_namespace = document["kind"] == "Namespace"
        assert document["metadata"]["name"] == ("rostrum" if is_namespace else "rostrum-manager")
    namespace, *others = kubernetes_objects()
    assert (namespace["kind"], namespace["metadata"]["name"]) == ("Namespace", "rostrum")
    assert {document["metadata"]["namespace"] for document in others} == {"rostrum"}
    deployment = found["Deployment"]["spec"]
    pod, (container,) = deployment["template"]["spec"], deployment["template"]["spec"]["containers"]
    labels = deployment["template"]["metadata"]["labels"]
    assert deployment["selector"]["matchLabels"].items() <= labels.items()
    assert found["Service"]["spec"]["selector"].items() <= labels.items()
    assert found["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"].items() <= labels.items()
    assert found["PodDisruptionBudget"]["spec"]["minAvailable"] < deployment["replicas"]
    assert [source["configMapRef"]["name"] for source in container["envFrom"]] == ["rostrum-manager"]
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
    assert container["ports"] == [{"name": "http", "containerPort": PORT}]
    (port,) = found["Service"]["spec"]["ports"]
    assert port["targetPort"] == "http"
    (rule,) = found["Ingress"]["spec"]["rules"]
    backend = rule["http"]["paths"][0]["backend"]["service"]
    assert (backend["name"], backend["port"]["name"]) == (found["Service"]["metadata"]["name"], port["name"])
    origin = json.loads(found["ConfigMap"]["data"]["API_CORS_OPTIONS"])["origin"]
    assert origin == f"https://{rule['host']}"
    assert int(found["Ingress"]["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-read-timeout"]) > 30


@pytest.mark.long
def test_every_address_that_is_probed_exists(tmp_path: Path) -> None:
    paths = create_app(manager_config(f"sqlite:///{tmp_path}/unused.db")).openapi()["paths"]
    (container,) = manifests()["Deployment"]["spec"]["template"]["spec"]["containers"]
    probed = {container[probe]["httpGet"]["path"] for probe in container if probe.endswith("Probe")}
    probed |= set(re.findall(rf'{PORT}, "(/api/[a-z/]+)"', HEALTH_CHECK.read_text()))

    assert probed == {"/api/health/live", "/api/health/ready"}
    assert probed <= set(paths)


def base_images() -> dict[str, str]:
    """The base images of the Dockerfile by the name of their argument."""
    return dict(rest.split("=", 1) for name, rest in dockerfile() if name == "ARG")


def test_the_image_is_built_from_files_that_exist() -> None:
    instructions = dockerfile()
    known = {"ARG", "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK"}
    assert {name for name, _ in instructions} == known | {"ENTRYPOINT", "CMD"}
    stages = [rest.split(" AS ")[1] for name, rest in instructions if name == "FROM" and " AS " in rest]
    for name, rest in instructions:
        if name != "COPY":
            continue
        *sources, _ = rest.split()
        if sources[0].startswith("--from="):
            assert sources[0].removeprefix("--from=") in stages
            continue
        for source in sources:
            assert (ROOT / source).exists()
            assert is_in_context(source), source
    assert ("EXPOSE", str(PORT)) in instructions


def test_the_image_contains_the_wheel_with_locked_dependencies() -> None:
    runs = [rest for name, rest in dockerfile() if name == "RUN"]

    node = [run for run in runs if re.search(r"\bnpm (--\S+ )*ci\b", run)]
    assert node
    assert [run for run in node if "--ignore-scripts" not in run] == []
    assert [run for run in runs if re.search(r"npm (--\S+ )*(i|install|update)\b", run)] == []
    assert any("-m hatchling build -t wheel" in run for run in runs)
    (install,) = [run for run in runs if "rostrum-platform[manager,desktop] @ " in run]
    assert "--hash=sha256:$(sha256sum " in install
    assert "-c requirements/run.txt" in install
    assert "--only-binary :all:" in install
    assert [rest for name, rest in dockerfile() if name == "ENV" and "PIP_REQUIRE_HASHES=1" in rest] != []


def test_the_image_makes_everything_that_packages_contain_and_git_ignores() -> None:
    artifacts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["artifacts"]
    runs = " && ".join(rest for name, rest in dockerfile() if name == "RUN").split(" && ")

    assert set(artifacts) == set(MADE)
    assert [command for command in MADE.values() if not any(run.endswith(command) for run in runs)] == []
    assert ("COPY", "--from=pages /build/src src") in dockerfile()
    # The image must not depend on what was built in the checkout.
    assert [path for path in artifacts if is_in_context(path.strip("/"))] == []


def test_the_image_gets_every_folder_from_which_pages_are_built() -> None:
    (folders,) = re.findall(r"(?m)^UI_SOURCES := \$\(shell find (.+?) -type f\)", (ROOT / "Makefile").read_text())
    copied = [source for name, rest in dockerfile() if name == "COPY" for source in rest.split()[:-1]]

    missing = [
        folder
        for folder in folders.split()
        if not any(folder == source or folder.startswith(f"{source}/") for source in copied)
    ]
    assert "docs/guide" in folders
    assert missing == []


def test_the_last_stage_of_the_image_copies_the_installed_wheel_and_the_health_check_only() -> None:
    instructions = dockerfile()
    last = instructions[max(index for index, (name, _) in enumerate(instructions) if name == "FROM") :]

    assert [rest for name, rest in last if name == "COPY"] == [
        "--from=package /opt/rostrum /opt/rostrum",
        f"{HEALTH_CHECK.relative_to(ROOT).as_posix()} /opt/rostrum/",
    ]


def test_the_image_runs_without_root_checks_its_health_and_starts_the_manager() -> None:
    instructions = dockerfile()
    names = [name for name, _ in instructions]
    rest = dict(instructions)

    assert re.fullmatch(r"[1-9]\d*", rest["USER"])
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert rest["HEALTHCHECK"].endswith(f'CMD ["python", "/opt/rostrum/{HEALTH_CHECK.name}"]')
    command = json.loads(rest["ENTRYPOINT"]) + json.loads(rest["CMD"])
    assert command == ["rostrum", "manager", "serve"]
    assert run(*command[1:], "--help").returncode == 0
    user = manifests()["Deployment"]["spec"]["template"]["spec"]["securityContext"]["runAsUser"]
    assert str(user) == rest["USER"]


class _Health(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/api/health/live" else 404)
        self.end_headers()

    def log_message(self, *arguments: Any) -> None:
        pass


@contextmanager
def answering(tls: ssl.SSLContext | None) -> Iterator[int]:
    """A server that answers as a manager does; its port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Health) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def checked_health(port: int, path: str = "/api/health/live") -> int:
    """Run the health check of the image against another port; its exit code."""
    code = HEALTH_CHECK.read_text().replace(str(PORT), str(port)).replace("/api/health/live", path)
    environment = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, timeout=60, check=False)
    return done.returncode


@pytest.mark.long
def test_the_health_check_works_with_and_without_tls_and_ignores_proxies(tmp_path: Path) -> None:
    with answering(None) as port:
        assert checked_health(port) == 0
        assert checked_health(port, "/api/other") == 1
    with answering(self_signed(tmp_path)) as port:
        assert checked_health(port) == 0
    assert checked_health(port) == 1


def test_the_first_process_of_a_container_ends_with_sigterm_while_it_starts() -> None:
    code = """
import os, signal
here = os.getpid()
os.getpid = lambda: 1
from rostrum.cli import main
main.app = lambda: os.kill(here, signal.SIGTERM)
main.main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)

    assert (done.returncode, done.stderr) == (143, b"")


def unpinned(image: str) -> bool:
    """Whether a name of an image may mean another image tomorrow."""
    return re.fullmatch(r"[a-z0-9./-]+:[A-Za-z0-9._-]+@sha256:[0-9a-f]{64}", image) is None


def test_every_image_of_others_is_pinned_by_its_digest() -> None:
    arguments = base_images()
    froms = [rest.split(" AS ") for name, rest in dockerfile() if name == "FROM"]
    used = {base for base, *_ in froms} - {stage for _, *named in froms for stage in named}
    assert used == {f"${{{name}}}" for name in arguments}
    services = compose()["services"].values()
    ours = {service["image"] for service in services if "build" in service}
    (container,) = manifests()["Deployment"]["spec"]["template"]["spec"]["containers"]
    named = [*arguments.values(), *(service["image"] for service in services), container["image"]]

    assert ours == {"rostrum-manager"}
    assert [image for image in named if image not in ours and unpinned(image)] == []
    # The built image has no version here, where it could disagree with that of the package.
    assert (container["image"], container["imagePullPolicy"]) == ("rostrum-manager", "IfNotPresent")


@pytest.mark.parametrize("image", ["nginx", "nginx:1.30", "nginx@sha256:12", "nginx:1.30@sha256:" + "g" * 64])
def test_an_image_without_a_digest_counts_as_unpinned(image: str) -> None:
    assert unpinned(image)


def is_in_context(source: str) -> bool:
    """Whether the ignore file lets a path through: its last rule that speaks of it counts."""
    verdict = True
    for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!").replace("**/", "*")
        if source == pattern or source.startswith(f"{pattern}/") or fnmatch.fnmatch(source, pattern):
            verdict = line.startswith("!")
    return verdict


def test_the_unit_starts_our_command_and_lets_it_open_many_files() -> None:
    service = unit()["Service"]

    assert service["ExecStart"].split()[0].endswith("/bin/rostrum")
    assert service["ExecStart"].split()[1:4] == ["manager", "serve", "--config"]
    assert int(service["LimitNOFILE"]) >= 20_000
    assert set(unit().sections()) == {"Unit", "Service", "Install"}


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        # The test above has read it; this one only asks the real thing where there is one.
        return
    text = (DEPLOY / "rostrum-manager.service").read_text()
    here = re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={shutil.which('true')}", text)
    here = re.sub(r"(?m)^(User|Group)=.*", r"\1=root", here)
    path = tmp_path / "rostrum-manager.service"
    path.write_text(here)
    done = subprocess.run([analyze, "verify", str(path)], capture_output=True, text=True, timeout=60, check=False)

    about_ours = [line for line in done.stderr.splitlines() if "rostrum-manager" in line]
    assert about_ours == []


def _walk(value: Any) -> Iterator[Any]:
    yield value
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _walk(child)


def test_no_secret_is_written_down() -> None:
    for document in (compose(), *kubernetes_objects()):
        assert document.get("kind") != "Secret"
        for value in _walk(document):
            if isinstance(value, dict):
                secrets = [name for name in value if re.search(r"(?i)(password|secret|token)$", str(name))]
                assert [name for name in secrets if isinstance(value[name], str)] == []
                assert not set(value) & {"API_TOKEN_SECRET", "API_STORE", "API_AUTH_METHOD_BASIC_USERS", "stringData"}

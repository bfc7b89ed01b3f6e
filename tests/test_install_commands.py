"""No text may advise an installation of either name from an index, except for reviewed places that do not."""

import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.install_commands import constants, places

ROOT = Path(__file__).resolve().parent.parent
# "%" is the name in all tables, so that this file contains no such command.
REVIEWED = {
    "warns of an installation, or explains the two names": [
        (
            "CHANGELOG.md",
            "pip uninstall % . in a checkout make run does this. the package that others publish under the name %",
        ),
        ("docs/decisions/0104-name-of-the-distribution.md", "install % windows and %"),
        ("docs/decisions/0104-name-of-the-distribution.md", "pip then replaced %"),
        ("docs/guide/deployment.md", "install a file the wheel %_platform- -py3-none-any.whl . the package called %"),
        ("src/rostrum/base/name_conflict.py", "install the package % and the command %"),
        ("tests/base/test_name_conflict.py", "install the package % and the command %"),
    ],
    "names what pip removes or lists": [
        ("Makefile", "pip.txt @touch @ until version 0.1.0 the distribution was called %"),
        ("docs/guide/upgrade-and-backup.md", "pip list shows a package %"),
        ("docs/guide/upgrade-and-backup.md", "pip would keep them beside %-platform"),
    ],
    "names the command, the package with its modules, or the user": [
        (
            "README.md",
            "install the command make run installs the command as .venv/bin/% . the examples below call it %",
        ),
        ("deploy/Dockerfile", "install -d -o % -g %"),
        ("pyproject.toml", "% %.cli.main main"),
        (
            "src/rostrum/base/name_conflict.py",
            "pip this_installation from %.base.name_check import name is_incomplete metadata_paths _own_command f name",
        ),
        ("src/rostrum/base/distribution.py", "pip and for importlib.metadata the package and the command are called %"),
    ],
    "examines an installed wheel, or describes it in the bill of materials": [
        ("tests/deploy/test_deploy.py", "install run for run in runs if %-platform"),
        ("tests/end_to_end/packages.py", "pip %"),
        (
            "tests/end_to_end/test_name_conflict.py",
            "pip false self.packages lend_packages folder / env folder / lent left_out %",
        ),
        ("tests/end_to_end/test_name_conflict.py", "install str environment.other answers environment.run %"),
        ("tests/end_to_end/test_wheel.py", "install packages.wheel tmp_path / environment %"),
        ("tests/test_version.py", "hatch version path src/%/__init__.py assert version %-platform"),
        ("tools/sbom.py", "pypi none distribution"),
    ],
}
FAULTS = [
    ("", "pip install %"),
    ("", "Run `pip install '%[windows]'` or use --headless."),
    ("", "$ /opt/rostrum/bin/pip3 install -q --upgrade %==0.1.0"),
    ("", 'python -m pip --python env/bin/python install "%>=0.1"'),
    ("", "pip install uvicorn % httpx"),
    ("", "pip install --force-reinstall --no-deps \\\n    %"),
    ("", "pip install -r requirements/run.txt %"),
    ("", "pip install --no-deps ./rostrum_platform-1-py3-none-any.whl && pip install %"),
    ("", "pip install -U pip\npip install %"),
    ("", "Install the package with `pip install\n%`."),
    ("", "Install the package\nwith pip\ninstall\n%."),
    ("", "> Run `pip\n> install\n> %`."),
    ("", "Run **pip install** *%*."),
    ("", "Run _pip install_ _%_."),
    ("", "Run “pip install ‘%’”."),
    ("", "| Install | `%` |\n|---|---|"),
    ("", "| `pip install` | `%` |"),
    ("", "Install `%` from PyPI."),
    ("", "Get `%` from the Python Package Index."),
    ("", "pip\tinstall\t%"),
    ("", "run: >\n  pip install --no-deps\n  %\n"),
    ("", "run: >-\n  pip install\n  --no-deps\n  --quiet\n  %\n"),
    ("", "- {run: pip install %}"),
    ("", 'PKG=%; pip install "$PKG"'),
    ("", "env:\n  PKG: %\nrun: pip install $PKG"),
    ("", "$(PIP) install %"),
    ("", '"$PIP" install %'),
    ("", 'RUN ["pip","install","%"]'),
    ("", "<p>Run <code>pip install %</code> on the server.</p>"),
    ("", "<code>pip install</code> <code class='x'>%</code>"),
    ("", "pip download -d dist %"),
    ("", "pip wheel %"),
    ("", "pipx install %"),
    ("", "pipx inject environment %"),
    ("", "pipx run %[manager]"),
    ("", "pipx run % up"),
    ("", "uv pip install %"),
    ("", "uv pip sync <(echo %)"),
    ("", "uv tool install %"),
    ("", "uv add %"),
    ("", "uvx % up"),
    ("", "uvx --from % app"),
    ("", "uv run --with % app"),
    ("", "pipenv install %"),
    ("", "mamba install %"),
    ("", "micromamba create -n x %"),
    ("", "rye add %"),
    ("", "pixi add --pypi %"),
    ("", "poetry add %"),
    ("", "pip install git+https://example.com/%"),
    ("", "npm install %"),
    ("", "npm --prefix admin-ui install --save %@latest"),
    ("", "npx %"),
    ("", "yarn add %"),
    ("", "yarn dlx %"),
    ("", "pnpm dlx %"),
    ("", "bun add %"),
    ("", "bunx % up"),
    ("", "install %[telemetry], or set another variable"),
    ("", 'dependencies = ["%"]'),
    ("", '{"%": "latest"}'),
    ("", '% = "^0.1"'),
    ("requirements/run.in", "httpx\n%\n"),
    ("requirements/run.txt", "%==0.1.0 \\\n    --hash=sha256:00\n"),
    ("docs/requirements.txt", "sphinx\n%\n"),
    (
        "environment.yml",
        "name: docs\nchannels:\n  - x\n" + "dependencies:\n" + "  - a-package-with-a-name\n" * 9 + "  - %\n",
    ),
    ("package.json", '{"dependencies": {"%": "^0.1.0"}}'),
    ("x/package-lock.json", '{"packages": {"": {\n  "%": "file:x"\n}}}'),
    ("pyproject.toml", '[project]\ndependencies = [\n  "httpx",\n' + '  "a-package-with-a-name",\n' * 9 + '  "%",\n]'),
    ("x.ts", 'say("Run pip install " +\n  "%");'),
    ("x.ts", 'spawn("pip", ["install", "%"]);'),
    ("x.ts", 'pipInstall("%");'),
    ("Dockerfile", "ENV PKG %\nRUN pip install $PKG"),
    ("x.ts", "const EXTRA = '%';\nsay(`pip install ${EXTRA}`);"),
    ("x.py", 'advice = "run pip install " "%"\n'),
    ("x.py", 'advice = ("run pip "\n    "install "\n    "%[windows] again")\n'),
    ("x.py", 'advice = "first\\npip install\\n%\\n"\n'),
    ("x.py", 'EXTRA = "%[windows]"\nadvice = f"run pip install \'{EXTRA}\'"\n'),
    ("x.py", 'EXTRA: Final = "%"\nadvice = "run pip install " + EXTRA\n'),
    ("x.py", 'advice = f"run pip install {rostrum.OTHER}"\n'),
    ("x.py", 'advice = "pip install {}".format(OTHER)\n'),
    ("x.py", 'advice = _pip(f"{OTHER}{extra}")\n'),
    ("x.py", 'run([sys.executable, "-m", "pip", "install", "-q", "%"])\n'),
    ("x.py", 'run([pip, "install", "%"])\n'),
    ("x.py", "# Elsewhere: pip install %\n"),
]
FAULTS_OF_THE_OTHER_NAME = [
    "%[manager] @ file:///dist/x.whl",
    "% @ file:///dist/x.whl",
    'echo "%[manager] @ file://$(x)"',
    "% @ git+https://example.com/x",
    "npm install @%/browser-platform",
]
ACCEPTED = [
    "pip install ./%_platform-0.1.0-py3-none-any.whl[manager]",
    '$ /opt/%/bin/pip install "$(echo dist/%_platform-*.whl)[manager]"',
    'echo "%-platform[manager] @ file://$(echo $PWD/dist/%_platform-*.whl) --hash=sha256:00" > %.txt',
    "pip install --require-hashes -c requirements/run.txt -r %.txt",
    "pip install '%-platform[manager] @ file:///dist/x.whl'",
    "pip install -e /src/%",
    "pip install httpx\n% up",
    "npm install\n% desktop start",
    "run `pip uninstall %`, then `pip install --no-deps /dist/%_platform-1-py3-none-any.whl`",
    "uvx --from ./dist/%_platform-1-py3-none-any.whl % up",
    "npm install %-browser-platform-0.1.0.tgz",
    'npm("run", "build")\nimport { x } from "@%/admin-ui";',
    "pip install --target % x.whl",
    "pip install -r requirements/run.txt\npython -m % up",
    "value = %[0] + %[names[1]]",
]


def texts() -> dict[str, str]:
    """Read each text file that Git tracks."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = {file: ROOT / file for file in listed.strip("\0").split("\0")}
    contents = {file: path.read_bytes() for file, path in files.items() if path.is_file()}
    return {file: content.decode(errors="replace") for file, content in contents.items() if b"\0" not in content}


@pytest.mark.long
def test_no_text_installs_either_name_from_an_index() -> None:
    files = texts()
    code = [text for file, text in files.items() if file.endswith((".py", ".ts", ".tsx"))]
    shared = frozenset(name for text in code for name in constants(text) if name.isupper() and name[0] != "_")

    found = Counter((file, place) for file, text in files.items() for place in places(text, file, shared))
    reviewed = Counter((file, place.replace("%", "rostrum")) for items in REVIEWED.values() for file, place in items)

    assert len(files) > 2000
    assert found - reviewed == Counter(), "install a file instead, or add the place to REVIEWED"
    assert reviewed - found == Counter(), "remove these places from REVIEWED"


def test_the_package_requires_neither_name() -> None:
    package = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = package["project"]
    groups = [*project["optional-dependencies"].values(), *package["dependency-groups"].values()]

    required = [project["dependencies"], package["build-system"]["requires"], *groups]

    assert [item for items in required for item in items if str(item).lower().startswith("rostrum")] == []


@pytest.mark.usual(27)
@pytest.mark.parametrize("name", ["rostrum", "rostrum-platform", "Rostrum_Platform"])
@pytest.mark.parametrize(("file", "fault"), FAULTS)
def test_an_installation_from_an_index_is_found(file: str, fault: str, name: str) -> None:
    assert places(fault.replace("%", name), file, frozenset({"OTHER"})) != []


@pytest.mark.parametrize("fault", FAULTS_OF_THE_OTHER_NAME)
def test_the_other_name_is_also_found_with_a_file_or_as_a_scope(fault: str) -> None:
    assert places(fault.replace("%", "rostrum")) != []


@pytest.mark.parametrize("text", ACCEPTED)
def test_an_installation_of_a_file_is_accepted(text: str) -> None:
    assert places(text.replace("%", "rostrum"), "x.md") == []

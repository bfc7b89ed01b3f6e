"""No text of the repository installs `rostrum`, which is another project, or `rostrum-platform` from an index."""

import subprocess
from pathlib import Path

import pytest

from tests.install_commands import CONSTANT, installs

ROOT = Path(__file__).resolve().parent.parent
# They explain the name, or describe old versions.
LEFT_OUT = ("CHANGELOG.md", "changelog.d/", "docs/decisions/0104-name-of-the-distribution.md")
# The name is inserted later, so that this file contains no such command.
FAULTS = [
    ("", "pip install %"),
    ("", "Run `pip install '%[windows]'` or use --headless."),
    ("", "$ /opt/rostrum/bin/pip3 install -q --upgrade %==0.1.0"),
    ("", 'python -m pip --python env/bin/python install "%>=0.1"'),
    ("", "pip install uvicorn % httpx"),
    ("", "pip install --force-reinstall --no-deps \\\n    %"),
    ("docs/x.md", "Install the package with `pip install\n%`."),
    (".github/workflows/x.yaml", "run: >\n  pip install --no-deps\n  %\n"),
    ("", "<p>Run <code>pip install %</code> on the server.</p>"),
    ("", "pip download -d dist %"),
    ("", "pip wheel %"),
    ("", "pipx install %"),
    ("", "pipx run %[manager]"),
    ("", "uv pip install %"),
    ("", "uv tool install %"),
    ("", "uv add %"),
    ("", "uvx % up"),
    ("", "uvx --from % rostrum"),
    ("", "npm install %"),
    ("", "npm --prefix admin-ui install --save %@latest"),
    ("", "npx %"),
    ("", "npm install @rostrum/browser-platform"),
    ("", "yarn add %"),
    ("", "install %[telemetry], or set another variable"),
    ("requirements/run.in", "httpx\n%\n"),
    ("requirements/run.txt", "%==0.1.0 \\\n    --hash=sha256:00\n"),
    ("package.json", '{"dependencies": {"%": "^0.1.0"}}'),
    ("x.ts", 'say("Run pip install " +\n  "%");'),
    ("x.py", 'advice = "run pip install " "%"\n'),
    ("x.py", 'advice = ("run pip "\n    "install "\n    "%[windows] again")\n'),
    ("x.py", 'advice = "run pip install " + "%"\n'),
    ("x.py", 'EXTRA = "%[windows]"\nadvice = f"run pip install \'{EXTRA}\'"\n'),
    ("x.py", 'EXTRA = "%"\nadvice = "run pip install " + EXTRA\n'),
    ("x.py", 'advice = f"run pip install {rostrum.OTHER}"\n'),
    ("x.py", 'run([sys.executable, "-m", "pip", "install", "-q", "%"])\n'),
    ("x.py", 'run("pip", "install", "%", check=True)\n'),
    ("x.py", "# Elsewhere: pip install %\n"),
]
OLD_NAME_WITH_A_FILE = ["%[manager] @ file:///dist/x.whl", "% @ file:///dist/x.whl", 'echo "%[manager] @ file://$(x)"']
ACCEPTED = [
    "pip install ./rostrum_platform-0.1.0-py3-none-any.whl[manager]",
    '$ /opt/rostrum/bin/pip install "$(echo dist/rostrum_platform-*.whl)[manager]"',
    'echo "rostrum-platform[manager] @ file://$(echo $PWD/dist/rostrum_platform-*.whl) --hash=sha256:00" > rostrum.txt',
    "pip install --require-hashes -c requirements/run.txt -r rostrum.txt",
    "pip install 'rostrum-platform[manager] @ file:///dist/x.whl'",
    "pip install -e /src/rostrum",
    "pip install httpx\nrostrum up",
    "run `pip uninstall rostrum`, then `pip install --no-deps /dist/rostrum_platform-1-py3-none-any.whl`",
    "uvx --from ./dist/rostrum_platform-1-py3-none-any.whl rostrum up",
    "npm install rostrum-browser-platform-0.1.0.tgz",
    "With pip, `rostrum` needs an environment.",
    "value = rostrum[0] + rostrum[names[1]]",
]


def texts() -> dict[str, str]:
    """Read each text file that Git tracks."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = {}
    for file in listed.strip("\0").split("\0"):
        content = b"" if file.startswith(LEFT_OUT) or not (ROOT / file).is_file() else (ROOT / file).read_bytes()
        if content and b"\0" not in content:
            found[file] = content.decode(errors="replace")
    return found


def test_no_text_installs_either_name_from_an_index() -> None:
    files = texts()
    constants = dict(pair for file, text in files.items() if file.endswith(".py") for pair in CONSTANT.findall(text))

    faults = {file: found for file, text in files.items() if (found := installs(text, file, constants))}

    assert len(files) > 2000
    assert faults == {}


@pytest.mark.parametrize("name", ["rostrum", "rostrum-platform", "Rostrum_Platform"])
@pytest.mark.parametrize(("file", "fault"), FAULTS)
def test_an_installation_from_an_index_is_found(file: str, fault: str, name: str) -> None:
    if file == "package.json" and name != name.lower():
        name = name.lower().replace("_", "-")

    assert installs(fault.replace("%", name), file, {"OTHER": name}) != []


@pytest.mark.parametrize("fault", OLD_NAME_WITH_A_FILE)
def test_the_other_name_is_found_even_with_a_file(fault: str) -> None:
    assert installs(fault.replace("%", "rostrum")) != []


@pytest.mark.parametrize("text", ACCEPTED)
def test_an_installation_of_a_file_is_accepted(text: str) -> None:
    assert installs(text, "x.md") == []

"""A main page in a browser: built from the module of the platform, and served beside the apps of a test."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from tools.node import find_node

PAGES = Path(__file__).parent / "pages"
NODE = Path(__file__).parents[1] / "fdc3" / "node"
HTML = (
    '<!doctype html><meta charset="utf-8"><title>{name}</title><h1>{name}</h1>'
    '<script type="module" src="{name}.js"></script>'
)


class _Quiet(SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the standard library
        pass


def bundle(**options: Any) -> None:
    """Bundle scripts for browsers, with the options of esbuild."""
    subprocess.run([find_node().node, str(NODE / "build.mjs"), json.dumps(options)], check=True)


def build(folder: Path, *names: str) -> None:
    """Bundle pages of the tests, each with a document that loads it."""
    for file, content in _bundled(*names).items():
        (folder / file).write_bytes(content)
    for name in names:
        (folder / f"{name}.html").write_text(HTML.format(name=name))


@cache
def _bundled(*names: str) -> dict[str, bytes]:
    """Bundle pages once in each process of tests; return the files by their names."""
    with TemporaryDirectory() as folder:
        bundle(entryPoints=[str(PAGES / f"{name}.ts") for name in names], outdir=folder)
        return {file.name: file.read_bytes() for file in Path(folder).iterdir()}


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port; give its origin."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def write_setting(folder: Path, **members: Any) -> None:
    """Write what the main page reads at its start: `url`, `token`, `records`, `open`."""
    setting: Mapping[str, Any] = {"open": [], "records": [], **members}
    (folder / "setting.json").write_text(json.dumps(setting))

"""Builds the documentation site from docs/ and the pages of the first folder into build/site.

Links to source code become plain text, because the site does not contain it. A link that leads nowhere is an error.
"""

import re
import shutil
import sys
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

from sphinx.cmd.build import build_main

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "build/site-sources"
SITE = ROOT / "build/site"
# Pages that hosting sites expect in the first folder of a repository.
ROOT_PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
}
# What readers need first comes first; pages that are not named follow by name.
CHAPTERS = {
    "Guides": (
        "guide/",
        ["manager", "admin-ui", "configuration", "desktop", "windows", "platform", "client-libraries", "deployment"],
    ),
    "Reference": ("reference/", ["settings", "manager-settings", "http-api"]),
    "Development": (
        "",
        [
            "map",
            "contributing",
            "decisions/index",
            "benchmarks",
            "glossary",
            "changelog",
            "releases/0.1.0",
            "security",
            "asvs",
        ],
    ),
}
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)")


def main(site: Path = SITE, sources: Path = SOURCES) -> int:
    """Prepare the pages, and build the site from them."""
    shutil.rmtree(sources, ignore_errors=True)
    sources.mkdir(parents=True)
    prepare(sources)
    options = ["-q", "-W", "--keep-going", "-j", "auto", "-C", "-b", "html", "-d", str(sources / ".doctrees")]
    for name, value in SETTINGS.items():
        options += ["-D", f"{name}={value}"]
    return int(build_main([*options, str(sources), str(site)]))


SETTINGS = {
    "project": "Rostrum",
    "html_title": "Rostrum",
    "html_theme": "furo",
    "extensions": "myst_parser",
    "myst_heading_anchors": "4",
    "html_show_copyright": "0",
    "html_copy_source": "0",
    # Console blocks contain JSON, which the colouring of shell commands does not understand.
    "suppress_warnings": "misc.highlighting_failure",
}


def prepare(sources: Path) -> None:
    """Copy every page, with links that lead to pages of the site, and every picture."""
    pages = {f"docs/{path.relative_to(ROOT / 'docs').as_posix()}": path for path in (ROOT / "docs").rglob("*.md")}
    pages |= {name: ROOT / name for name in ROOT_PAGES}
    for place, path in pages.items():
        target = sources / _page(place)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(with_links(path.read_text("utf-8"), place), "utf-8")
    decisions = sorted((sources / "decisions").glob("[0-9]*.md"))
    (sources / "decisions/index.md").write_text(
        f"# Decisions\n\n{_contents([path.stem for path in decisions])}", "utf-8"
    )
    with (sources / "index.md").open("a", encoding="utf-8") as home:
        for title, (folder, first) in CHAPTERS.items():
            names = [name for name in first if (sources / f"{folder}{name}.md").exists()]
            if folder:
                names += sorted(path.stem for path in (sources / folder).glob("*.md") if path.stem not in first)
            home.write("\n" + _contents([f"{folder}{name}" for name in names], title))
    shutil.copytree(ROOT / "docs/images", sources / "images")
    for data in (ROOT / "docs/reference").glob("*.json"):
        shutil.copy(data, sources / "reference")


def with_links(text: str, place: str) -> str:
    """Rewrite the links of the page at this place in the repository."""
    folder = PurePosixPath(place).parent
    here = PurePosixPath(_page(place)).parent

    def link(match: re.Match[str]) -> str:
        image, label, target, anchor = match[1], match[2], match[3], match[4] or ""
        found = _page(normpath(folder / target))
        return f"{image}[{label}]({relpath(found, here)}{anchor})" if found else label

    return _LINK.sub(link, text)


def _page(path: str) -> str:
    """Name the file of the site for a path in the repository; nothing if the site has none."""
    if path in ROOT_PAGES:
        return ROOT_PAGES[path]
    if path == "docs/decisions":
        return "decisions/index.md"
    return path.removeprefix("docs/") if path.startswith("docs/") and (ROOT / path).is_file() else ""


def _contents(pages: list[str], title: str = "") -> str:
    options = f":caption: {title}\n:hidden:\n" if title else ":maxdepth: 1\n"
    return "```{toctree}\n" + options + "\n" + "\n".join(pages) + "\n```\n"


if __name__ == "__main__":
    code = main()
    if not code:
        print(f"Wrote the documentation to {SITE.relative_to(ROOT)}/index.html")
    sys.exit(code)

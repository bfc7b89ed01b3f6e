"""The files of ``src/rostrum`` that a new document kind creates and changes.

They are those of the recipe that ``tests/manager/test_new_kind.py`` follows in a copy of the product. The test fails if
a part of the recipe is missing or no longer needed. Tests, and pages of the admin UI, are not part of the copy.
"""

from tools.measure.figure import Figure


def measure() -> Figure:
    """Count the files of the recipe."""
    from tests.manager.test_new_kind import changed_files, created_files

    created, changed = created_files(), changed_files()
    values = {"files": len(created) + len(changed), "created": created, "changed": changed}
    return Figure(
        values,
        [
            f"{values['files']} files: {len(created)} created, {len(changed)} changed",
            f"created: {', '.join(created)}",
            f"changed: {', '.join(changed)}",
        ],
    )

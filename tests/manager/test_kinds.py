"""The registry of document kinds: every layer has a part for each kind."""

import re
from pathlib import Path
from typing import assert_type

import pytest

from rostrum.manager.access.permissions import Permission
from rostrum.manager.apps.repository import Apps
from rostrum.manager.database import tables
from rostrum.manager.database.documents import Documents
from rostrum.manager.document import Document, SharedDocument, body_text
from rostrum.manager.history import repository as history
from rostrum.manager.history.restore import DocumentService
from rostrum.manager.kinds import BATCH_KINDS, DOCUMENT_KINDS, Kind
from rostrum.manager.topics import manager_storage
from tests.suites.storage import app, config, group, layout, preference, user
from tests.tables import add_tables

ROOT = Path(__file__).parents[2]
RECORDS: dict[Kind, Document] = {
    document.kind: document for document in (app("a"), layout("l"), preference("p"), config("c"), user("u"), group("g"))
}


def test_every_kind_has_one_record_one_service_and_one_repository() -> None:
    records = [each for each in Document.__subclasses__() if each is not SharedDocument]
    records += SharedDocument.__subclasses__()

    # A dataclass with slots leaves its first version behind until it is collected.
    assert {each.kind for each in records} == DOCUMENT_KINDS.keys()
    assert sorted(each.kind for each in DocumentService.__subclasses__()) == sorted(DOCUMENT_KINDS)
    assert sorted(each.kind for each in Documents.__subclasses__()) == sorted(DOCUMENT_KINDS)


async def test_a_transaction_has_the_repository_of_every_kind(tmp_path: object) -> None:
    address = f"sqlite:///{tmp_path}/kinds.db"
    await add_tables(address)
    storage = manager_storage(address)
    try:
        async with storage.read() as work:
            for kind in DOCUMENT_KINDS:
                repository = work.documents(kind)
                assert repository.kind is kind
                assert repository.key_column.table.name in tables.metadata.tables
            assert work.of(Apps) is work.documents(Kind.APP)
            assert_type(work.of(Apps), Apps)
    finally:
        await storage.close()


def test_every_kind_has_a_page() -> None:
    pages = re.findall(r'page\("(/[a-z-]+)"', (ROOT / "admin-ui/src/routes.tsx").read_text())
    addresses = {"/" + kind.path.removeprefix("/admin/") for kind in BATCH_KINDS.values()}

    assert addresses - {*pages} == {"/prefs"}, "only preferences have a page with another name"
    assert "/preferences" in pages


@pytest.mark.parametrize("kind", DOCUMENT_KINDS)
def test_a_kind_has_its_own_permissions_path_and_operations(kind: Kind) -> None:
    facts = DOCUMENT_KINDS[kind]

    assert facts.read in facts.write.includes
    assert facts.read is not facts.write
    for name in ("path", "operations", "noun", "read", "write"):
        values = [getattr(each, name) for each in DOCUMENT_KINDS.values()]
        assert len(set(values)) == len(values)
    assert {facts.read, facts.write} <= set(Permission)


@pytest.mark.parametrize("kind", DOCUMENT_KINDS)
def test_the_body_of_the_history_contains_the_content_unchanged(kind: Kind) -> None:
    document = RECORDS[kind]

    assert document.content in body_text(document)
    assert bool(document.content_member) == bool(document.content)
    assert DOCUMENT_KINDS[kind].is_large == bool(document.content_member)
    assert (document.content_member in document.members()) == bool(document.content_member)


def test_the_quota_of_the_history_counts_every_kind_that_belongs_to_users() -> None:
    owned = {kind for kind, document in RECORDS.items() if document.history_owner is not None}

    counted = set(history.NEWEST_BYTES.compile().params.values())
    assert {kind for kind in DOCUMENT_KINDS if kind in counted} == owned

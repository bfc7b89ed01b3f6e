"""A database from before there was a history gets a first revision of every document, on every back end."""

import json

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from rostrum.manager.permissions.identity import SYSTEM
from rostrum.manager.resources.audit import AuditResource
from rostrum.manager.storage import Kind, Query, Storage
from rostrum.manager.storage.documents import body_text, key_of
from rostrum.manager.storage.sql.engine import Database

STAMP = "7, 1000, 'ann', {modified}, 'bob'"
ROWS = (
    "users (id, email, password_hash, disabled, epoch, {stamp}) VALUES ('u', NULL, 'hash', {no}, 1, {old})",
    "user_groups VALUES ('u', 'b')",
    "user_groups VALUES ('u', 'a')",
    "groups (name, priority, {stamp}) VALUES ('ü', 3, {old})",
    "group_expansions VALUES ('ü', 'a')",
    "apps (name, type, title, definition, public, disabled, {stamp})"
    " VALUES ('x', 'window', '', '{{\"n\":1.50}}', {yes}, {no}, {new})",
    "app_access VALUES ('x', 'a')",
    'layouts (id, name, type, owner, definition, public, "default", disabled, {stamp})'
    " VALUES ('l', 'L', 'Global', '*', '{{}}', {yes}, {no}, {no}, {new})",
    "preferences (id, user_id, app, data, {stamp}) VALUES ('p', 'u', 'x', '[null]', {new})",
    "config_files (id, file, scope, target, contents, {stamp})"
    " VALUES ('c', 'system.json', 'group', 'a', '{{}}', {new})",
    "config_files (id, file, scope, target, contents, {stamp}) VALUES ('d', 'system.json', 'base', '', '{{}}', {new})",
)


def fill(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", "rostrum.manager.storage.sql:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "0001")
    words = {"stamp": "revision, created, created_by, modified, modified_by", "yes": "true", "no": "false"}
    words |= {"old": STAMP.format(modified=2000), "new": STAMP.format(modified=1000)}
    for row in ROWS:
        connection.exec_driver_sql("INSERT INTO " + row.format(**words))
    connection.execute(text("UPDATE revision SET value = 9"))


async def test_every_document_has_a_first_revision(store: str) -> None:
    database = Database(store)
    async with database.write() as connection:
        await connection.run_sync(fill)
    await database.close()
    storage = Storage(store)
    await storage.open()

    async with storage.read() as work:
        parts = {Kind.APP: work.apps, Kind.LAYOUT: work.layouts, Kind.PREFERENCE: work.preferences}
        parts |= {Kind.CONFIG: work.configs, Kind.USER: work.users, Kind.GROUP: work.groups}
        for kind, part in parts.items():
            for document in (await part.page(Query())).items:
                found = await work.history.as_of(kind, key_of(document), 7)
                assert found is not None
                assert json.loads(found.body or "") == json.loads(body_text(document))
                # What was changed before has a past that nobody knows.
                assert found.previous == (0 if kind in (Kind.USER, Kind.GROUP) else None)
                assert await work.history.as_of(kind, key_of(document), 6) is None
    async with storage.write("ann") as work:
        await work.apps.remove("x", work.stamp())
    assert (await AuditResource(storage).verify(SYSTEM)).fault is None
    await storage.close()

"""Declarations of fields are counted in a small topic and in the topics of the manager."""

import ast
from pathlib import Path

import pytest

from tools.measure.declarations import TOPICS, MissingRecord, declarations, field_lists, measure

MODEL = '''
@dataclass
class Note:
    """A note."""
    kind: ClassVar[str] = "note"
    id: str
    user: str
    text: str
    created_by: str

    def as_json(self):
        return {"id": self.id, "user": self.user, "text": raw(self.text), "createdBy": self.created_by}
'''
REPOSITORY = """
from rostrum.contracts.notes import NewNote
from rostrum.manager.database import tables

_FIELDS = {"id": _NOTE.id, "user": _NOTE.user_id, "text": _NOTE.text}
_SHOWN = ("user", "text")
_ALL = select(tables.notes)

def record(row):
    return Note(id=row.id, user=row.user_id, text=row.text, created_by=row.created_by)

def create(body, now, identity):
    return Note(id=new_id(), user=identity.user, text=body.text, created_by=str(now))
"""
TABLES = """
notes = Table("notes", metadata, Column("id", Text), Column("user_id", Text), Column("text", Text))
others = Table("others", metadata, Column("id", Text), Column("user_id", Text), Column("text", Text))
"""
CONTRACT = """
class NewNote(Body):
    text: str
    user: str

class NoteView(View):
    id: str
    user: str
    text: str
    created_by: str
"""


@pytest.fixture
def product(tmp_path: Path) -> Path:
    files = {
        "manager/notes/model.py": MODEL,
        "manager/notes/repository.py": REPOSITORY,
        "manager/database/tables.py": TABLES,
        "contracts/notes.py": CONTRACT,
        "contracts/others.py": CONTRACT,
    }
    for name, text in files.items():
        path = tmp_path / "src/rostrum" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_each_list_that_names_most_fields_declares_them(product: Path) -> None:
    # Record, JSON, listing, conversion, table and view; the listing has no creator, and the table neither.
    assert declarations("notes", "Note", product) == {"id": 6, "user": 6, "text": 6, "created_by": 4}


def test_a_topic_can_be_one_module(product: Path) -> None:
    manager = product / "src/rostrum/manager"
    (manager / "notes.py").write_text(MODEL + REPOSITORY)

    assert declarations("notes", "Note", product)["id"] == 6


def test_a_topic_without_its_record_is_reported(product: Path) -> None:
    with pytest.raises(MissingRecord, match="the topic notes has no record Notice"):
        declarations("notes", "Notice", product)


def test_a_list_has_several_names_that_are_read_or_written_as_fields() -> None:
    text = 'call(a=x.a, b=y, c=f(z.c)); x = {"a": a, "b": 1}; y = ["a", "b", 1]; z = ("a",)'

    assert [sorted(names) for names in field_lists(ast.parse(text))] == [["a", "c"], ["a", "b"]]


def test_the_topics_of_the_manager_are_measured() -> None:
    figure = measure()

    assert figure.values.keys() == TOPICS.keys()
    for topic in TOPICS:
        counts = figure.values[topic]["fields"]
        assert len(counts) > 4
        # At least in the table and in the record.
        assert min(counts.values()) >= 2
        assert figure.values[topic]["maximum"] == max(counts.values())

"""The revisions of documents, and how documents are restored."""

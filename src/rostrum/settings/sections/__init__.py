"""One file per section of the documents: the only place where the names of settings are written."""

"""The sections of the documents, one module each. The names of settings are declared only here."""

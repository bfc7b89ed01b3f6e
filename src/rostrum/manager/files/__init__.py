"""Files of reports: in the database, a folder or a bucket."""

"""Files that come with reports: in the database, a folder or a bucket."""

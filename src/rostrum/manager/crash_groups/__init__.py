"""Groups of crash reports with the same app, version and signature."""

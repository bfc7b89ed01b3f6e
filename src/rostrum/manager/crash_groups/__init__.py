"""Groups of crash reports with the same product, app, version and signature."""

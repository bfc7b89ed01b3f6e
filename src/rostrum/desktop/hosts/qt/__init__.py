"""The window process: draws windows with Qt, and reports what happens to them. The only package that imports Qt."""

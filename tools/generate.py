"""Writes the references that are made from the code; with --check, compares instead.

python tools/generate.py           write them
python tools/generate.py --check   fail when one of them is stale
"""

import argparse
import difflib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typescript

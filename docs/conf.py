"""How the documentation is built: ``sphinx-build -W docs docs/_build``.

Notebooks are executed unless ``-D nb_execution_mode=off`` is given; the blocks of all other pages are executed by
``tests/test_docs.py``.
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = str(HERE.parent / "src")
sys.path[:0] = [str(HERE / "extension"), SOURCES]
# notebooks run in processes of their own, in another folder
os.environ["PYTHONPATH"] = os.pathsep.join([SOURCES, *filter(None, [os.environ.get("PYTHONPATH")])])

import icarus  # noqa: E402  (found by the lines above where it is not installed)

project = "Icarus"
author = "the authors of Icarus"
version = release = icarus.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "from_code"]
exclude_patterns = ["_build", "extension"]
suppress_warnings = ["myst.header"]  # a page may go from a title to a third level where a directive fills the second

html_theme = "furo"
html_title = f"Icarus {release}"
html_show_sourcelink = False
html_show_copyright = False
html_static_path = ["_static"]
html_css_files = ["pages.css"]

myst_enable_extensions = ["colon_fence"]  # no mathematics between dollars: `$ icarus` begins a command
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # signatures of compiled functions have none, and the others say more in their docstrings

nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300

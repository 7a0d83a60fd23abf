# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elements of HTML."""

from html import escape


def tag(name, content, **attributes):
    """An element with attributes that are not empty: class_ is class, data_label is data-label."""
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items() if value)
    return f"<{name}{given}>{content}</{name}>"

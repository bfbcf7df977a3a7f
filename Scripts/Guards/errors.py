"""The article of all error codes, made from the comments of CauldronError.Code.

`Scripts/docs --write` writes it; `Scripts/docs` and the tests of the scripts compare it.
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "Sources" / "CauldronModel" / "Errors" / "CauldronError.swift"
ARTICLE = ROOT / "Sources" / "Cauldron" / "Cauldron.docc" / "Errors.md"

# The areas, in the order of the article, with what they are about.
AREAS = {
    "store": "The file",
    "migration": "Migrations",
    "stack": "Stacks",
    "context": "Contexts",
    "mainQueue": "The main queue",
    "save": "Saving",
    "validation": "Validation",
    "object": "Objects",
    "model": "Models",
    "query": "Queries",
    "import": "Imports",
    "export": "Exports",
    "undo": "Undo",
}

START = """\
# Errors

Every code of a ``CauldronError``, with what it means and Core Data's number.

## Overview

What the world does wrong is thrown as a ``CauldronError``; what the programmer does wrong traps. An error prints as one
line that names the thing and the remedy:

```
Cannot open store "/data/x.sqlite": directory "/data" does not exist. Create it, or set createDirectory in the configuration.
```

Its ``CauldronError/code`` stays the same across releases. In Swift it is a case, `.storeCannotOpen`; in the log and in
messages it is the text of the tables, `store.cannotOpen`.

```swift
do {
  try setupStack(storeURL: URL(filePath: "people.sqlite"))
} catch let error as CauldronError where error.code == .storeIncompatibleModel {
  print(error.message, error.hint)
}
```

| of an error | tells |
|---|---|
| ``CauldronError/entity``, ``CauldronError/property``, ``CauldronError/objectIDs``, ``CauldronError/path`` | what is concerned |
| ``CauldronError/contextName`` | the context whose level of the chain refused a save |
| ``CauldronError/conflicts`` | the versions that conflict, with ``CauldronError/save`` and ``CauldronError/otherSave`` |
| ``CauldronError/details`` | the single problems, where there are several |
| ``CauldronError/underlying`` | what the program's own code has thrown |
| ``CauldronError/Code/coreDataCode`` | Core Data's number for the same mistake |

A save that fails loses nothing: its changes are unsaved again in the context that made them, so that
they can be corrected and saved again, and what it had only carried up for other contexts goes back to
those, or waits in the root for the next save where the store as a whole was busy or full. A save block or an
import has to be run again instead, as its context is gone.
Reading a property never throws: if its row is gone or
cannot be read, the property shows an empty value, and `try object.load()` tells why; a stored value
that its type cannot decode shows the property's default, and stays in the file until another is set.
"""


def article(source):
    """The text of the article."""
    numbers = core_data_numbers(source)
    areas = {}
    for case, code, comment in codes(source):
        areas.setdefault(code.split(".")[0], []).append((code, comment, numbers.get(case, "")))
    unknown = areas.keys() - AREAS.keys()
    if unknown:
        raise ValueError(f"Scripts/Guards/errors.py names no area {', '.join(sorted(unknown))}.")
    parts = [START]
    for area, title in AREAS.items():
        lines = [f"| `{code}` | {comment} | {number} |" for code, comment, number in areas[area]]
        parts.append(f"## {title}\n\n| code | meaning | Core Data |\n|---|---|---|\n")
        parts[-1] += "\n".join(lines) + "\n"
    return "\n".join(parts)


def codes(source):
    """Case, code and comment of each error, in the order of the source."""
    found = re.findall(r'((?:^ *///.*\n)+)^ *case (\w+) = "([\w.]+)"', source, re.M)
    return [(case, code, sentence(comment)) for comment, case, code in found]


def sentence(comment):
    text = " ".join(line.strip().removeprefix("///").strip() for line in comment.splitlines())
    # The number has a column of its own.
    return re.sub(r"; Core Data's \d+(?=\.)", "", text)


def core_data_numbers(source):
    """Core Data's numbers by case."""
    body = source.split("var coreDataCode: Int?")[1]
    numbers = {}
    for cases, number in re.findall(r"case ((?:\.\w+,?\s*)+):\s*(\d+)", body):
        for case in re.findall(r"\w+", cases):
            numbers[case] = number
    return numbers


def made():
    return article(SOURCE.read_text(encoding="utf-8"))

"""The tables of the article of all error codes, made from the comments of CauldronError.Code.

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

def article(source, text):
    """The article with the tables of the source: its own text up to the first table stays as it is."""
    numbers = core_data_numbers(source)
    areas = {}
    for case, code, comment in codes(source):
        areas.setdefault(code.split(".")[0], []).append((code, comment, numbers.get(case, "")))
    unknown = areas.keys() - AREAS.keys()
    if unknown:
        raise ValueError(f"Scripts/Guards/errors.py names no area {', '.join(sorted(unknown))}.")
    parts = [text.split(f"## {AREAS['store']}\n")[0].rstrip() + "\n"]
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
    return article(SOURCE.read_text(encoding="utf-8"), ARTICLE.read_text(encoding="utf-8"))

"""How many public symbols there may be: Scripts/Symbols/limits, which Scripts/symbols --check compares.

A line has a name, a number and a remark. The names are those of the figures below; a figure without a line, or a
line without a figure, is an error.
"""

import re

LIBRARY = "Cauldron"
# Both are what an application may import; CauldronTesting is for tests.
COUNTED = (LIBRARY, "CauldronMagicalRecord")


class Malformed(Exception):
    pass


def figures(products, underscored):
    """The figures by their names, of the lines of each product and its number of underscored symbols."""
    library = declarations(products.get(LIBRARY, []))
    declared = sum(len(declarations(products.get(product, []))) for product in COUNTED)
    hidden = sum(underscored.get(product, 0) for product in COUNTED)
    return {
        "ManagedEntity": sum(1 for path in library if path.startswith("ManagedEntity.")),
        "findAll": overloads(library, "findAll"),
        "findFirst": overloads(library, "findFirst"),
        "total": declared + hidden,
    }


def declarations(lines):
    """The paths of symbols; conformances are none."""
    return [line.split(" | ")[0] for line in lines if " | conformance | " not in line]


def overloads(paths, name):
    return sum(1 for path in paths if path.split("(")[0].split(".")[-1] == name)


def excess(figures, file):
    """A sentence for each figure beyond its limit."""
    allowed = limits(file)
    if allowed.keys() != figures.keys():
        names = ", ".join(sorted(allowed.keys() ^ figures.keys()))
        raise Malformed(f"{file.name} and the figures do not have the same names: {names}.")
    return [
        f"{name} has {figure} public symbols, and {allowed[name]} are allowed; {remedy(name)}"
        for name, figure in figures.items()
        if figure > allowed[name]
    ]


def remedy(name):
    if name == "total":
        return "take some back, or raise the limit by what CHANGELOG.md lists."
    return "say it with a call that is there, or take one back: this limit is not raised."


def limits(file):
    if not file.exists():
        raise Malformed(f"{file} is missing.")
    result = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        text = line.split("#")[0].strip()
        if not text:
            continue
        match = re.fullmatch(r"(\w+)\s+(\d+)", text)
        if not match or match[1] in result:
            raise Malformed(f"{file.name}:{number}: write a name, once, and a number.")
        result[match[1]] = int(match[2])
    return result

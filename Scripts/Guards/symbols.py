"""Compares the public symbols of the products with those that are on record.

usage: Scripts/symbols --check [--skip-build]    fails, with the difference, where they differ
       Scripts/symbols --write [--skip-build]    records them as they are

Scripts/Symbols has a file for each library product: sorted lines of path, kind and declaration. A
product has the symbols of its module and of the modules that this one exports again, united: a
declaration that moves from one of them to another changes nothing. Modules that no product exports
have no symbol that a program could use. Names that begin with an underscore are left out: only macros
use them. Without --skip-build `swift build` runs first; the symbols are those of the debug build.
SWIFT names the compiler's command, if it is not "swift".

Scripts/Symbols/limits says how many there may be, those with an underscore counted; --check fails beyond it.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import symbol_limits

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECORDS = ROOT / "Scripts" / "Symbols"
MODULES = ROOT / ".build" / "debug" / "Modules"
SWIFT = os.environ.get("SWIFT", "swift").split()
SHOWN = 80
# Protocols that the compiler adds by itself.
IMPLICIT = {"BitwiseCopyable", "Copyable", "Escapable", "SendableMetatype"}


def main(options):
    modes = [option for option in options if option in ("--check", "--write")]
    if len(modes) != 1 or not set(options) <= {"--check", "--write", "--skip-build"}:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        if "--skip-build" not in options:
            run(SWIFT + ["build"])
        products, underscored = extract()
        figures = symbol_limits.figures(products, underscored)
        excess = symbol_limits.excess(figures, RECORDS / "limits")
    except (Failure, symbol_limits.Malformed) as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 2
    print(summary(products, figures))
    if modes == ["--write"]:
        return write(products, RECORDS)
    for line in excess:
        print(f"error: {line}", file=sys.stderr)
    return max(check(products, RECORDS), 1 if excess else 0)


class Failure(Exception):
    pass


def run(command):
    result = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if result.returncode:
        raise Failure(f"'{' '.join(command[:3])}' has failed:\n{result.stdout.strip()}")
    return result.stdout


# Records


def check(products, records):
    before = {file.stem: file.read_text(encoding="utf-8") for file in records.glob("*.txt")}
    before = {product: text.splitlines() for product, text in before.items()}
    is_same = True
    for product in sorted(before.keys() | products.keys()):
        difference = compare(before.get(product, []), products.get(product, []))
        if difference:
            is_same = False
            report(product, difference)
    if not is_same:
        print(
            "If that is meant, run Scripts/symbols --write, and tell users in CHANGELOG.md.",
            file=sys.stderr,
        )
    return 0 if is_same else 1


def compare(before, now):
    """The lines that are gone, with "- ", and the new ones, with "+ ", sorted by path."""
    before, now = collections.Counter(before), collections.Counter(now)
    gone = [(line, "- ") for line in (before - now).elements()]
    new = [(line, "+ ") for line in (now - before).elements()]
    return [mark + line for line, mark in sorted(gone + new)]


def report(product, difference):
    gone = sum(1 for line in difference if line.startswith("-"))
    print(
        f"error: the public symbols of {product} have changed:"
        f" {gone} gone (-), {len(difference) - gone} new (+).",
        file=sys.stderr,
    )
    for line in difference[:SHOWN]:
        print(f"  {line}", file=sys.stderr)
    if len(difference) > SHOWN:
        print(f"  and {len(difference) - SHOWN} more", file=sys.stderr)


def write(products, records):
    records.mkdir(exist_ok=True)
    for file in records.glob("*.txt"):
        if file.stem not in products:
            file.unlink()
    for product, lines in products.items():
        (records / f"{product}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def summary(products, figures):
    counts = ", ".join(
        f"{product} {sum(1 for line in lines if ' | conformance | ' not in line)}"
        for product, lines in products.items()
    )
    rest = ", ".join(f"{name} {figure}" for name, figure in figures.items())
    return f"public symbols: {counts}; {rest}"


# Extraction


def extract():
    """The lines of each library product, and how many symbols of each have an underscore."""
    with tempfile.TemporaryDirectory() as folder:
        target = json.loads(run(SWIFT + ["-print-target-info"]))["target"]["triple"]
        products, underscored, seen = {}, {}, set()
        for product, modules in exported_modules(ROOT).items():
            graphs, inner = [], []
            for module in sorted(modules - seen):
                graphs += symbol_graphs(module, target, pathlib.Path(folder))
                inner += symbol_graphs(module, target, pathlib.Path(folder), "internal")
            products[product] = lines(graphs)
            underscored[product] = len(underscored_symbols(inner))
            seen |= modules
        return products, underscored


def underscored_symbols(graphs):
    """Public symbols that a name with an underscore hides, their own or that of a type around them."""
    symbols = {
        symbol["identifier"]["precise"]: symbol for graph in graphs for symbol in graph["symbols"]
    }
    inner = {
        ".".join(symbol["pathComponents"])
        for symbol in symbols.values()
        if symbol["accessLevel"] not in ("public", "open")
    }
    return [
        symbol
        for symbol in symbols.values()
        if symbol["accessLevel"] in ("public", "open")
        and any(part.startswith("_") for part in symbol["pathComponents"])
        and not any(path in inner for path in outer_paths(symbol))
    ]


def outer_paths(symbol):
    parts = symbol["pathComponents"]
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def exported_modules(root):
    """Each library product with its own module and those that are exported again with it."""
    manifest = (root / "Package.swift").read_text(encoding="utf-8")
    found = {}
    for product, targets in re.findall(r'\.library\(name: "(\w+)", targets: \[([^]]*)\]', manifest):
        modules, left = set(), re.findall(r'"(\w+)"', targets)
        while left:
            module = left.pop()
            if module in modules:
                continue
            modules.add(module)
            for file in (root / "Sources" / module).rglob("*.swift"):
                left += re.findall(
                    r"^@_exported public import (\w+)", file.read_text(encoding="utf-8"), re.M
                )
        found[product] = modules
    if not found:
        raise Failure("Package.swift has no line '.library(name: …, targets: …)'.")
    return found


def symbol_graphs(module, target, folder, level="public"):
    if not (MODULES / f"{module}.swiftmodule").exists():
        raise Failure(f"module {module} is not built; run swift build, or leave out --skip-build.")
    run(
        SWIFT
        + ["symbolgraph-extract", "-module-name", module, "-I", str(MODULES), "-target", target]
        + ["-minimum-access-level", level, "-skip-synthesized-members"]
        + ["-output-dir", str(folder)]
        + ["-Xcc", f"-fmodule-map-file={ROOT / 'Sources/CSQLite/module.modulemap'}"]
        + ["-Xcc", f"-I{ROOT / 'Sources/CCauldron/include'}"]
    )
    files = [folder / f"{module}.symbols.json", *folder.glob(f"{module}@*.symbols.json")]
    graphs = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    # Another level of the module may have no extensions of a module that this one has.
    for file in files:
        file.unlink()
    return graphs


# Lines


def lines(graphs):
    """The sorted lines of symbol graphs, as if they were of one module."""
    symbols = [symbol for graph in graphs for symbol in graph["symbols"]]
    relations = [relation for graph in graphs for relation in graph["relationships"]]
    own = {
        ".".join(symbol["pathComponents"]): constraints(symbol, "swiftGenerics")
        for symbol in symbols
    }
    result = [line(symbol, own) for symbol in symbols]
    names = type_names(symbols, relations)
    identifiers = {symbol["identifier"]["precise"] for symbol in symbols}
    for relation in relations:
        is_own = not identifiers.isdisjoint((relation["source"], relation["target"]))
        if relation["kind"] == "conformsTo" and is_own:
            text = conformance(relation, names)
            if text.split(" | ")[2] not in IMPLICIT:
                result.append(text)
    return sorted(set(result) | repeated(result))


def repeated(result):
    """Symbols that differ in nothing that a line shows are told apart by a number."""
    counts = collections.Counter(result)
    return {
        f"{text} ({number})"
        for text, count in counts.items()
        if " | conformance | " not in text
        for number in range(2, count + 1)
    }


def line(symbol, own):
    path = ".".join(symbol["pathComponents"])
    kind = symbol["kind"]["identifier"].removeprefix("swift.")
    declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
    declaration = " ".join(declaration.split())
    if symbol["accessLevel"] == "open":
        declaration = "open " + declaration
    # What the type itself demands is the same in the type and in an extension of it.
    type_path = ".".join(symbol["pathComponents"][:-1])
    extra = constraints(symbol, "swiftExtension") - own.get(type_path, set())
    extra.discard(f"Self: {type_path}")
    where = f" | where {', '.join(sorted(extra))}" if extra else ""
    return f"{path} | {kind} | {declaration}{where}"


def constraints(symbol, key):
    return {spelled(one) for one in symbol.get(key, {}).get("constraints", [])}


def spelled(constraint):
    sign = " ==" if constraint["kind"] == "sameType" else ":"
    return f"{constraint['lhs']}{sign} {constraint['rhs']}"


def type_names(symbols, relations):
    """The names of types by their identifiers; of those of other packages as their members say."""
    names = {
        symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for symbol in symbols
    }
    for relation in relations:
        if "targetFallback" in relation:
            names.setdefault(relation["target"], relation["targetFallback"].split(".", 1)[1])
    return names


def conformance(relation, names):
    source = names.get(relation["source"], relation["source"])
    target = names.get(relation["target"], relation["target"])
    extra = {spelled(one) for one in relation.get("swiftConstraints", [])}
    where = f" | where {', '.join(sorted(extra))}" if extra else ""
    return f"{source} | conformance | {target}{where}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

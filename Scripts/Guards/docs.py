"""Makes the documentation of the products in .build/docs, and fails on a warning.

usage: Scripts/docs [--skip-build]    makes the pages
       Scripts/docs --write            writes the article of all error codes

DocC, which comes with the toolchain, makes the pages of articles and public symbols. The symbols of a
module that a product exports again get their pages in that product. A warning, a link that leads
nowhere and a public declaration without a comment are errors. Without --skip-build `swift build` runs
first; the symbols are those of the debug build. SWIFT names the compiler's command, if it is not
"swift"; DOCC that of DocC, if it does not lie beside the compiler.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import errors
from symbols import ROOT, SWIFT, Failure, exported_modules, run, symbol_graphs

CATALOG = ROOT / "Sources" / "Cauldron" / "Cauldron.docc"
PAGES = ROOT / ".build" / "docs"


def main(options):
    if options == ["--write"]:
        errors.ARTICLE.write_text(errors.made(), encoding="utf-8")
        return 0
    if not set(options) <= {"--skip-build"}:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        if "--skip-build" not in options:
            run(SWIFT + ["build"])
        graphs = product_graphs()
        faults = uncommented(graphs.values()) + dead_links(ROOT)
        text, count = convert(graphs)
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 2
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    if count:
        print(f"{text}\nerror: DocC has {count} warnings.", file=sys.stderr)
    if faults or count:
        return 1
    total = sum(len(graph["symbols"]) for graph in graphs.values())
    print(f"documentation: {total} symbols in {PAGES.relative_to(ROOT)}, no warning")
    return 0


# Symbol graphs


def product_graphs():
    """One symbol graph of each library product."""
    target = json.loads(run(SWIFT + ["-print-target-info"]))["target"]["triple"]
    graphs, seen = {}, set()
    with tempfile.TemporaryDirectory() as folder:
        for product, modules in exported_modules(ROOT).items():
            found = []
            for module in sorted(modules - seen):
                found += symbol_graphs(module, target, pathlib.Path(folder))
            seen |= modules
            graphs[product] = merged(found, product)
    return graphs


def merged(graphs, product):
    """One graph of several, as if all that they have were of one module."""
    symbols, relations = {}, {}
    for graph in graphs:
        for symbol in graph["symbols"]:
            symbols.setdefault(symbol["identifier"]["precise"], symbol)
        for relation in graph["relationships"]:
            relations.setdefault(json.dumps(relation, sort_keys=True), relation)
    return {
        **graphs[0],
        "module": {**graphs[0]["module"], "name": product},
        "symbols": list(symbols.values()),
        "relationships": list(relations.values()),
    }


# Faults


def uncommented(graphs):
    """The public declarations without a documentation comment."""
    faults = []
    for symbol in (symbol for graph in graphs for symbol in graph["symbols"]):
        # What a macro has written has no place.
        if "docComment" not in symbol and "location" in symbol:
            path = ".".join(symbol["pathComponents"])
            faults.append(f"{path} has no documentation comment ({place(symbol)}).")
    return sorted(faults)


def place(symbol):
    file = symbol["location"]["uri"].removeprefix("file://").removeprefix(f"{ROOT}/")
    return f"{file}:{symbol['location']['position']['line'] + 1}"


def dead_links(root):
    """The links of the pages at the root that lead to no file."""
    faults = []
    for page in sorted(root.glob("*.md")):
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if not re.match(r"\w+:", target) and not (root / target).exists():
                faults.append(f"{page.name} links to {target}, which is not there.")
    return faults


# Pages


def convert(graphs):
    """What DocC says, and the number of its warnings and errors."""
    with tempfile.TemporaryDirectory() as folder:
        for product, graph in graphs.items():
            file = pathlib.Path(folder) / f"{product}.symbols.json"
            file.write_text(json.dumps(graph), encoding="utf-8")
        shutil.rmtree(PAGES, ignore_errors=True)
        command = [docc(), "convert", str(CATALOG), "--additional-symbol-graph-dir", folder]
        command += ["--output-dir", str(PAGES)]
        result = subprocess.run(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    text = result.stdout.strip()
    count = len(re.findall(r"^(?:warning|error): ", text, re.M))
    if result.returncode and not count:
        raise Failure(f"DocC has failed:\n{text}")
    return text, count


def docc():
    named = os.environ.get("DOCC")
    compiler = shutil.which(SWIFT[0])
    beside = pathlib.Path(compiler).resolve().parent / "docc" if compiler else None
    found = named or (str(beside) if beside and beside.exists() else shutil.which("docc"))
    if not found:
        raise Failure("DocC is not there: it comes with Swift's toolchain; set DOCC to its path.")
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

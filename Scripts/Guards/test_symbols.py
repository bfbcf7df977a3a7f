import contextlib
import io
import pathlib
import tempfile
import unittest

import symbols


def symbol(path, kind="method", declaration="func a()", extension=(), generics=(), access="public"):
    def constraints(texts):
        return {
            "constraints": [
                {"kind": "conformance", "lhs": text.split(": ")[0], "rhs": text.split(": ")[1]}
                for text in texts
            ]
        }

    result = {
        "pathComponents": path.split("."),
        "identifier": {"precise": "s:" + path},
        "kind": {"identifier": "swift." + kind},
        "declarationFragments": [{"spelling": declaration}],
        "accessLevel": access,
        "swiftGenerics": constraints(generics),
    }
    if extension:
        result["swiftExtension"] = constraints(extension)
    return result


def graph(*symbols, relations=()):
    return {"symbols": list(symbols), "relationships": list(relations)}


class LineTests(unittest.TestCase):
    def test_a_line_has_path_kind_and_declaration(self):
        lines = symbols.lines([graph(symbol("A.b()", declaration="func  b()\n -> Int"))])
        self.assertEqual(lines, ["A.b() | method | func b() -> Int"])

    def test_an_open_declaration_is_told_from_a_public_one(self):
        lines = symbols.lines([graph(symbol("A.b()", access="open"))])
        self.assertEqual(lines, ["A.b() | method | open func a()"])

    def test_moving_a_member_between_type_extension_and_module_changes_nothing(self):
        owner = symbol("A", kind="struct", declaration="struct A", generics=["T: P"])
        inside = [graph(owner, symbol("A.b()"))]
        extension = [graph(owner, symbol("A.b()", extension=["T: P"]))]
        elsewhere = [graph(owner), graph(symbol("A.b()", extension=["T: P"]))]
        self.assertEqual(symbols.lines(inside), symbols.lines(extension))
        self.assertEqual(symbols.lines(inside), symbols.lines(elsewhere))

    def test_what_an_extension_demands_in_addition_is_shown(self):
        owner = symbol("A", kind="struct", declaration="struct A", generics=["T: P"])
        member = symbol("A.b()", extension=["T: P", "T: Q", "Self: A"])
        self.assertIn(
            "A.b() | method | func a() | where T: Q", symbols.lines([graph(owner, member)])
        )

    def test_symbols_with_equal_lines_are_counted(self):
        lines = symbols.lines([graph(symbol("A.b()"), symbol("A.b()"))])
        self.assertEqual(lines, ["A.b() | method | func a()", "A.b() | method | func a() (2)"])

    def test_conformances_of_own_types_or_to_own_protocols_are_shown(self):
        def relation(source, target, fallback):
            return {
                "kind": "conformsTo",
                "source": source,
                "target": target,
                "targetFallback": "Swift." + fallback,
            }

        relations = [
            relation("s:A", "s:SQ", "Equatable"),
            relation("s:A", "s:Copy", "Copyable"),
            relation("s:Foreign", "s:SQ", "Equatable"),
        ]
        lines = symbols.lines([graph(symbol("A", "struct", "struct A"), relations=relations)])
        self.assertEqual(lines, ["A | conformance | Equatable", "A | struct | struct A"])


class RecordTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.records = pathlib.Path(folder.name) / "Symbols"
        symbols.write({"Library": ["A | struct | struct A", "B | struct | struct B"]}, self.records)

    def check(self, products):
        self.errors = io.StringIO()
        with contextlib.redirect_stderr(self.errors):
            return symbols.check(products, self.records)

    def test_what_was_written_is_what_is_compared(self):
        self.assertEqual(
            self.check({"Library": ["A | struct | struct A", "B | struct | struct B"]}), 0
        )

    def test_a_difference_fails_and_shows_the_lines_and_the_remedy(self):
        self.assertEqual(self.check({"Library": ["A | struct | struct A", "C | enum | enum C"]}), 1)
        self.assertEqual(
            self.errors.getvalue().splitlines(),
            [
                "error: the public symbols of Library have changed: 1 gone (-), 1 new (+).",
                "  - B | struct | struct B",
                "  + C | enum | enum C",
                "If that is meant, run Scripts/symbols --write, and tell users in CHANGELOG.md.",
            ],
        )

    def test_a_product_that_comes_or_goes_is_a_difference(self):
        self.assertEqual(self.check({}), 1)
        symbols.write({}, self.records)
        self.assertEqual(list(self.records.glob("*")), [])


class ExportTests(unittest.TestCase):
    def test_a_product_has_the_modules_that_it_exports_again(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "Package.swift").write_text('.library(name: "L", targets: ["A"]),\n')
            for module, text in {
                "A": "@_exported public import B\n",
                "B": "@_exported public import C\nimport D\n",
                "C": "",
                "D": "",
            }.items():
                (root / "Sources" / module).mkdir(parents=True)
                (root / "Sources" / module / "File.swift").write_text(text)
            self.assertEqual(symbols.exported_modules(root), {"L": {"A", "B", "C"}})


class UnderscoreTests(unittest.TestCase):
    def names(self, *graphs):
        return [
            ".".join(found["pathComponents"]) for found in symbols.underscored_symbols(list(graphs))
        ]

    def test_public_symbols_with_an_underscore_and_members_of_such_types_are_found(self):
        found = self.names(graph(symbol("_A"), symbol("_A.b"), symbol("C._d"), symbol("C.e")))
        self.assertEqual(found, ["_A", "_A.b", "C._d"])

    def test_what_a_program_cannot_reach_is_not_found(self):
        inner = symbol("C", access="internal")
        found = self.names(graph(inner, symbol("C._d"), symbol("_e", access="internal")))
        self.assertEqual(found, [])

    def test_a_symbol_that_two_graphs_have_is_found_once(self):
        self.assertEqual(self.names(graph(symbol("_a")), graph(symbol("_a"))), ["_a"])


class SummaryTests(unittest.TestCase):
    def test_symbols_are_counted_by_product_and_conformances_are_not(self):
        products = {
            "L": ["A | struct | struct A", "A | conformance | Sendable"],
            "M": ["B | struct | struct B", "B.c() | method | func c()"],
        }
        self.assertEqual(
            symbols.summary(products, {"findAll": 2, "total": 4}),
            "public symbols: L 1, M 2; findAll 2, total 4",
        )


if __name__ == "__main__":
    unittest.main()

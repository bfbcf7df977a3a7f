import pathlib
import tempfile
import unittest

import symbol_limits

PRODUCTS = {
    "Cauldron": [
        "ManagedEntity.findAll() | type.method | static func findAll()",
        "ManagedEntity.findAll(in:) | type.method | static func findAll(in: A)",
        "ManagedEntity | conformance | Sendable",
        "Stack.findFirst(_:) | method | func findFirst(_ a: A)",
    ],
    "CauldronMagicalRecord": [
        "ManagedEntity.findAll(_:) | type.method | static func findAll(_ a: A)",
        "ManagedEntity.mr_findAll() | type.method | static func mr_findAll()",
    ],
    "CauldronTesting": ["Fixture | struct | struct Fixture"],
}


class FigureTests(unittest.TestCase):
    def test_members_and_overloads_are_those_of_the_library_alone(self):
        found = symbol_limits.figures(PRODUCTS, {})
        self.assertEqual((found["ManagedEntity"], found["findAll"], found["findFirst"]), (2, 2, 1))

    def test_the_total_has_both_products_and_what_an_underscore_hides(self):
        underscored = {"Cauldron": 7, "CauldronMagicalRecord": 1, "CauldronTesting": 9}
        self.assertEqual(symbol_limits.figures(PRODUCTS, {})["total"], 5)
        self.assertEqual(symbol_limits.figures(PRODUCTS, underscored)["total"], 13)


class LimitTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "limits"

    def excess(self, text, **figures):
        self.file.write_text(text)
        return symbol_limits.excess(figures, self.file)

    def test_a_figure_at_its_limit_is_allowed(self):
        self.assertEqual(self.excess("# so far\n\nfindAll 10  # overloads\n", findAll=10), [])

    def test_a_figure_beyond_its_limit_is_told_with_the_remedy(self):
        self.assertEqual(
            self.excess("findAll 10\ntotal 20\n", findAll=11, total=21),
            [
                "findAll has 11 public symbols, and 10 are allowed; say it with a call that is there,"
                " or take one back: this limit is not raised.",
                "total has 21 public symbols, and 20 are allowed; take some back, or raise the limit"
                " by what CHANGELOG.md lists.",
            ],
        )

    def test_a_line_or_a_figure_too_many_is_an_error(self):
        for text in ("findAll 10\nfindNone 3\n", "", "findNone 10\n"):
            with self.assertRaises(symbol_limits.Malformed):
                self.excess(text, findAll=1)

    def test_a_line_that_says_nothing_and_a_second_one_are_errors(self):
        for text in ("findAll\n", "findAll ten\n", "findAll 10\nfindAll 11\n"):
            with self.assertRaises(symbol_limits.Malformed):
                self.excess(text, findAll=1)

    def test_a_file_that_is_missing_is_an_error(self):
        with self.assertRaises(symbol_limits.Malformed):
            symbol_limits.limits(self.file)


if __name__ == "__main__":
    unittest.main()

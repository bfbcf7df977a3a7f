import contextlib
import io
import pathlib
import tempfile
import unittest

from figures import Figure
from house import measure
from limits import Limits


def figure(name, value, **rest):
    return Figure(name, value, [f"    5 T/{name}.swift"], "make it better", **rest)


class LimitsTests(unittest.TestCase):
    text = "# Why.\ncycle     at most     5   # a comment\n\nmedian    at least   10\n"

    def test_figures_within_their_limits_are_no_faults(self):
        figures = [figure("cycle", 5), figure("median", 10, higher_is_better=True)]
        self.assertEqual(Limits(self.text).faults(figures), [])

    def test_a_regress_is_one_line_with_the_remedy_and_the_worst_place(self):
        figures = [figure("cycle", 6), figure("median", 9, higher_is_better=True)]
        faults = Limits(self.text).faults(figures)
        self.assertEqual(len(faults), 2)
        self.assertEqual(
            faults[0], "cycle is 6, and must be at most 5: make it better. Worst: 5 T/cycle.swift"
        )
        self.assertIn("at least 10", faults[1])

    def test_a_figure_without_limit_and_a_limit_without_figure_are_faults(self):
        faults = Limits("old  at most 5\n").faults([figure("new", 1)])
        self.assertEqual(len(faults), 2)

    def test_a_limit_that_points_the_wrong_way_is_a_fault(self):
        faults = Limits("cycle at least 5\n").faults([figure("cycle", 6)])
        self.assertEqual(len(faults), 1)

    def test_a_line_that_is_not_understood_is_told(self):
        with self.assertRaises(ValueError):
            Limits("cycle 5\n")

    def test_limits_are_tightened_and_comments_stay(self):
        limits = Limits(self.text)
        changes = limits.tighten(
            [figure("cycle", 3), figure("median", 12.5, higher_is_better=True), figure("new", 1)]
        )
        self.assertEqual(len(changes), 3)
        self.assertEqual(
            limits.text().splitlines(),
            [
                "# Why.",
                "cycle     at most     3   # a comment",
                "",
                "median    at least 12.5",
                "new                     at most         1",
            ],
        )

    def test_limits_are_never_loosened(self):
        limits = Limits(self.text)
        figures = [figure("cycle", 6), figure("median", 9, higher_is_better=True)]
        self.assertEqual(limits.tighten(figures), [])
        self.assertEqual(limits.text(), self.text)


class CommandTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.limits = self.root / "house.limits"
        (self.root / "Sources" / "T").mkdir(parents=True)
        self.put("A", 50)

    def put(self, name, lines):
        (self.root / "Sources" / "T" / f"{name}.swift").write_text("let a = 1\n" * lines)

    def run_house(self, *options):
        self.output, self.errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(self.output), contextlib.redirect_stderr(self.errors):
            return measure(self.root / "Sources", self.limits, list(options))

    def test_write_records_a_tree_and_a_regress_fails(self):
        self.assertEqual(self.run_house("--write"), 0)
        self.assertEqual(self.run_house(), 0)
        self.put("B", 20)
        self.assertEqual(self.run_house(), 1)
        faults = self.errors.getvalue().splitlines()
        self.assertEqual([line.split()[1] for line in faults[:-1]], ["median-lines", "small-files"])

    def test_write_with_a_regress_fails_and_loosens_nothing(self):
        self.run_house("--write")
        before = self.limits.read_text()
        self.put("B", 20)
        self.assertEqual(self.run_house("--write"), 1)
        self.assertEqual(self.limits.read_text(), before)

    def test_worst_lists_places(self):
        self.run_house("--write")
        self.assertNotIn("T/A.swift", self.output.getvalue())
        self.run_house("--worst")
        self.assertIn("T/A.swift", self.output.getvalue())


if __name__ == "__main__":
    unittest.main()

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "test"
LINES = """\
◇ Test "a" started.
✔ Test "it \\"passed after 3 seconds\\" in time" passed after 0.008 seconds.
✘ Test "b" failed after 12.5 seconds with 1 issue.
✔ Test "many" with 3 test cases passed after 1.250 seconds.
✔ Test plain() passed after 2.000 seconds with 1 known issue.
✔ Suite "Exact sums" passed after 1.233 seconds.
✘ Suite FloorsTests failed after 20.100 seconds with 1 issue.
✘ Test run with 12 tests in 4 suites failed after 21.239 seconds with 1 issue.
"""


class SlowestTests(unittest.TestCase):
    def run_script(self, lines, status):
        """What Scripts/test prints behind the lines of a `swift test` that ends like this."""
        with tempfile.TemporaryDirectory() as folder:
            swift = pathlib.Path(folder) / "swift"
            (pathlib.Path(folder) / "lines").write_text(lines, encoding="utf-8")
            swift.write_text(f'#!/bin/sh\ncat "{folder}/lines"\nexit {status}\n')
            swift.chmod(0o755)
            environment = {**os.environ, "SWIFT": str(swift)}
            result = subprocess.run([SCRIPT], env=environment, capture_output=True, text=True)
        self.assertEqual(result.returncode, status)
        return result.stdout.removeprefix(lines).splitlines()

    def test_tests_and_suites_are_listed_by_their_time(self):
        self.assertEqual(
            self.run_script(LINES, 0),
            [
                "The slowest suites, in seconds:",
                "    20.100  FloorsTests",
                '     1.233  "Exact sums"',
                "The slowest tests, in seconds:",
                '    12.500  "b"',
                "     2.000  plain()",
                '     1.250  "many" with 3 test cases',
                '     0.008  "it \\"passed after 3 seconds\\" in time"',
            ],
        )

    def test_thirty_tests_are_listed_at_most(self):
        lines = "".join(f"✔ Test t{n}() passed after {n}.5 seconds.\n" for n in range(50))
        shown = self.run_script(lines, 0)
        self.assertEqual(len(shown), 31)
        self.assertEqual(shown[1].split()[1], "t49()")
        self.assertEqual(shown[-1].split()[1], "t20()")

    def test_failures_are_shown_behind_them_and_the_status_stays(self):
        shown = self.run_script(LINES, 3)
        self.assertIn("The slowest tests, in seconds:", shown)
        failed = shown[shown.index("What has failed:") :]
        self.assertTrue(any('Test "b" failed' in line for line in failed))

    def test_a_build_that_fails_has_no_slowest_tests(self):
        shown = self.run_script("error: no such module\n", 1)
        self.assertEqual(shown, ["What has failed:", "error: no such module"])


if __name__ == "__main__":
    unittest.main()

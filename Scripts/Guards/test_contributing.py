import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The folder of all that a build makes; a fresh clone has none.
MADE = ".build/"


class ContributingTests(unittest.TestCase):
    """CONTRIBUTING.md names files one by one; a file that moves takes its line along."""

    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))

    def test_every_path_that_the_page_names_is_there(self):
        paths = {text for text in self.code if re.fullmatch(r"[\w.+-]+(/[\w.+-]+)+", text)}
        self.assertGreater(len(paths), 60)
        kept = [path for path in sorted(paths) if not path.startswith(MADE)]
        missing = [path for path in kept if not self.exists(path)]
        self.assertEqual(missing, [], "CONTRIBUTING.md names these")

    def test_every_swift_file_that_the_page_names_is_there(self):
        names = {text for text in self.code if re.fullmatch(r"[\w+]+\.swift", text)}
        files = {path.name for path in (ROOT / "Sources").rglob("*.swift")} | {"Package.swift"}
        names.discard("Type+Protocol.swift")
        self.assertEqual(sorted(names - files), [], "CONTRIBUTING.md names these")

    def test_the_map_has_every_target_and_every_folder(self):
        map_text = self.text.split("## The map")[1].split("## Where does")[0]
        rows = [line.split("|") for line in map_text.splitlines() if line.startswith("| `")]
        named = {}
        for _, targets, _, folders, _ in rows:
            for target in re.findall(r"`(\w+)`", targets):
                named[target] = set(re.findall(r"`(\w+)`", folders))
        sources = ROOT / "Sources"
        self.assertEqual(sorted(named), sorted(path.name for path in sources.iterdir()))
        for target, folders in named.items():
            if not folders:
                continue
            there = {path.name for path in (sources / target).iterdir() if path.is_dir()}
            there = {name for name in there if not name.endswith(".docc")}
            if target != "CauldronProgram":
                self.assertEqual(sorted(folders), sorted(there), target)

    def exists(self, path):
        return (ROOT / path).exists() or (ROOT / "Sources" / path).exists()


if __name__ == "__main__":
    unittest.main()

import pathlib
import tempfile
import unittest

import docs


def symbol(name, comment=None, line=6):
    result = {
        "pathComponents": [name],
        "identifier": {"precise": "s:" + name},
        "location": {"uri": f"file://{docs.ROOT}/Sources/A.swift", "position": {"line": line}},
    }
    if comment:
        result["docComment"] = {"lines": [{"text": comment}]}
    return result


def graph(module, *symbols, relations=()):
    return {
        "module": {"name": module},
        "symbols": list(symbols),
        "relationships": list(relations),
    }


class DocsTests(unittest.TestCase):
    def test_modules_are_merged_under_the_name_of_the_product(self):
        relation = {"source": "s:A", "target": "s:B", "kind": "memberOf"}
        one = graph("One", symbol("A"), relations=[relation])
        two = graph("Two", symbol("A"), symbol("B"), relations=[relation])
        merged = docs.merged([one, two], "Product")
        self.assertEqual(merged["module"], {"name": "Product"})
        self.assertEqual([each["pathComponents"] for each in merged["symbols"]], [["A"], ["B"]])
        self.assertEqual(merged["relationships"], [relation])

    def test_a_declaration_without_a_comment_is_told_with_its_place(self):
        faults = docs.uncommented([graph("One", symbol("A", "An A."), symbol("B"))])
        self.assertEqual(faults, ["B has no documentation comment (Sources/A.swift:7)."])

    def test_what_a_macro_has_written_needs_no_comment(self):
        written = symbol("$a")
        del written["location"]
        self.assertEqual(docs.uncommented([graph("One", written)]), [])

    def test_links_that_lead_to_no_file_are_told(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "There.md").write_text("", encoding="utf-8")
            text = "[a](There.md#part) ![b](Gone.png) [c](https://swift.org) [d](#part)"
            (root / "Page.md").write_text(text, encoding="utf-8")
            self.assertEqual(
                docs.dead_links(root), ["Page.md links to Gone.png, which is not there."]
            )


if __name__ == "__main__":
    unittest.main()

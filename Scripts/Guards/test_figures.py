import unittest

from figures import all_figures
from graph import components
from swift_source import SwiftFile, split_parameters


def figures(tree):
    files = [SwiftFile(path, text) for path, text in tree.items()]
    return {figure.name: figure for figure in all_figures(files)}


def value(name, tree):
    return figures(tree)[name].value


class SourceTests(unittest.TestCase):
    def test_code_has_neither_strings_nor_comments_and_as_many_lines(self):
        text = 'let a = "struct A {" // func b(\n/* {\n*/ let c = """\n  "{"\n  """\n'
        code = SwiftFile("T/A.swift", text).code
        self.assertEqual(code.split(), ["let", "a", "=", "let", "c", "="])
        self.assertEqual(code.count("\n"), text.count("\n"))

    def test_a_body_ends_with_the_brace_that_closes_it(self):
        text = 'struct A {\n  func b() { "}" }\n}\nstruct C {}\nextension A {\n  var d: Int\n}\n'
        bodies = list(SwiftFile("T/A.swift", text).bodies("A"))
        self.assertEqual(len(bodies), 2)
        self.assertIn("func b", bodies[0])
        self.assertNotIn("struct C", bodies[0])
        self.assertIn("var d", bodies[1])

    def test_commas_between_brackets_split_no_parameters(self):
        text = "_ a: [A: B], b: (C, D) -> E, c: F<G, H> = f(1, 2)"
        self.assertEqual(len(split_parameters(text)), 3)
        self.assertEqual(split_parameters(""), [])

    def test_components_are_circles_and_single_nodes(self):
        graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
        found = sorted(components(graph))
        self.assertEqual(found, [["a", "b", "c"], ["d", "e"], ["f"]])


class FileFigureTests(unittest.TestCase):
    tree = {"T/A.swift": "a\n" * 10, "T/B.swift": "b\n" * 40, "T/C.swift": "c\n" * 41}

    def test_median_and_largest_file(self):
        self.assertEqual(value("median-lines", self.tree), 40)
        self.assertEqual(value("largest-file", self.tree), 41)
        self.assertIn("T/C.swift", figures(self.tree)["largest-file"].places[0])

    def test_share_of_small_files_is_rounded_up(self):
        self.assertEqual(value("small-files", self.tree), 66.7)

    def test_no_files_are_no_fault(self):
        self.assertEqual({figure.value for figure in figures({}).values()}, {0})


class TypeFigureTests(unittest.TestCase):
    def test_files_of_an_internal_type_are_counted_once_and_of_a_public_one_never(self):
        tree = {f"T/P{n}.swift": "extension Public {}\n" for n in range(9)}
        tree |= {f"T/I{n}.swift": "extension Inner {}\nextension Inner {}\n" for n in range(3)}
        tree["T/P.swift"] = "public struct Public {}\n"
        tree["T/I.swift"] = "@MainActor final class Inner {}\nenum Other {}\n"
        self.assertEqual(value("files-of-one-type", tree), 4)
        self.assertEqual(value("spread-types", tree), 50)

    def test_extensions_of_foreign_types_count_for_nothing(self):
        tree = {f"T/S{n}.swift": "extension String {}\n" for n in range(9)}
        self.assertEqual(value("files-of-one-type", tree), 0)

    def test_a_call_cycle_is_found_among_the_files_of_a_type(self):
        tree = {
            "T/A.swift": "struct A {\n  func one() { two() }\n}\n",
            "T/A+Two.swift": "extension A {\n  func two() { self.three() }\n}\n",
            "T/A+Three.swift": "extension A {\n  var three: Int { one() }\n}\n",
            "T/A+Four.swift": "extension A {\n  func four() { one() }\n}\n",
        }
        self.assertEqual(value("call-cycle", tree), 3)
        tree["T/A+Three.swift"] = "extension A {\n  var three: Int { 3 }\n}\n"
        self.assertEqual(value("call-cycle", tree), 0)

    def test_stored_variables_of_mutating_internal_types_are_counted(self):
        body = "  var a = 1\n  private(set) var b = 2\n  var c: Int { 3 }\n  let d = 4\n"
        body += "  var e = 5 { didSet { } }\n"
        mutating = "  mutating func change() {}\n"
        self.assertEqual(value("mutable-fields", {"T/A.swift": f"struct A {{\n{body}}}\n"}), 0)
        tree = {"T/A.swift": f"struct A {{\n{body}{mutating}}}\n"}
        self.assertEqual(value("mutable-fields", tree), 3)
        tree = {"T/A.swift": f"public struct A {{\n{body}{mutating}}}\n"}
        self.assertEqual(value("mutable-fields", tree), 0)


class FunctionFigureTests(unittest.TestCase):
    def test_functions_with_two_unlabelled_parameters(self):
        text = "func a(_ x: Int, _ y: Int) {}\nfunc b(_ x: Int, y: Int) {}\n// func c(_ x, _ y)\n"
        self.assertEqual(value("unlabelled-parameters", {"T/A.swift": text}), 50)

    def test_long_parameter_lists_of_internal_functions(self):
        long = "func a(b: Int, c: Int, d: [Int: Int],\n  e: Int, f: (Int, Int)) {}\n"
        text = long + "func short(b: Int) {}\npublic " + long
        self.assertEqual(value("long-parameter-lists", {"T/A.swift": text}), 50)


class SentenceTests(unittest.TestCase):
    def test_sentences_with_three_pronouns_across_lines(self):
        text = "/// Who knows what others\n/// have said. A list of rows in order.\nlet a = 1\n"
        self.assertEqual(value("hard-sentences", {"T/A.swift": text}), 50)

    def test_code_is_no_sentence(self):
        text = 'let who = "who what that others are is"\n'
        self.assertEqual(value("hard-sentences", {"T/A.swift": text}), 0)


class FloorTests(unittest.TestCase):
    def test_folders_that_name_each_others_types_are_a_circle(self):
        tree = {
            "T/A/One.swift": "struct One { let two: Two }\n",
            "T/B/Two.swift": "struct Two { let three: Three }\n",
            "T/C/Three.swift": "struct Three { let one: Int }\n",
        }
        self.assertEqual(value("folders-in-circles", tree), 0)
        tree["T/C/Three.swift"] = "struct Three { let one: One? }\n"
        self.assertEqual(value("folders-in-circles", tree), 3)

    def test_state_bits_count_outside_their_file_where_they_can_be_seen(self):
        use = "func a() {\n  if object.state.contains(.gone) {}\n  // object.state\n}\n"
        tree = {"T/A.swift": use, "Other/B.swift": use, "T/ObjectState.swift": use}
        self.assertEqual(value("state-uses", tree), 1)
        tree["Other/B.swift"] = "package import T\n" + use
        self.assertEqual(value("state-uses", tree), 2)
        tree = {"T/A.swift": use, "T/State.swift": use}
        self.assertEqual(value("state-uses", tree), 0)


if __name__ == "__main__":
    unittest.main()

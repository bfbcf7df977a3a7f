import unittest

import errors

SOURCE = """
public enum Code: String {
  /// The file is
  /// gone.
  case storeGone = "store.gone"
  /// A rule denies it; Core Data's 1600.
  case saveDenied = "save.denied"
}
public var coreDataCode: Int? {
  switch self {
  case .storeGone,
    .saveOther:
    134
  case .saveDenied: 1600
  default: nil
  }
}
"""


class ErrorTests(unittest.TestCase):
    def test_the_tables_of_the_article_are_what_the_source_makes_of_them(self):
        self.assertEqual(
            errors.ARTICLE.read_text(encoding="utf-8"),
            errors.made(),
            "Scripts/docs --write makes it anew",
        )

    def test_the_text_before_the_tables_stays_and_the_tables_are_made_anew(self):
        source = errors.SOURCE.read_text(encoding="utf-8")
        made = errors.article(source, "# Errors\n\nBy hand.\n\n## The file\n\nold\n")
        self.assertTrue(made.startswith("# Errors\n\nBy hand.\n\n## The file\n\n| code | meaning |"))
        self.assertNotIn("\nold\n", made)

    def test_every_code_of_the_source_is_in_the_article(self):
        source = errors.SOURCE.read_text(encoding="utf-8")
        codes = [line for line in source.splitlines() if line.startswith("    case ") and "=" in line]
        self.assertGreater(len(codes), 70)
        self.assertEqual(len(errors.codes(source)), len(codes))

    def test_a_code_has_its_comment(self):
        self.assertEqual(
            errors.codes(SOURCE),
            [
                ("storeGone", "store.gone", "The file is gone."),
                ("saveDenied", "save.denied", "A rule denies it."),
            ],
        )

    def test_a_code_has_core_datas_number(self):
        self.assertEqual(
            errors.core_data_numbers(SOURCE),
            {"storeGone": "134", "saveOther": "134", "saveDenied": "1600"},
        )


if __name__ == "__main__":
    unittest.main()

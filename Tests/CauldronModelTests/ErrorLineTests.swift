import CauldronModel
import Testing

@Suite("An error is one line")
struct ErrorLineTests {
  @Test(
    "Whatever ends a line in what a damaged file has said",
    arguments: ["\n", "\r", "\r\n", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}"])
  func line(_ end: String) {
    let error = CauldronError(
      .storeCorrupt, "unrecognized token: \"a\(end)b\".", hint: "Try\(end)again.")
    #expect(error.description == "unrecognized token: \"a b\". Try again.")
  }
}

import Foundation
import TestSupport
import Testing

/// What a visitor sees of LiveBoard's page, in a real browser.
@Suite(
  .againstHanging,
  .enabled(
    if: Browser.isInstalled && !Sanitizer.isOn,
    "needs chromium and chromedriver, and no sanitizer"))
struct LiveBoardPageTests {
  /// The texts of the rows that the document has, from above.
  private static let shown = """
    [...document.querySelectorAll(".row")].filter(row => row.shown)
      .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map(row => row.shown.name + ", " + row.shown.city)
    """

  @Test func `the page shows, scrolls, searches, edits and takes an import in`() async throws {
    let program = try ChildProcess("LiveBoard")
    let board = try program.start("--port", "0", "--import", "30000")
    let browser = try await Browser()
    try await browser.open(try await board.text(after: "LiveBoard is at "))
    try await browser.wait(#"count === 10000 && document.querySelector(".row")?.shown"#)
    try await scroll(browser)
    try await search(browser)
    try await edit(browser)
    try await bringIn(browser)
    try await browser.close()
    #expect(try await board.end() == 0)
    #expect(try program.leftovers().isEmpty)
  }

  private func scroll(_ browser: Browser) async throws {
    let first: [String] = try await browser.script("return \(Self.shown)")
    #expect(first == first.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(first.count > 10 && first.count < 50)
    let _: Bool? = try await browser.script(
      #"document.getElementById("scroller").scrollTop = 220000; return true"#)
    try await browser.wait("\(Self.shown).length > 10 && \(Self.shown)[0] > 'F'")
    let later: [String] = try await browser.script("return \(Self.shown)")
    #expect(later.count < 50 && Set(first).isDisjoint(with: later))
    let head: String = try await browser.script(
      #"return document.querySelector(".section h2").firstChild.data"#)
    #expect(later.contains { $0.hasPrefix(head) })
  }

  private func search(_ browser: Browser) async throws {
    try await browser.type("berg", into: "#search")
    try await browser.wait("count > 0 && count < 2000 && \(Self.shown).length > 10")
    try await browser.wait("\(Self.shown).every(row => /berg/i.test(row))")
    let text: String = try await browser.script(
      #"return document.getElementById("count").textContent"#)
    #expect(text.hasSuffix(" of 10,000"))
    try await clearSearch(browser)
  }

  private func clearSearch(_ browser: Browser) async throws {
    try await search(browser, for: "")
    try await browser.wait("count === 10000 && \(Self.shown).length > 10")
  }

  /// Searches for a text as if it were pasted: by one request.
  private func search(_ browser: Browser, for text: String) async throws {
    let _: Bool? = try await browser.script(
      """
      const field = document.getElementById("search");
      field.value = "\(text)"; field.dispatchEvent(new Event("input")); return true
      """)
  }

  /// An edit that is thrown away, and one that is saved.
  private func edit(_ browser: Browser) async throws {
    let before: [String] = try await browser.script("return \(Self.shown)")
    try await rename(browser)
    #expect(try await browser.script("return \(Self.shown)") == before)
    try await browser.click("#discard")
    try await browser.wait(#"document.getElementById("editor").hidden"#)
    #expect(try await browser.script("return \(Self.shown)") == before)
    try await rename(browser)
    try await browser.click("#editor [type=submit]")
    try await browser.wait(#"document.getElementById("editor").hidden"#)
    // With the last letter that was typed, and with a space.
    try await search(browser, for: "zuzana probe")
    try await browser.wait("count === 1 && /^Zuzana Probe,/.test(\(Self.shown)[0])")
    try await clearSearch(browser)
  }

  /// Begins to edit the second row that is seen whole.
  private func rename(_ browser: Browser) async throws {
    let seen = """
      [...document.querySelectorAll(".row")]
        .filter(row => row.shown && row.getBoundingClientRect().top
          >= document.getElementById("scroller").getBoundingClientRect().top + HEAD)
        .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      """
    try await browser.wait("\(seen).length > 1")
    let _: Bool? = try await browser.script("\(seen)[1].click(); return true")
    try await browser.wait(#"!document.getElementById("editor").hidden"#)
    try await browser.type("Zuzana Probe", into: "#editor [name=name]")
    try await browser.wait(#"document.querySelector("[name=name].unsaved")"#)
  }

  /// While an import runs, somebody is being edited; then a picture is taken.
  private func bringIn(_ browser: Browser) async throws {
    let _: Bool? = try await browser.script(
      #"document.getElementById("scroller").scrollTop = 60000; return true"#)
    try await browser.wait("\(Self.shown).length > 10 && \(Self.shown)[0] > 'B'")
    try await rename(browser)
    try await browser.click("#import")
    // The figures come four times a second, so that the list is often ahead of them.
    try await browser.wait(
      """
      count > 34000
        || count > 14000 && document.getElementById("total").textContent === number.format(count)
      """)
    let picture = try await browser.screenshot()
    #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) && picture.count < 300_000)
    if let path = ProcessInfo.processInfo.environment["CAULDRON_SCREENSHOT"] {
      try picture.write(to: URL(filePath: path))
    }
    try await browser.wait(#"count === 40000 && !document.getElementById("import").disabled"#)
    // It has not jumped.
    try await browser.wait("\(Self.shown).length > 10 && \(Self.shown)[0] > 'B'")
    try await browser.wait(#"/→ Saving/.test(document.getElementById("log").textContent)"#)
    try await browser.click("#discard")
  }
}

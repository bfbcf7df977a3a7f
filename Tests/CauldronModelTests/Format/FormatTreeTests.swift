import CauldronModel
import CauldronQuery
import FormatKit
import Foundation
import Testing

@Suite("Format strings")
struct FormatTreeTests {
  @Test("A format string has its tree, and the tree prints and parses back")
  func trees() {
    #expect(FormatSamples.good.lines.count >= 300)
    for (format, tree) in FormatSamples.good.lines {
      do {
        let node = try PredicateNode(format: format)
        #expect(TreeText.text(node) == tree, "\(format)")
        #expect(FormatCheck.finding(node) == nil, "\(format)")
      } catch {
        Issue.record("\(format): \(error)")
      }
    }
  }

  @Test("What is no condition has an error that says where and what was expected")
  func errors() {
    #expect(FormatSamples.bad.lines.count >= 100)
    for (format, text) in FormatSamples.bad.lines {
      let error = #expect(throws: CauldronError.self, "\(format)") {
        try PredicateNode(format: format)
      }
      #expect(error?.description == text, "\(format)")
    }
  }
}

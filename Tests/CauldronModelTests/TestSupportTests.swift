import Foundation
import TestSupport
import Testing

@Suite("TestSupport")
struct TestSupportTests {
  @Test("The seeded generator gives the published numbers of SplitMix64")
  func generator() {
    var generator = SeededGenerator(seed: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
    #expect(generator.next() == 9_817_491_932_198_370_423)
  }

  @Test("A temporary directory goes away with its last reference")
  func directory() throws {
    var directory: TemporaryDirectory? = try TemporaryDirectory()
    let url = try #require(directory?.url)
    try Data([1]).write(to: #require(directory?.file("x")))
    #expect(FileManager.default.fileExists(atPath: url.path))
    directory = nil
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test("Nested loops say where they are")
  func trace() {
    var comments: [String] = []
    withEvery("a", in: [1, 2]) { _ in
      withEvery("b", in: ["x"]) { _ in comments.append(Trace.comment.rawValue) }
    }
    #expect(comments == ["a: 1, b: x", "a: 2, b: x"])
  }
}

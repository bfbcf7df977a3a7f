import Foundation
import Testing

/// Functions of a class that import one property, and what is said of those that do not.
@Suite struct ImportFunctionTests {
  @Test(arguments: [
    (
      "func importName(_ value: String?) { name = value }",
      "if let value0 = value._value(as: (String?).self) {\nimportName(value0)\n"
        + "return true\n}\nreturn false"
    ),
    (
      "func shouldImportName(_ value: String) -> Bool { false }",
      "if let value0 = value._value(as: (String).self), !shouldImportName(value0) {"
    ),
    (
      "func importName(_ source: ImportSource) throws -> Bool { false }",
      "if try importName(value.source) {\nreturn true\n}\nreturn false"
    ),
    (
      "func shouldImportName(_ source: ImportSource) -> Bool { false }",
      "if !shouldImportName(value.source) {\nreturn true\n}\nreturn false"
    ),
  ])
  func `a property is imported by its function`(function: String, body: String) {
    let expansion = expandMembers("var name: String?\n\(function)")
    #expect(expansion.messages == [])
    #expect(
      expansion.text.contains(
        "override class var _importedProperties: Set<String> {\n    [\"name\"]\n  }"))
    #expect(expansion.text.unindented.contains(body.unindented), "\(expansion.text)")
  }

  @Test func `whether at all is asked first`() throws {
    let text = expandMembers(
      """
      var name: String?
      func importName(_ value: String?) {}
      func shouldImportName(_ source: ImportSource) -> Bool { true }
      """
    ).text
    let asks = try #require(text.range(of: "if !shouldImportName(value.source)"))
    let imports = try #require(text.range(of: "importName(value1)"))
    #expect(asks.upperBound < imports.lowerBound)
  }

  @Test(arguments: [
    "func importName(_ a: String, _ b: String) {}", "func importName(value: String?) {}",
    "func importName(_ value: String?) -> Int { 0 }", "func importName(_ value: String?) async {}",
    "func importName<T>(_ value: T) {}",
  ])
  func `a function of another form is told where it is written`(function: String) {
    let expansion = expandMembers("var name: String?\n\(function)")
    #expect(
      expansion.messages == [
        "3:6 'importName' needs one parameter without a label, an 'ImportSource' or the property's"
          + " type, and returns nothing or 'Bool'"
      ])
    #expect(!expansion.text.contains("_importedProperties"))
  }

  @Test func `a function for no property is told where it is written`() {
    let expansion = expandMembers("var name: String?\nfunc importNam(_ source: ImportSource) {}")
    #expect(
      expansion.messages == ["3:6 'importNam' would import 'nam', and there is no such property"])
  }

  @Test(arguments: [
    "func importData(_ data: Data) {}", "static func importName(_ source: ImportSource) {}",
    "func important(_ source: ImportSource) {}", "func imported(_ value: String) {}",
  ])
  func `other functions are left alone`(function: String) {
    let expansion = expandMembers("var name: String?\n\(function)")
    #expect(expansion.messages == [] && !expansion.text.contains("_importedProperties"))
  }

  @Test(arguments: ["Boss?", "String", "ToMany<Boss>"])
  func `a relationship is imported from its source alone`(type: String) {
    let expansion = expandMembers(
      "@Relationship var boss: Boss?\nfunc importBoss(_ value: \(type)) {}")
    #expect(
      expansion.messages == [
        "3:6 'importBoss' needs one parameter without a label, an 'ImportSource', as 'boss' is a"
          + " relationship, and returns nothing or 'Bool'"
      ])
    #expect(!expansion.text.contains("_importedProperties"))
  }

  @Test func `a subclass imports what it inherits from its source alone`() {
    let expansion = Expansion(
      """
      @Entity final class Boss: Person {
      var rank: Int?
      func importName(_ source: ImportSource) {}
      func importRank(_ value: Int?) {}
      func importFile(_ url: URL) {}
      func importMood(_ value: Mood?) -> Bool { true }
      }
      """)
    #expect(expansion.messages == [])
    #expect(expansion.text.contains("super._importedProperties.union([\"name\", \"rank\"])"))
  }
}

extension String {
  /// The lines without what stands before them.
  fileprivate var unindented: String {
    split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
  }
}

import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite("What an attribute can be derived from")
struct DerivationCheckTests {
  private func model(
    _ expression: String, _ type: AttributeType = .integer64,
    _ change: (inout AttributeDescription) -> Void = { _ in }
  ) throws -> ManagedObjectModel {
    var count = AttributeDescription(name: "count", type: type, derivation: expression)
    change(&count)
    return try ManagedObjectModel(entities: [
      EntityDescription(
        name: "Book",
        properties: [
          TestModels.attribute("title", .string), .attribute(count),
          TestModels.toMany("pages", "Page", inverse: "book"),
          TestModels.toMany("labels", "Label", inverse: "books"),
          TestModels.toMany("parts", "Book", inverse: "whole"),
          TestModels.toOne("whole", "Book", inverse: "parts"),
        ]),
      EntityDescription(
        name: "Page", properties: [TestModels.toOne("book", "Book", inverse: "pages")]),
      EntityDescription(
        name: "Label", properties: [TestModels.toMany("books", "Book", inverse: "labels")]),
    ])
  }

  private func refusal(
    _ expression: String, _ type: AttributeType = .integer64,
    _ change: (inout AttributeDescription) -> Void = { _ in }
  ) -> String? {
    do {
      _ = try model(expression, type, change)
      return nil
    } catch {
      let error = error as? CauldronError
      #expect(error?.code == .modelInvalid)
      let start = "Book.count: it cannot be derived from \"\(expression)\": "
      #expect(error?.message.contains(start) == true, "\(String(describing: error))")
      #expect(error?.message.contains("\n") == false)
      return error?.message.components(separatedBy: start).last
    }
  }

  @Test("A count of a to-many relationship is")
  func right() throws {
    let book = try #require(try model("pages.@count").layout(named: "Book"))
    let index = try #require(book.index(of: "count"))
    #expect(book.properties[index].counted == book.index(of: "pages"))
    #expect(book.digest.derived == [index])
    #expect(book.template.row.slot(index) == 0 && !book.template.row.isNull(index))
  }

  @Test(
    "Expressions are read as Xcode shows and as Core Data describes them",
    arguments: [
      ("pages.@count", Derivation.count(of: "pages")), ("count:(pages)", .count(of: "pages")),
      (" count:( pages )", .count(of: "pages")), ("whole.title", .value(of: "title", at: "whole")),
      ("pages.@sum.number", .sum(of: "number", over: "pages")),
      ("sum:(pages.number)", .sum(of: "number", over: "pages")), ("now()", .now),
      ("canonical:(title)", .own(.canonical, of: "title")), ("@count", .other("@count")),
      ("pages.@count.x", .other("pages.@count.x")), ("", .other("")),
      ("pages", .own(.same, of: "pages")),
      ("same:(title)", .other("same:(title)")),
      ("a:(b,c)", .other("a:(b, c)")), (".@count", .other(".@count")),
    ])
  func expressions(_ text: String, _ derivation: Derivation) {
    #expect(Derivation(text) == derivation)
    #expect(Derivation(derivation.source) == derivation)
    #expect(Derivation(derivation.description) == derivation)
  }

  @Test("A relationship that cannot be counted is refused")
  func relationships() {
    let names = "it has \"pages\", \"labels\", \"parts\""
    #expect(
      refusal("page.@count")?.hasPrefix("Book has no to-many relationship \"page\"; \(names)")
        == true)
    #expect(refusal("whole.@count")?.contains("no to-many relationship \"whole\"") == true)
    #expect(refusal("pages.title", .string)?.contains("no to-one relationship \"pages\"") == true)
    #expect(
      refusal("whole.pages", .string)?.contains("leads to what has no stored attribute \"pages\"")
        == true)
    #expect(refusal("labels.@count") == nil && refusal("parts.@count") == nil)
  }

  @Test("An attribute that could not hold a count is refused")
  func attributes() {
    #expect(refusal("pages.@count", .string)?.hasPrefix("it is String; make it Integer 64") == true)
    #expect(refusal("pages.@count", .double)?.contains("Integer 64") == true)
    #expect(
      refusal("pages.@count") { $0.defaultValue = .constant(.integer(3)) }?
        .hasPrefix("it has a default value") == true)
    #expect(refusal("pages.@count") { $0.isTransient = true }?.contains("transient") == true)
    #expect(refusal("pages.@count") { $0.rules = [.range(0...5)] }?.contains("rules") == true)
  }

  @Test("Whether and how it is derived makes another hash")
  func hashes() throws {
    let derived = try model("pages.@count")
    let plain = try model("pages.@count") { $0.derivation = nil }
    let book = derived.entityVersionHashesByName["Book"]
    #expect(book != plain.entityVersionHashesByName["Book"])
    #expect(
      derived.entityVersionHashesByName["Page"] == plain.entityVersionHashesByName["Page"])
    #expect(derived.layout(named: "Book")?.formerHash != book)
    #expect(derived.layout(named: "Page")?.formerHash == nil)
  }
}

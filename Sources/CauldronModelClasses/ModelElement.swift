import CauldronModelXML

/// An element of a model's XML, with what entities, attributes and relationships have in common.
struct ModelElement {
  let xml: XMLElement
  let name: String

  /// - Throws: Where the element has no name, or one that Swift cannot have.
  init(_ xml: XMLElement) throws(XMLFailure) {
    guard let name = xml["name"], !name.isEmpty else {
      throw XMLFailure(line: xml.line, "<\(xml.name)> has no name")
    }
    guard SwiftText.isName(name) else {
      throw XMLFailure(line: xml.line, "\"\(name)\" is no name in Swift; rename it in the model")
    }
    (self.xml, self.name) = (xml, name)
  }

  var line: Int { xml.line }

  /// The value of an attribute; nil where there is none, or an empty one.
  func given(_ key: String) -> String? { xml[key].flatMap { $0.isEmpty ? nil : $0 } }

  func isSet(_ key: String) -> Bool { xml[key] == "YES" }

  /// A number of destinations.
  func count(_ key: String) throws(XMLFailure) -> Int {
    guard let text = given(key) else { return 0 }
    guard let count = Int32(text) else { throw failure("\(key) \"\(text)\" is no count") }
    return Int(count)
  }

  func failure(_ reason: String) -> XMLFailure { XMLFailure(line: line, reason) }

  /// The former name as a literal, if there is one.
  var originalName: String? {
    guard let original = given("renamingIdentifier") ?? given("elementID"), original != name else {
      return nil
    }
    return SwiftText.literal(original)
  }

  var versionHashModifier: String? { given("versionHashModifier").map { SwiftText.literal($0) } }

  /// What the model editor has noted.
  var notes: [String: String] {
    var result: [String: String] = [:]
    for entry in xml.elements("userInfo").flatMap({ $0.elements("entry") }) {
      result[entry["key"] ?? ""] = entry["value"] ?? ""
    }
    return result
  }
}

/// Something in a model that its classes cannot say.
package struct ModelRemark: Sendable, Hashable {
  /// The line of the XML, from 1.
  package let line: Int
  /// The end of a sentence.
  package let text: String
}

import CauldronModel
import CauldronModelXML
import Foundation

/// Makes a description of an attribute in XML.
struct SourceAttribute {
  private let element: XMLElement
  private let name: String
  /// Nil for an undefined type, or one that is not known.
  private let type: AttributeType?

  init(_ element: XMLElement) throws(XMLFailure) {
    self.element = element
    name = try element.required("name")
    let kind = element["attributeType"]
    type = AttributeType.allCases.first { $0.displayName == kind }
  }

  /// Nil where there is no description of the kind.
  var property: PropertyDescription? {
    get throws(XMLFailure) {
      guard let type else { return nil }
      var attribute = AttributeDescription(
        name: name, type: type, isOptional: element.isSet("optional"),
        isTransient: element.isSet("transient"),
        allowsExternalBinaryDataStorage: element.isSet("allowsExternalBinaryDataStorage"),
        preservesValueInHistoryOnDeletion: element.isSet("preserveAfterDeletion"),
        versionHashModifier: element.given("versionHashModifier"))
      if element.isSet("derived") {
        guard let derivation else { return nil }
        attribute.derivation = derivation
      } else if let value = try defaultValue(of: type) {
        attribute.defaultValue = .constant(value)
      }
      attribute.rules = rules(of: type)
      attribute.originalNames = element.originalNames(of: name)
      attribute.userInfo = element.userInfo
      return .attribute(attribute)
    }
  }

  /// The count of a relationship, as descriptions write it; nil for any other expression.
  private var derivation: String? {
    guard let text = element.given("derivationExpression") else { return nil }
    let words = text.filter { $0 != " " }
    let relationship: Substring
    if words.hasPrefix("count:("), words.hasSuffix(")") {
      relationship = words.dropFirst(7).dropLast()
    } else if words.hasSuffix(".@count") {
      relationship = words.dropLast(7)
    } else {
      return nil
    }
    let isName = relationship.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isName && !relationship.isEmpty
      ? AttributeDescription.count(of: String(relationship)) : nil
  }

  private func defaultValue(of type: AttributeType) throws(XMLFailure) -> AttributeScalar? {
    if type == .date {
      // The text is for readers, in a time zone that it does not name.
      guard let text = element.given("defaultDateTimeInterval") else { return nil }
      guard let seconds = Double(text), seconds.isFinite else { throw mismatch(text) }
      return .real(seconds)
    }
    guard let text = element["defaultValueString"] else { return nil }
    if type == .string { return .text(text) }
    if text.isEmpty || type == .transformable || type == .binary { return nil }
    guard let value = scalar(text, as: type) else { throw mismatch(text) }
    return value
  }

  private func mismatch(_ text: String) -> XMLFailure {
    XMLFailure(
      line: element.line, "the default \"\(text)\" of \(name) is no \(type?.displayName ?? "value")"
    )
  }

  private func scalar(_ text: String, as type: AttributeType) -> AttributeScalar? {
    switch type {
    case .integer16, .integer32, .integer64:
      guard let number = Int64(text) ?? Double(text).flatMap({ Int64(exactly: $0) }),
        type.integerRange?.contains(number) == true
      else { return nil }
      return .integer(number)
    case .boolean: return ["YES": 1, "NO": 0, "1": 1, "0": 0][text].map { .integer($0) }
    case .double: return Double(text).flatMap { $0.isNaN ? nil : .real($0) }
    case .float: return Float(text).flatMap { $0.isNaN ? nil : .real(Double($0)) }
    case .decimal: return DecimalNumber(text).map { .text($0.description) }
    case .uuid:
      return UUID(uuidString: text).map { id in
        .blob(withUnsafeBytes(of: id.uuid) { Data($0) })
      }
    case .uri: return .text(text)
    case .string, .date, .binary, .transformable: return nil
    }
  }

  /// What a save asks of the value, as far as it can be said.
  private func rules(of type: AttributeType) -> [AttributeRule] {
    let (least, most) = (element.given("minValueString"), element.given("maxValueString"))
    if type == .string { return lengths(least.flatMap(Int.init), most.flatMap(Int.init)) }
    if type.integerRange != nil { return range(least.flatMap(Int.init), most.flatMap(Int.init)) }
    switch type {
    case .double, .float: return range(least.flatMap(Double.init), most.flatMap(Double.init))
    case .decimal: return range(least.flatMap(Int.init), most.flatMap(Int.init))
    default: return []
    }
  }

  private func lengths(_ least: Int?, _ most: Int?) -> [AttributeRule] {
    switch (least, most) {
    case (let least?, let most?): least <= most ? [.length(least...most)] : []
    case (let least?, nil): [.length(least...)]
    case (nil, let most?): [.length(...most)]
    case (nil, nil): []
    }
  }

  private func range<Bound: AttributeValue & Comparable>(
    _ least: Bound?, _ most: Bound?
  ) -> [AttributeRule] {
    switch (least, most) {
    case (let least?, let most?): least <= most ? [.range(least...most)] : []
    case (let least?, nil): [.range(least...)]
    case (nil, let most?): [.range(...most)]
    case (nil, nil): []
    }
  }
}

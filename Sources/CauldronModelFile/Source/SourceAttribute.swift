import CauldronModel
import CauldronModelXML
import Foundation

/// Makes a description of an attribute in XML.
struct SourceAttribute {
  private let element: XMLElement
  private let composites: SourceComposites
  private let name: String
  /// Nil for an undefined type, or one that is not known.
  private let type: AttributeType?

  init(_ element: XMLElement, _ composites: SourceComposites) throws(XMLFailure) {
    self.element = element
    self.composites = composites
    name = try element.required("name")
    let kind = element.given("attributeType")
    if element.given("composite") != nil {
      type = .composite
    } else if kind == nil || kind == AttributeType.undefined.displayName {
      type = element.isSet("transient") ? .undefined : nil
    } else {
      type = AttributeType.allCases.first { $0.displayName == kind && $0.hasColumn }
    }
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
      if let name = element.given("composite") {
        attribute.compositeName = name
        attribute.elements = try composites.elements(of: name, line: element.line)
        if attribute.elements.isEmpty { return nil }
      }
      attribute.rules = try rules(of: type)
      if type == .transformable { attribute.valueTransformerName = element["valueTransformerName"] }
      attribute.originalNames = element.originalNames(of: name)
      attribute.userInfo = element.userInfo
      return .attribute(attribute)
    }
  }

  /// What it is derived from, as descriptions write it.
  private var derivation: String? {
    element.given("derivationExpression").map { Derivation($0).source }
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
    let hasText = ![.transformable, .binary, .undefined, .composite].contains(type)
    if text.isEmpty || !hasText { return nil }
    guard let value = scalar(text, as: type) else { throw mismatch(text) }
    return value
  }

  private func mismatch(_ text: String) -> XMLFailure {
    XMLFailure(
      line: element.line, "the default \"\(text)\" of \(name) is no \(type?.displayName ?? "value")"
    )
  }

  /// A default as its type has it. Xcode leaves the text where an attribute gets another type, so that the models of
  /// applications have numbers for truth values and the other way round.
  private func scalar(_ text: String, as type: AttributeType) -> AttributeScalar? {
    switch type {
    case .integer16, .integer32, .integer64:
      guard
        let number = Int64(text)
          ?? number(text).flatMap({ Int64(exactly: $0.rounded(.towardZero)) }),
        type.integerRange?.contains(number) == true
      else { return nil }
      return .integer(number)
    case .boolean: return number(text).map { .integer($0 == 0 ? 0 : 1) }
    case .double: return number(text).map { .real($0) }
    case .float:
      return number(text).map { Double(Float($0)) }.flatMap { $0.isFinite ? .real($0) : nil }
    case .decimal:
      return (DecimalNumber(text) ?? number(text).flatMap { DecimalNumber("\($0)") }).map {
        .text($0.description)
      }
    case .uuid:
      return UUID(uuidString: text).map { id in
        .blob(withUnsafeBytes(of: id.uuid) { Data($0) })
      }
    case .uri: return .text(text)
    case .string, .date, .binary, .transformable, .composite, .undefined: return nil
    }
  }

  /// What a save asks of the value.
  /// - Throws: Where a bound is no number of the type, or the bounds leave no value.
  private func rules(of type: AttributeType) throws(XMLFailure) -> [AttributeRule] {
    switch type {
    case .string: return try rule(whole) { .length(least: $0 ?? 0, most: $1 ?? .max) }
    case .integer16, .integer32, .integer64, .decimal:
      // Of a decimal number only whole bounds can be said.
      if type == .decimal, try bounds(number).contains(where: { $0.map(isFraction) == true }) {
        return []
      }
      return try rule(whole, AttributeRule.range)
    case .double, .float: return try rule(number, AttributeRule.range)
    default: return []
    }
  }

  /// The rule of the bounds that there are; none where there is none.
  private func rule<Bound: Comparable>(
    _ read: (String) -> Bound?, _ make: (Bound?, Bound?) -> AttributeRule
  ) throws(XMLFailure) -> [AttributeRule] {
    let bounds = try bounds(read)
    if let least = bounds[0], let most = bounds[1], most < least {
      throw XMLFailure(line: element.line, "the bounds of \(name) leave no value")
    }
    return bounds.contains { $0 != nil } ? [make(bounds[0], bounds[1])] : []
  }

  /// The least and the greatest value.
  private func bounds<Bound>(_ read: (String) -> Bound?) throws(XMLFailure) -> [Bound?] {
    var result: [Bound?] = []
    for key in ["minValueString", "maxValueString"] {
      guard let text = element.given(key) else {
        result.append(nil)
        continue
      }
      guard let bound = read(text) else {
        throw XMLFailure(line: element.line, "\(key) \"\(text)\" of \(name) is no bound")
      }
      result.append(bound)
    }
    return result
  }

  /// A number, or a truth value as one.
  private func number(_ text: String) -> Double? {
    let text = text.trimmingCharacters(in: .whitespaces)
    switch text.lowercased() {
    case "yes", "true": return 1
    case "no", "false": return 0
    default: return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
  }

  private func whole(_ text: String) -> Int? {
    Int(text) ?? number(text).flatMap(Int.init(exactly:))
  }

  private func isFraction(_ number: Double) -> Bool { number.rounded() != number }
}

/// The elements that composite attributes have, by the names of their composites.
///
/// A short file may describe very many: each composite is read once, and their depth and number are limited.
struct SourceComposites {
  /// The most elements of a composite, as many as a table may have columns.
  private static let mostElements = 2_000

  private let byName: [String: XMLElement]
  private var read: [String: [AttributeDescription]] = [:]
  /// The numbers of elements with theirs.
  private var counts: [String: Int] = [:]

  init(_ root: XMLElement) throws(XMLFailure) {
    var byName: [String: XMLElement] = [:]
    let all = root.elements("composite")
    for element in all {
      let name = try element.required("name")
      guard byName.updateValue(element, forKey: name) == nil else {
        throw XMLFailure(line: element.line, "there are two composites named \(name)")
      }
    }
    self.byName = byName
    // What is wrong with one is told of the attribute that names it.
    for name in byName.keys.sorted() { try? read(name, line: 0, within: []) }
  }

  /// The elements; none where one of them is not understood.
  /// - Parameter line: That of the attribute which names the composite.
  func elements(of name: String, line: Int) throws(XMLFailure) -> [AttributeDescription] {
    if let elements = read[name] { return elements }
    var copy = self
    try copy.read(name, line: line, within: [])
    return copy.read[name] ?? []
  }

  /// How many attributes a composite stands for.
  func count(of name: String) -> Int { counts[name] ?? 0 }

  private mutating func read(
    _ name: String, line: Int, within outer: [String]
  ) throws(XMLFailure) {
    if read[name] != nil { return }
    guard let composite = byName[name] else {
      throw XMLFailure(line: line, "the model has no composite \(name)")
    }
    guard !outer.contains(name) else {
      throw XMLFailure(line: line, "the composite \(name) has an element of its own kind")
    }
    guard outer.count < AttributeDescription.greatestDepth else {
      throw XMLFailure(
        line: line,
        "more than \(AttributeDescription.greatestDepth) composites stand in one another")
    }
    var (elements, count): ([AttributeDescription]?, Int) = ([], 0)
    for child in composite.elements("attribute") {
      if let inner = child.given("composite") {
        try read(inner, line: child.line, within: outer + [name])
        count += counts[inner] ?? 0
      }
      count += 1
      guard count <= Self.mostElements else {
        throw XMLFailure(
          line: child.line, "the composite \(name) has more than \(Self.mostElements) elements")
      }
      guard case .attribute(let element)? = try SourceAttribute(child, self).property else {
        elements = nil
        continue
      }
      elements?.append(element)
    }
    (read[name], counts[name]) = (elements ?? [], count)
  }
}

extension AttributeRule {
  fileprivate static func length(least: Int, most: Int) -> AttributeRule {
    most == .max ? .length(least...) : .length(min(least, most)...most)
  }

  fileprivate static func range<Bound: AttributeValue & Comparable>(
    _ least: Bound?, _ most: Bound?
  ) -> AttributeRule {
    switch (least, most) {
    case (let least?, let most?): .range(least...most)
    case (let least?, nil): .range(least...)
    case (nil, let most?): .range(...most)
    case (nil, nil): preconditionFailure("a rule has a bound")
    }
  }
}

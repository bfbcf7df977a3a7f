import CauldronModelXML

/// A random model as XML, with what its classes must say.
struct RandomModelXML {
  private(set) var root = XMLElement("model")
  private(set) var facts: [ClassFacts] = []
  private var random: SplitMix

  init(seed: UInt64) {
    random = SplitMix(state: seed)
    let names = (0..<Int.random(in: 1...6, using: &random)).map { "Entity\($0)" }
    var entities = names.map { XMLElement("entity", attributes: [XMLAttribute("name", $0)]) }
    facts = names.map { ClassFacts(entity: $0) }
    for place in names.indices { fill(&entities[place], place) }
    for _ in 0..<Int.random(in: 0...8, using: &random) { relate(&entities) }
    for place in names.indices { list(&entities[place], place) }
    root.children = entities.map { .element($0) }
  }

  private mutating func flip(_ chance: Int = 2) -> Bool {
    Int.random(in: 0..<chance, using: &random) == 0
  }

  private mutating func fill(_ entity: inout XMLElement, _ place: Int) {
    if place > 0, flip() {
      let parent = "Entity\(Int.random(in: 0..<place, using: &random))"
      entity.attributes.append(XMLAttribute("parentEntity", parent))
      facts[place].superclass = parent
    }
    if flip(4) {
      entity.attributes.append(XMLAttribute("isAbstract", "YES"))
      facts[place].isAbstract = true
    }
    if flip(4) {
      entity.attributes.append(XMLAttribute("elementID", "Old\(place)"))
      facts[place].originalName = "Old\(place)"
    }
    if flip(6) {
      entity.attributes.append(XMLAttribute("versionHashModifier", "m\(place)"))
      facts[place].modifier = "m\(place)"
    }
    for number in 0..<Int.random(in: 0...8, using: &random) {
      attribute("p\(place)_\(number)", &entity, place)
    }
  }

  /// The types with a default: as XML and as source.
  private static let types: [(xml: String, swift: String, text: String, value: String)] = [
    ("Integer 16", "Int16", "-3", "-3"), ("Integer 32", "Int32", "70000", "70000"),
    ("Integer 64", "Int", "5", "5"), ("Double", "Double", "0.5", "0.5"),
    ("Float", "Float", "2", "2"), ("Boolean", "Bool", "YES", "true"),
    ("String", "String", "a \"b\"\\\n\u{301}", #""a \"b\"\\\n\u{301}""#),
    ("Decimal", "Decimal", "3.25", "Decimal(string: \"3.25\")!"),
    ("Date", "Date", "12", "Date(timeIntervalSinceReferenceDate: 12)"),
    ("Binary", "Data", "", ""),
    (
      "UUID", "UUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
      "UUID(uuidString: \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\")!"
    ),
    ("URI", "URL", "http://a.b", "URL(string: \"http://a.b\")!"),
  ]

  private mutating func attribute(_ name: String, _ entity: inout XMLElement, _ place: Int) {
    let type = Self.types.randomElement(using: &random) ?? Self.types[0]
    var xml = XMLElement("attribute", attributes: [XMLAttribute("name", name)])
    func add(_ key: String, _ value: String) { xml.attributes.append(XMLAttribute(key, value)) }
    add("attributeType", type.xml)
    let isOptional = flip()
    var fact = PropertyFacts(name: name, type: type.swift, isOptional: isOptional)
    if isOptional { add("optional", "YES") }
    if flip() { add("usesScalarValueType", "YES") }
    if flip(), !type.text.isEmpty {
      add(type.xml == "Date" ? "defaultDateTimeInterval" : "defaultValueString", type.text)
      fact.value = type.value
    }
    if ["Integer 16", "String"].contains(type.xml), flip() {
      add("minValueString", "1")
      let isTwo = flip()
      if isTwo { add("maxValueString", "9") }
      let range = isTwo ? "1...9" : "1..."
      fact.arguments["rule"] = type.xml == "String" ? ".length(\(range))" : ".range(\(range))"
    }
    if type.xml == "Binary", flip() {
      add("allowsExternalBinaryDataStorage", "YES")
      fact.arguments["allowsExternalBinaryDataStorage"] = "true"
    }
    if flip(5) {
      add("elementID", "old_\(name)")
      fact.originalName = "old_\(name)"
    }
    if flip(5) {
      add("versionHashModifier", "v")
      fact.arguments["versionHashModifier"] = "\"v\""
    }
    if flip(5) {
      add("preserveAfterDeletion", "YES")
      fact.arguments["preserves"] = "true"
    }
    if flip(5) {
      let entry = XMLElement(
        "entry", attributes: [XMLAttribute("key", "note"), XMLAttribute("value", "x")])
      xml.children = [.element(XMLElement("userInfo", children: [.element(entry)]))]
      fact.arguments["notes"] = "x"
    }
    entity.children.append(.element(xml))
    facts[place].properties.append(fact)
  }

  /// Adds a relationship, with the one that leads back, or a one-way one.
  private mutating func relate(_ entities: inout [XMLElement]) {
    let (from, to) = (
      Int.random(in: entities.indices, using: &random),
      Int.random(in: entities.indices, using: &random)
    )
    let number = facts.map(\.properties.count).reduce(0, +)
    let names = ("r\(number)a", flip(6) && from == to ? "r\(number)a" : "r\(number)b")
    let isOneWay = flip(5)
    let ends = (end(), end())
    add(names.0, from, to, isOneWay ? nil : names.1, (ends.0, ends.1), &entities)
    if !isOneWay, names.0 != names.1 {
      add(names.1, to, from, names.0, (ends.1, ends.0), &entities)
    }
  }

  /// One side of a relationship.
  private struct End {
    let isToMany: Bool
    let isOptional: Bool
    let isOrdered: Bool
    let rule: (String, String)
  }

  private mutating func end() -> End {
    let rules = [("Cascade", ".cascade"), ("Deny", ".deny"), ("No Action", ".noAction")]
    return End(
      isToMany: flip(), isOptional: flip(), isOrdered: flip(4),
      rule: flip() ? ("Nullify", "") : rules.randomElement(using: &random) ?? ("Nullify", ""))
  }

  private mutating func add(
    _ name: String, _ from: Int, _ to: Int, _ inverse: String?, _ ends: (End, End),
    _ entities: inout [XMLElement]
  ) {
    let end = ends.0
    let destination = facts[to].entity
    var xml = XMLElement("relationship", attributes: [XMLAttribute("name", name)])
    func add(_ key: String, _ value: String) { xml.attributes.append(XMLAttribute(key, value)) }
    if end.isOptional { add("optional", "YES") }
    add(end.isToMany ? "toMany" : "maxCount", end.isToMany ? "YES" : "1")
    add("deletionRule", end.rule.0)
    if end.isOrdered { add("ordered", "YES") }
    add("destinationEntity", destination)
    if let inverse { add("inverseName", inverse) }
    entities[from].children.append(.element(xml))
    let many = end.isOrdered ? "OrderedToMany" : "ToMany"
    var fact = PropertyFacts(
      name: name, type: end.isToMany ? "\(many)<\(destination)>" : destination,
      isOptional: end.isOptional)
    if !end.rule.1.isEmpty { fact.arguments["deleteRule"] = end.rule.1 }
    if inverse == nil { fact.arguments["isOneWay"] = "true" }
    let isSame = inverse == name
    let isOther = ends.1
    let leads =
      end.isToMany != isOther.isToMany
      ? !end.isToMany : (facts[from].entity, name) < (destination, inverse ?? "")
    if let inverse, isSame || leads { fact.inverse = inverse }
    if end.isOrdered, !end.isToMany { fact.arguments["isOrdered"] = "true" }
    facts[from].properties.append(fact)
  }

  /// Adds constraints and indexes over what the entity has.
  private mutating func list(_ entity: inout XMLElement, _ place: Int) {
    let names = facts[place].properties.map(\.name).filter { $0.hasPrefix("p") }
    guard let first = names.randomElement(using: &random) else { return }
    if flip() {
      let constraint = XMLElement(
        "uniquenessConstraint",
        children: [
          .element(XMLElement("constraint", attributes: [XMLAttribute("value", first)]))
        ])
      entity.children.append(
        .element(XMLElement("uniquenessConstraints", children: [.element(constraint)])))
      facts[place].unique.insert([first])
    }
    let list = flip() ? [first] : Array(names.prefix(2))
    let elements = list.map { name in
      XMLNode.element(
        XMLElement(
          "fetchIndexElement",
          attributes: [XMLAttribute("property", name), XMLAttribute("type", "Binary")]))
    }
    entity.children.append(
      .element(
        XMLElement("fetchIndex", attributes: [XMLAttribute("name", "i")], children: elements)))
    facts[place].indexes.insert(list)
  }
}

/// A generator of numbers that gives the same ones for the same seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

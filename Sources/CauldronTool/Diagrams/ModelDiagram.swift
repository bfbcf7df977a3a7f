package import CauldronModel

/// What a drawing of a model shows: entities with their properties, and the links between them.
package struct ModelDiagram {
  /// An entity.
  package struct Box {
    package let name: String
    package let isAbstract: Bool
    package let rows: [Row]
  }

  /// A property of an entity.
  package struct Row {
    package let name: String
    /// The type, with `?` where there may be none.
    package let type: String
    package let isRelationship: Bool
  }

  /// What a link has at one of its ends.
  package enum Mark {
    /// Nothing: the link leads away from here.
    case none
    /// It leads here, and not back.
    case arrow
    /// One object at most, or exactly one.
    case one(isOptional: Bool)
    /// Any number of objects.
    case many
    /// The entity that is inherited from.
    case triangle
  }

  /// One end of a link.
  package struct End {
    /// The index of the box.
    package let box: Int
    /// The index of the row; nil for the entity as a whole.
    package let row: Int?
    package let mark: Mark
  }

  /// A pair of inverses, a one-way relationship, or an inheritance.
  package struct Link {
    /// The end further to the left in the drawing, if possible: the one side, or the superentity.
    package let first: End
    package let second: End
    /// The link in words.
    package let title: String

    package var isInheritance: Bool {
      if case .triangle = first.mark { true } else { false }
    }
  }

  package let boxes: [Box]
  package private(set) var links: [Link] = []
  private let table: EntityTable
  private let places: [String: Int]

  /// - Parameters:
  ///   - entities: The entities of a model.
  ///   - showsAttributes: Whether attributes are shown, and not relationships alone.
  package init(_ entities: [EntityDescription], showsAttributes: Bool = true) {
    table = EntityTable(entities)
    places = Dictionary(entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
    boxes = entities.map { entity in
      let parts = EntityParts(entity)
      let attributes = showsAttributes ? parts.attributes.map(Row.init) : []
      return Box(
        name: entity.name, isAbstract: entity.isAbstract,
        rows: attributes + parts.relationships.map(Row.init))
    }
    links = entities.compactMap(inheritance) + table.ends.compactMap(link)
  }

  private func inheritance(_ entity: EntityDescription) -> Link? {
    guard let parent = entity.superentity, let above = places[parent],
      let below = places[entity.name]
    else { return nil }
    return Link(
      first: End(box: above, row: nil, mark: .triangle),
      second: End(box: below, row: nil, mark: .none), title: "\(entity.name) is a \(parent)")
  }

  /// The link of a relationship; nil where that of its inverse is drawn.
  private func link(_ end: EntityTable.End) -> Link? {
    guard let here = places[end.entity], let there = places[end.relationship.destination] else {
      return nil
    }
    guard let inverse = table.inverse(of: end), let other = places[inverse.entity] else {
      let isMany = end.relationship.isToMany
      return Link(
        first: End(box: here, row: row(end), mark: .none),
        second: End(box: there, row: nil, mark: isMany ? .many : .arrow),
        title: "\(end.name) → \(end.relationship.destination)")
    }
    let (one, two) = (end.relationship, inverse.relationship)
    // The end with a to-many relationship is that of the one; of equal ends the first by name.
    let isFirst =
      one.isToMany == two.isToMany ? end.name <= inverse.name : one.isToMany
    guard isFirst else { return nil }
    return Link(
      first: End(box: here, row: row(end), mark: Mark(two)),
      second: End(box: other, row: row(inverse), mark: Mark(one)),
      title: "\(end.name) ↔ \(inverse.name)")
  }

  private func row(_ end: EntityTable.End) -> Int? {
    places[end.entity].flatMap { box in
      boxes[box].rows.firstIndex { $0.isRelationship && $0.name == end.relationship.name }
    }
  }
}

extension ModelDiagram.Row {
  fileprivate init(_ attribute: AttributeDescription) {
    name = attribute.name
    type = PropertyTraits(attribute).type + (attribute.isOptional ? "?" : "")
    isRelationship = false
  }

  fileprivate init(_ relationship: RelationshipDescription) {
    name = relationship.name
    let isOpen = relationship.isOptional && !relationship.isToMany
    type = PropertyTraits(relationship).type + (isOpen ? "?" : "")
    isRelationship = true
  }
}

extension ModelDiagram.Mark {
  /// How many objects a relationship leads to.
  fileprivate init(_ relationship: RelationshipDescription) {
    self = relationship.isToMany ? .many : .one(isOptional: relationship.isOptional)
  }

  /// The number as class diagrams write it; empty where there is none.
  package var multiplicity: String {
    switch self {
    case .many: "*"
    case .one(let isOptional): isOptional ? "0..1" : "1"
    case .arrow, .none, .triangle: ""
    }
  }
}

/// A diagram as Mermaid's text of a class diagram, which Markdown pages draw.
package struct MermaidText {
  private let diagram: ModelDiagram

  package init(_ diagram: ModelDiagram) { self.diagram = diagram }

  package var text: String {
    let lines =
      ["classDiagram", "  direction LR"] + diagram.boxes.flatMap(box)
      + diagram.links.map(link)
    return lines.map { "\($0)\n" }.joined()
  }

  private func box(_ box: ModelDiagram.Box) -> [String] {
    var lines = box.isAbstract ? ["    <<abstract>>"] : []
    lines += box.rows.map { "    \(plain($0.name)): \(plain($0.type))" }
    return lines.isEmpty
      ? ["  class \(name(box))"] : ["  class \(name(box)) {"] + lines + ["  }"]
  }

  private func link(_ link: ModelDiagram.Link) -> String {
    let (one, two) = (diagram.boxes[link.first.box], diagram.boxes[link.second.box])
    if link.isInheritance { return "  \(name(one)) <|-- \(name(two))" }
    let isOneWay = if case .none = link.first.mark { true } else { false }
    let words = [
      name(one), number(link.first), isOneWay ? "-->" : "--", number(link.second), name(two),
    ]
    let head = "  \(words.filter { !$0.isEmpty }.joined(separator: " "))"
    let parts = [link.first, link.second].compactMap { end in
      end.row.map { plain(diagram.boxes[end.box].rows[$0].name) }
    }
    return "\(head) : \(Set(parts).count == 1 ? parts[0] : parts.joined(separator: " / "))"
  }

  /// How many objects there are at an end.
  private func number(_ end: ModelDiagram.End) -> String {
    let number = end.mark.multiplicity
    return number.isEmpty ? "" : "\"\(number)\""
  }

  /// Words that mean something where a class may be named.
  private static let reserved: Set<String> = [
    "call", "callback", "class", "classDef", "click", "cssClass", "direction", "href", "link",
    "namespace", "note", "style",
  ]

  /// A name as Mermaid takes it: between backticks where it has more than letters and digits, is a word of
  /// Mermaid's, or begins with an o, which is the sign of an aggregation.
  private func name(_ box: ModelDiagram.Box) -> String {
    let isPlain = box.name.unicodeScalars.allSatisfy {
      $0 == "_" || ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
    }
    return isPlain && !box.name.hasPrefix("o") && !Self.reserved.contains(box.name)
      ? box.name : "`\(plain(box.name).replacing("`", with: "'"))`"
  }

  /// A text without what ends a class, a line or a label.
  private func plain(_ text: String) -> String {
    String(text.map { "{}:;".contains($0) ? " " : $0 }).withVisibleControls
  }
}

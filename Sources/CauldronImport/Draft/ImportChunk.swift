import CauldronModel

/// Some records, read and coerced, as flat lists: what is yet to be found out needs the store.
package struct ImportChunk: Sendable {
  var records: [RecordDraft] = []
  var objects: [ObjectDraft] = []
  var values: [ValueDraft] = []
  var links: [LinkDraft] = []
  var children: [ChildDraft] = []
  var keys = ChunkKeys()
  /// The names that nothing is imported from.
  var unread = UnreadNames()

  package init() {}

  package var count: Int { records.count }

  /// Where its lists end now.
  var end: End {
    End(
      objects: objects.count, values: values.count, links: links.count,
      children: children.count)
  }

  /// Takes out of all lists but the keys' what has been added since.
  mutating func cut(to end: End) {
    objects.removeSubrange(end.objects...)
    values.removeSubrange(end.values...)
    links.removeSubrange(end.links...)
    children.removeSubrange(end.children...)
  }

  /// The numbers of elements of the lists at some time.
  struct End {
    var objects: Int
    let values: Int
    let links: Int
    let children: Int
  }
}

/// A record of the file.
struct RecordDraft: Sendable {
  let place: RecordPlace
  /// Its objects, of which the first is its own; none where it is refused.
  let objects: Range<Int>
  let problem: ImportProblem?
  /// The key of a record that is refused, where that is known.
  let key: KeyValue?
  /// Its number in the file, from 0.
  var number: Int { place.number }
}

/// Where a record stands in its file.
struct RecordPlace: Sendable {
  /// How many records come before it.
  let number: Int
  /// Whether it is the whole text, and no element of an array.
  var isAlone = false
  /// The name under which it stands, in an object of records.
  var name: String?
  /// Whether it is a plain value, which leads to nothing.
  var isPlain = false

  /// Where something of the record stands in the file, as a JSON pointer (RFC 6901).
  /// - Parameter path: The pointer that leads to it in the record.
  func pointer(to path: String) -> String {
    let start = name.map(ImportPointer.step) ?? (isAlone ? "" : "/\(number)")
    return isPlain ? start : start + path
  }

  /// A problem with something in the record.
  /// - Parameter path: The pointer that leads to that in the record.
  func problem(
    at path: String = "", _ code: CauldronError.Code, _ reason: String,
    _ consequence: ImportProblem.Consequence
  ) -> ImportProblem {
    ImportProblem(
      record: number, pointer: pointer(to: path), code: code, reason: reason,
      consequence: consequence)
  }
}

/// An object of a record: its own, or one that is nested in it.
struct ObjectDraft: Sendable {
  /// The number of its plan.
  let plan: Int
  /// The place of its key among those of the chunk; -1 where it has none.
  let key: Int
  var values: Range<Int>
  var links: Range<Int>
  /// The pointer that leads to it in the record.
  let path: String
  /// What was written, where somebody wants to know.
  let source: ImportSource?
  /// Why its values and links cannot be read, where its class is asked first whether it is imported.
  var failure: Refusal?
}

/// What an attribute is set to.
struct ValueDraft: Sendable {
  /// The number among the plan's attributes.
  let attribute: Int
  /// Nil for the attribute's default.
  let scalar: AttributeScalar?
  /// The pointer that leads to it in its object, or would.
  let path: String
  let source: ImportSource?
  /// Why the value cannot be what the attribute keeps, where code of the class may know better.
  var failure: Refusal?
}

/// Where a relationship leads.
struct LinkDraft: Sendable {
  /// The number among the plan's relationships.
  let relationship: Int
  /// Nil where it is to be emptied.
  var children: Range<Int>?
  /// The pointer that leads to it in its object.
  let path: String
  /// Whether the children stand in an array.
  let isList: Bool
  let source: ImportSource?

  /// The pointer that leads to a child in the object.
  func path(of child: Int) -> String {
    guard isList, let children else { return path }
    return "\(path)/\(child - children.lowerBound)"
  }

  /// Whether records are nested in it.
  func isNesting(in chunk: ImportChunk) -> Bool {
    chunk.children[children ?? 0..<0].contains { if case .object = $0 { true } else { false } }
  }
}

/// An object that a relationship leads to.
enum ChildDraft: Sendable {
  /// One of the record's.
  case object(Int)
  /// Any with a key, by the place of that among those of the chunk.
  case key(Int)
}

/// The keys that the records of a chunk name, each once: the import looks for each once.
struct ChunkKeys: Sendable {
  private(set) var all: [KeyRef] = []
  private var slots: [KeyRef: Int] = [:]

  /// The place of a key in the list.
  mutating func slot(_ key: KeyRef) -> Int {
    func noted(_ slot: inout Int) -> Int { slot }
    let slot = noted(&slots[key, default: all.count])
    if slot == all.count { all.append(key) }
    return slot
  }

  /// Forgets all but the first.
  mutating func keepFirst(_ count: Int) {
    for key in all[count...] { slots[key] = nil }
    all.removeSubrange(count...)
  }

  mutating func reserve(_ count: Int) {
    all.reserveCapacity(count)
    slots.reserveCapacity(count)
  }

  /// The place of a key; nil where no record names it.
  func known(_ key: KeyRef) -> Int? { slots[key] }

  subscript(slot: Int) -> KeyRef { all[slot] }
}

extension ImportChunk {
  /// What a record says of attributes that are a key together; nil where it does not say all.
  func said(of object: ObjectDraft, in entity: EntityPlan, for key: KeyPlan) -> KeyValue? {
    var scalars: [AttributeScalar] = []
    for part in key.parts {
      let said = values[object.values].first { entity.attributes[$0.attribute].index == part.index }
      let scalar = said.map { $0.scalar ?? part.fallback }
      let own = object.key < 0 ? nil : entity.key?.scalar(part.index, of: keys[object.key].value)
      guard let scalar = scalar ?? own, !scalar.isNull else { return nil }
      scalars.append(scalar)
    }
    return .several(scalars)
  }
}

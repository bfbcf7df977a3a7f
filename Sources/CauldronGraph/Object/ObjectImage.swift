import CauldronArchive
import CauldronLedger
import CauldronModel
import CauldronStore
import Foundation

/// What is printed of an object: taken in one step by a caller that may use it, reading nothing.
struct ObjectImage {
  /// What became of the object in its context, in words; nil where there is nothing to say.
  private(set) var condition: String?
  /// The values that are known, in the order of the entity's properties.
  private(set) var properties: [Property] = []

  struct Property {
    let name: String
    let value: String
    /// What it was before the context's unsaved changes, if it has changed.
    let was: String?
  }

  /// - Parameter object: Any thread may ask; one that may not use the object learns that.
  init(_ object: ManagedObject) {
    let core = object.core.takeUnretainedValue()
    // No other lock is taken in the step, and nobody else's code runs.
    let raw = core.ownership.ifUsable { RawImage(object) }
    guard let raw else {
      condition =
        core.ownership.state.withLock { $0.isDetached }
        ? "its context is gone" : "on another queue"
      return
    }
    condition = Self.condition(raw.state, reason: raw.reason, in: core, of: raw.id)
    properties = raw.properties.map { property in
      Property(
        name: property.name, value: property.value.text(core),
        was: property.was?.text(core))
    }
  }

  /// The object on one line.
  func line(_ name: String, of context: String, showsWas: Bool = false) -> String {
    let state = condition.map { ", \($0)" } ?? ""
    if properties.isEmpty { return "<\(name) of \(context)\(state)>" }
    let values = properties.map { property in
      let was = showsWas ? property.was.map { " (was \($0))" } : nil
      return "\(property.name): \(property.value)\(was ?? "")"
    }
    return "<\(name) of \(context)\(state): \(values.joined(separator: ", "))>"
  }

  /// Entity and key, as they name an object within its store.
  static func shortName(of id: ManagedObjectID, entity layout: EntityLayout?) -> String {
    let number = id.key < 0 ? "t\(ProvisionalKeys.number(id.key))" : "p\(id.key)"
    return "\(layout?.name ?? "?") \(number)"
  }

  private static func condition(
    _ state: ObjectState, reason: CauldronError?, in core: ContextCore, of id: ManagedObjectID
  ) -> String? {
    if state.isGone { return "gone" }
    if state.isDeleted { return "deleted" }
    if state.isNew { return "inserted" }
    if state.isUnread {
      return "cannot be read" + (reason.map { " (\($0.code))" } ?? "")
    }
    let ledger = core.coordinator.ledger
    let pending = ledger.pendingKind(id.followed(ledger.provisional), in: core.node)
    if state.isFault {
      switch pending {
      case .insertion: return "inserted, fault"
      case .update: return "changed, fault"
      case .deletion, nil: return "fault"
      }
    }
    if state.isEdited { return "changed" }
    switch pending {
    case .insertion: return "inserted"
    case .update: return "changed"
    case .deletion, nil: return nil
    }
  }
}

/// An object's state and values as they lie in memory, before anything is looked up for them.
struct RawImage {
  let state: ObjectState
  let id: ManagedObjectID
  let reason: CauldronError?
  private(set) var properties: [Property] = []

  struct Property {
    let name: String
    let value: Shown
    let was: Shown?
  }

  enum Shown {
    case text(String)
    case object(ManagedObjectID)
    /// What a transient property of the class begins with: an expression, which is evaluated later, as it
    /// is code of the program.
    case first(ManagedObject.Type, Int)

    /// The value as a line shows it.
    func text(_ core: ContextCore) -> String {
      switch self {
      case .first(let type, let index):
        return RawImage.transient(type._transientDefault(index)).text(core)
      case .text(let text): return text
      case .object(let id):
        let followed = id.followed(core.coordinator.ledger.provisional)
        return ObjectImage.shortName(of: followed, entity: core.coordinator.layout(followed))
      }
    }
  }

  /// - Parameter object: One that the caller may use.
  init(_ object: ManagedObject) {
    (state, id, reason) = (object.state, object.registeredID, object.extras?.error)
    if !state.isShown { return }
    let row = RowPointer(object.row)
    let changed = object.changedIndices
    // The elements of a composite attribute tell what it is.
    properties = object.layout.declaredProperties.filter { !$0.isComposite }.map { property in
      let was = changed.contains(property.index) ? object.extras?.edits.committed?.row : nil
      return Property(
        name: property.name, value: Self.value(of: object, at: property, in: row),
        was: was.map { Self.stored(in: $0, at: property, owner: id) })
    }
  }

  private static func value(
    of object: ManagedObject, at property: PropertyLayout, in row: RowPointer
  ) -> Shown {
    switch property.kind {
    case .attribute, .toOne: stored(in: row, at: property, owner: object.registeredID)
    case .toMany:
      .text(object.extras?.toMany[property.index].map { "\($0.keys.count)" } ?? "not read")
    case .transient:
      object.extras?.transient[property.index].map(transient)
        ?? .first(type(of: object), property.index)
    }
  }

  private static func stored(
    in row: RowPointer, at property: PropertyLayout, owner: ManagedObjectID
  ) -> Shown {
    if let type = property.attributeType { return .text(row.shown(property.index, as: type)) }
    guard let destination = property.destination, !row.isNull(property.index) else {
      return .text("nil")
    }
    let number =
      property.entitySlot.map { Int32(truncatingIfNeeded: row.slot($0)) }
      ?? destination.entity.number
    return .object(
      ManagedObjectID(
        key: row.slot(property.index), entityNumber: number, storeNumber: owner.storeNumber))
  }

  /// A transient value; of what may be anything no more than its type, as its own text might run code.
  private static func transient(_ value: Any?) -> Shown {
    guard let value, !TransformableCoding.isNil(value) else { return .text("nil") }
    switch value {
    case let object as ManagedObject: return .object(object.registeredID)
    case let text as String: return .text(text.shortened)
    case let number as any BinaryInteger: return .text("\(number)")
    case let number as Double: return .text("\(number)")
    case let truth as Bool: return .text("\(truth)")
    case let date as Date: return .text("\(date)")
    default: return .text("\(type(of: value))")
    }
  }
}

extension RowPointer {
  /// An attribute's value as one line shows it: long texts are cut, and of bytes there is the number.
  /// - Complexity: O(1), however long the value is.
  func shown(_ index: Int, as type: AttributeType) -> String {
    if isNull(index) { return "nil" }
    switch type {
    case .integer16, .integer32, .integer64: return "\(slot(index))"
    case .boolean: return slot(index) == 0 ? "false" : "true"
    case .double: return "\(real(index))"
    case .float: return "\(Float(real(index)))"
    case .date: return Self.shown(seconds: real(index))
    case .string, .uri: return beginning(index).shortened
    case .decimal: return beginning(index)
    case .uuid: return uuid(index)
    case .binary, .transformable, .composite, .undefined:
      let count = bytes(index).count
      return count == 1 ? "1 byte" : "\(count) bytes"
    }
  }

  /// The first characters of a text, of which no more than a line needs.
  private func beginning(_ index: Int) -> String {
    String(decoding: bytes(index).prefix(1_000), as: UTF8.self)
  }

  /// The date; seconds where they are none that a calendar knows.
  private static func shown(seconds: Double) -> String {
    guard seconds.magnitude < 1e11 else { return "\(seconds) s" }
    return "\(Date(timeIntervalSinceReferenceDate: seconds))"
  }

  private func uuid(_ index: Int) -> String {
    let bytes = bytes(index)
    guard bytes.count == 16 else { return "\(bytes.count) bytes" }
    return "\(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))"
  }
}

extension String {
  /// The text in quotes, on one line, and cut where it is long.
  var shortened: String {
    let beginning = prefix(40)
    let isWhole = beginning.endIndex == endIndex
    return String(beginning).debugDescription + (isWhole ? "" : "…")
  }
}

extension AttributeScalar {
  /// The value as one line shows it; long ones are cut.
  package var debugText: String {
    switch self {
    case .null: "nil"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): text.shortened
    case .blob(let data): data.count == 1 ? "1 byte" : "\(data.count) bytes"
    }
  }
}

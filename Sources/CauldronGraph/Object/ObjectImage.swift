import CauldronLedger
import CauldronModel
import CauldronStore

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

import CauldronArchive
import CauldronLedger
import CauldronModel
import Foundation

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
    properties = object.layout.declaredProperties.map { property in
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

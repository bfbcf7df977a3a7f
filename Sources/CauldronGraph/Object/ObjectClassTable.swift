import CauldronLedger
import CauldronModel

/// The class of each entity's objects, by entity number.
///
/// `@unchecked Sendable` because class metadata never changes.
package final class ObjectClassTable: @unchecked Sendable {
  private let classes: [ManagedObject.Type]
  private let numbers: [ObjectIdentifier: Int32]
  private let hooks: [_ObjectHooks]
  /// What any class overrides.
  package let allHooks: _ObjectHooks

  init(_ model: ManagedObjectModel) {
    classes = model.layouts.map {
      $0.description.managedObjectClass?.type as? ManagedObject.Type ?? ManagedObject.self
    }
    hooks = classes.map { $0._hooks }
    allHooks = hooks.reduce([]) { $0.union($1) }
    var numbers: [ObjectIdentifier: Int32] = [:]
    for (type, layout) in zip(classes, model.layouts) where type != ManagedObject.self {
      numbers[ObjectIdentifier(type)] = layout.number
    }
    self.numbers = numbers
  }

  func type(_ layout: EntityLayout) -> ManagedObject.Type { classes[Int(layout.number) - 1] }

  /// What the class of an entity's objects overrides of their life cycle.
  package func hooks(_ number: Int32) -> _ObjectHooks { hooks[Int(number) - 1] }

  /// Whether the class of an entity's objects validates them by code of its own.
  package func validates(_ number: Int32) -> Bool { hooks(number).contains(.validation) }

  /// Whether a class validates its objects by code of its own.
  package var anyValidates: Bool { allHooks.contains(.validation) }

  func number(_ type: ManagedObject.Type) -> Int32? { numbers[ObjectIdentifier(type)] }

  /// The layout of a class's entity; nil for a class that is not in the model.
  func layout(of type: ManagedObject.Type, in model: ManagedObjectModel) -> EntityLayout? {
    number(type).flatMap { model.layout(number: $0) }
  }

  /// Whether a class only inherits the name of an entity, because nobody marked it `@Entity`.
  func onlyInherits(_ type: ManagedObject.Type, of layout: EntityLayout) -> Bool {
    let owner = self.type(layout)
    var step: AnyClass? = _getSuperclass(type)
    while let superclass = step, superclass != owner { step = _getSuperclass(superclass) }
    return step != nil && owner != ManagedObject.self
  }
}

/// Which functions of its life cycle a class overrides; the `@Entity` macro sees it.
///
/// So a save of many objects, or a fetch, calls nothing of classes that override nothing.
public struct _ObjectHooks: OptionSet, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// `validate(_:for:)`, `validateForInsert()`, `validateForUpdate()` or `validateForDelete()`.
  public static var validation: _ObjectHooks { _ObjectHooks(rawValue: 1) }
  public static var awakeFromInsert: _ObjectHooks { _ObjectHooks(rawValue: 2) }
  public static var awakeFromFetch: _ObjectHooks { _ObjectHooks(rawValue: 4) }
  public static var awakeFromSnapshotEvents: _ObjectHooks { _ObjectHooks(rawValue: 8) }
  public static var willSave: _ObjectHooks { _ObjectHooks(rawValue: 16) }
  public static var didSave: _ObjectHooks { _ObjectHooks(rawValue: 32) }
  public static var prepareForDeletion: _ObjectHooks { _ObjectHooks(rawValue: 64) }
  /// `willTurnIntoFault()` or `didTurnIntoFault()`.
  public static var turnIntoFault: _ObjectHooks { _ObjectHooks(rawValue: 128) }
  /// `shouldImport(_:)`, `willImport(_:)` or `didImport(_:)`.
  public static var importing: _ObjectHooks { _ObjectHooks(rawValue: 256) }
  /// What a class may override of which nobody has looked.
  public static var all: _ObjectHooks { _ObjectHooks(rawValue: 511) }
}

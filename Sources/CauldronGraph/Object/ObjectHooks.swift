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

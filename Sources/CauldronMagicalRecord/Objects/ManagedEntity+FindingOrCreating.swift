public import Cauldron
import Foundation

extension ManagedEntity {
  /// The first object with a value; where there is none, a new one that has it.
  ///
  /// Where the attribute is unique, there is never a second one; elsewhere two contexts that ask at once
  /// make two, as before. An error is reported, and an object made that may lack the value.
  @available(*, deprecated, message: "use 'findOrCreate(\\.name, \"jack\", in: context)'")
  @discardableResult
  public static func mr_findFirstOrCreate(
    byAttribute attribute: String, withValue value: Any?, in context: some ObjectContext
  ) -> Self {
    let owner = context.managedObjectContext
    let found = MagicalRecord.attempt(in: owner) {
      let request = try oldRequest(equality(attribute, value))
      return try unique(request, in: context) ?? context.fetchFirst(request)
    }
    if let found = found ?? nil { return found }
    let made = create(in: owner)
    if made.entity.properties.contains(where: { $0.name == attribute }) {
      MagicalRecord.attempt(in: owner) {
        try made.setValue(FormatValue.plain(value), forKey: attribute)
      }
    }
    return made
  }

  /// The first object of the default context with a value; where there is none, a new one that has it.
  @available(*, deprecated, message: "use 'findOrCreate(\\.name, \"jack\")'")
  @MainActor @discardableResult
  public static func mr_findFirstOrCreate(
    byAttribute attribute: String, withValue value: Any?
  ) -> Self {
    mr_findFirstOrCreate(
      byAttribute: attribute, withValue: value, in: ManagedObjectContext.default)
  }

  /// The object with a value of a unique attribute, found or created; nil where it is not unique.
  private static func unique(
    _ request: FetchRequest<Self>, in context: some ObjectContext
  ) throws -> Self? {
    guard case .comparison(.property(let path), .equal, .value(let scalar), _)? = request.predicate
    else { return nil }
    do {
      return try context.findOrCreateObject(Self.self, [(path.text, scalar)])
    } catch let error as CauldronError where error.code == .queryUnsupported {
      return nil
    }
  }
}

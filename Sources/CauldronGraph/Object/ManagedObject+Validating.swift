package import CauldronModel
package import CauldronStore

extension ManagedObject {
  /// The kind of unsaved change to be validated; nil for an object that is clean or gone, or whose class
  /// has no validation of its own.
  package var validatedKind: RowChange.Kind? {
    if isGone || !validates { return nil }
    return state.validatedKind ?? (isTouched ? .update : nil)
  }

  /// Whether the class validates its objects by code of its own.
  var validates: Bool {
    core._withUnsafeGuaranteedRef { core in
      core.place.unretained.classes._withUnsafeGuaranteedRef { $0.validates(entityNumber) }
    }
  }

  /// What the object's own code says against it.
  /// - Parameter changed: The properties to be looked at; nil for those that the context has changed.
  package func validationErrors(of kind: RowChange.Kind, changed: [String]?) -> [CauldronError] {
    var errors: [CauldronError] = []
    func run(_ hook: String, property: String?, body: () throws -> Void) {
      do {
        try core._withUnsafeGuaranteedRef {
          try $0.hooks.run(hook, of: self, isOfSave: true, body: body)
        }
      } catch {
        errors += CauldronError.refused(error, by: hook, of: self, property: property)
      }
    }
    if kind == .deletion {
      run("validateForDelete()", property: nil, body: validateForDelete)
      return errors
    }
    let isInserted = kind == .insertion
    for name in changed ?? (isInserted ? validatedProperties : changedProperties) {
      run("validate(_:for:)", property: name) { try validate(value(forKey: name), for: name) }
    }
    if isInserted {
      run("validateForInsert()", property: nil, body: validateForInsert)
    } else {
      run("validateForUpdate()", property: nil, body: validateForUpdate)
    }
    return errors
  }

  /// All but the to-many relationships, which would have to be read.
  private var validatedProperties: [String] {
    layout.declaredProperties.filter { $0.kind != .toMany }.map(\.name)
  }
}

extension CauldronError {
  /// What an object's own code says against it, each problem by itself. The text of a foreign error may
  /// hold values, so that only its type is told.
  /// - Parameter property: Nil where the object as a whole was looked at.
  fileprivate static func refused(
    _ error: any Error, by hook: String, of object: ManagedObject, property: String?
  ) -> [CauldronError] {
    let name = ([object.layout.name] + (property.map { [$0] } ?? [])).joined(separator: ".")
    let own =
      error as? CauldronError
      ?? CauldronError(
        .validationFailed, "\(name) is refused by \(hook), which throws \(type(of: error))."
      ).with { $0.underlying = error }
    return own.single.map { problem in
      problem.with {
        if $0.entity == nil { $0.entity = object.layout.name }
        if $0.property == nil { $0.property = property }
        if $0.objectIDs.isEmpty { $0.objectIDs = [object.objectID] }
      }
    }
  }

  /// What an error for several problems consists of; the error itself where it is for one.
  private var single: [CauldronError] {
    code == .validationMultiple && !details.isEmpty ? details.flatMap(\.single) : [self]
  }
}

import CauldronModel
import CauldronStore

extension ManagedObject {
  /// The kind of unsaved change to be validated; nil for an object that is clean or gone, or whose class
  /// has no validation of its own.
  var validatedKind: RowChange.Kind? {
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
  func validationErrors(of kind: RowChange.Kind, changed: [String]?) -> [CauldronError] {
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
    layout.properties.filter { $0.kind != .toMany }.map(\.name)
  }
}

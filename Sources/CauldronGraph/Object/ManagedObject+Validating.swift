import CauldronModel

extension ManagedObject {
  /// What is to be validated: the deletion, the insertion or the update; empty for what is clean or
  /// gone, or where the class has nothing to say.
  var phase: ObjectState {
    if state.contains(.gone) || !validates { return [] }
    return [.deleted, .inserted, .updated].first { state.contains($0) } ?? []
  }

  /// Whether the class validates its objects by code of its own.
  var validates: Bool {
    core._withUnsafeGuaranteedRef { core in
      core.place.unretained.classes._withUnsafeGuaranteedRef { $0.validates(entityNumber) }
    }
  }

  /// What the object's own code says against it.
  /// - Parameter changed: The properties to be looked at; nil for those that the context has changed.
  func validationErrors(_ phase: ObjectState, changed: [String]?) -> [CauldronError] {
    var errors: [CauldronError] = []
    func run(_ hook: String, _ property: String?, _ body: () throws -> Void) {
      do {
        try core._withUnsafeGuaranteedRef {
          try $0.run(hook, of: self, isOfSave: true, body)
        }
      } catch {
        errors += CauldronError.refused(error, by: hook, self, property)
      }
    }
    if phase == .deleted {
      run("validateForDelete()", nil, validateForDelete)
      return errors
    }
    let isInserted = phase == .inserted
    for name in changed ?? (isInserted ? validatedProperties : changedProperties) {
      run("validate(_:for:)", name) { try validate(value(forKey: name), for: name) }
    }
    if isInserted {
      run("validateForInsert()", nil, validateForInsert)
    } else {
      run("validateForUpdate()", nil, validateForUpdate)
    }
    return errors
  }

  /// All but the to-many relationships, which would have to be read.
  private var validatedProperties: [String] {
    layout.properties.filter { $0.kind != .toMany }.map(\.name)
  }
}

import CauldronModel

/// Finds what must not be saved: required values that are nil or NaN, and values that could not be
/// encoded.
enum Validation {
  /// Checks a context's own layers.
  ///
  /// A row that a later layer changed again is judged by its last state only.
  /// - Returns: Every problem, as one error; nil if there is none.
  /// - Complexity: O(changed rows), one comparison each where the entity has up to 32 properties.
  static func check(_ layers: [Layer], storeNumber: Int32) -> CauldronError? {
    // Only an incomplete row is looked up.
    lazy var chain = LayerChain(layers: layers)
    var problems: [CauldronError] = []
    var objects: Set<ManagedObjectID> = []
    for layer in layers {
      for set in layer.changes.entities {
        let required = set.entity.digest.required
        guard !required.isEmpty else { continue }
        if !set.insertedRows.areComplete {
          for row in set.inserted where !required.isComplete(row) {
            check(row, set.entity, chain, storeNumber, &problems, &objects)
          }
        }
        for update in set.updated where !required.isComplete(update.row) {
          check(update.row, set.entity, chain, storeNumber, &problems, &objects)
        }
      }
    }
    return summary(problems, objects)
  }

  private static func check(
    _ row: RowPointer, _ entity: EntityLayout, _ chain: LayerChain, _ storeNumber: Int32,
    _ problems: inout [CauldronError], _ objects: inout Set<ManagedObjectID>
  ) {
    let id = ManagedObjectID(
      key: row.key, entityNumber: entity.number, storeNumber: storeNumber)
    guard chain.newest(id)?.row == row else { return }
    objects.insert(id)
    for property in entity.properties where property.hasColumn {
      guard let problem = problem(row, property, entity) else { continue }
      problems.append(
        problem.with {
          $0.entity = entity.name
          $0.property = property.name
          $0.objectIDs = [id]
        })
    }
  }

  private static func problem(
    _ row: RowPointer, _ property: PropertyLayout, _ entity: EntityLayout
  ) -> CauldronError? {
    let name = "\(entity.name).\(property.name)"
    if row.isNull(property.index) {
      return property.isRequired ? CauldronError(.validationMissing, "\(name) is required.") : nil
    }
    switch property.doubt {
    case .nan:
      let number = row.real(property.index)
      return property.isRequired && number.isNaN ? noNumber(name) : nil
    case .nanText:
      return property.isRequired && row.isNaNText(property.index) ? noNumber(name) : nil
    case .unencodable:
      return UnencodableValue.reason(row.bytes(property.index)).map {
        CauldronError(
          .validationNotEncodable, "\(name) cannot be encoded as JSON: \($0)",
          hint: "Set a value that its type can encode.")
      }
    case .unstorable(let mark) where row.slot(property.index) == mark.slot:
      return CauldronError(
        .validationNotEncodable, "\(name) cannot be stored: \(mark.reason).",
        hint: "Set a value that can be kept.")
    case .unstorable, nil: return nil
    }
  }

  private static func noNumber(_ name: String) -> CauldronError {
    CauldronError(.validationMissing, "\(name) is required, and NaN is no value.")
  }

  private static func summary(
    _ problems: [CauldronError], _ objects: Set<ManagedObjectID>
  ) -> CauldronError? {
    guard problems.count > 1 else { return problems.first }
    let shown = problems.prefix(20).map(\.message).joined(separator: " ")
    let more = problems.count > 20 ? " … and \(problems.count - 20) more." : ""
    let count = objects.count == 1 ? "1 object" : "\(objects.count) objects"
    return CauldronError(
      .validationMultiple, "\(problems.count) problems in \(count): \(shown)\(more)"
    ).with {
      $0.details = problems
      $0.objectIDs = Array(objects)
    }
  }
}

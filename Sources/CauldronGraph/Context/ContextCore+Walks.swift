import CauldronModel

extension ContextCore {
  /// Forgets every walked to-many relationship; the next walk reads anew.
  /// - Complexity: O(registered objects); nothing where none was walked.
  func forgetAllWalks() {
    guard hasWalks else { return }
    hasWalks = false
    for object in identity.objects() { object.extras?.toMany = [:] }
  }

  /// Forgets the walked to-many relationships that changed references belong to.
  /// - Complexity: O(min(registered objects, changed rows)); nothing where none was walked.
  func forgetWalks(_ changes: EntityChanges) {
    guard hasWalks else { return }
    for property in changes.entity.digest.toOnes {
      guard let destination = property.destination else { continue }
      if identity.count < changes.count {
        for object in identity.objects() where object.layout.isKind(of: destination.entity) {
          object.extras?.toMany[destination.inverse] = nil
        }
      } else {
        forgetWalks(changes, property, destination)
      }
    }
  }

  private func forgetWalks(
    _ changes: EntityChanges, _ property: PropertyLayout, _ destination: PropertyLayout.Destination
  ) {
    let root = destination.entity.root.number
    func forget(_ row: RowPointer) {
      guard !row.isNull(property.index) else { return }
      identity.object(row.slot(property.index), root: root)?
        .extras?.toMany[destination.inverse] = nil
    }
    changes.inserted.forEach(forget)
    for update in changes.updated where update.changed.contains(property.index) {
      forget(update.base)
      forget(update.row)
    }
    for deletion in changes.deleted { forget(deletion.base) }
  }
}

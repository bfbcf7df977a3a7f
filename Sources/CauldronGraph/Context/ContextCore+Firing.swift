import CauldronModel

extension ContextCore {
  /// Reads the row of a fault.
  @usableFromInline
  package func fire(_ object: ManagedObject) {
    do {
      try load(object)
    } catch {
      object.note(unread: error)
    }
  }

  /// Reads the row of a fault, or throws why it cannot be read.
  func load(_ object: ManagedObject) throws {
    guard object.state.contains(.fault) else {
      if object.state.contains(.unread) { try readAgain(object) }
      return
    }
    guard let row = try row(of: object) else {
      object.state.subtract(.fault)
      object.vanish()
      object.move(to: object.layout.zero.row)
      throw CauldronError.notFound(object)
    }
    object.revive()
    object.show(row.row)
    object.state.subtract([.fault, .unread])
  }
}

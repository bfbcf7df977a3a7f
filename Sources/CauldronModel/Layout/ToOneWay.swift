/// Where a to-one relationship leads, in a form that copies nothing.
package struct ToOneWay: Sendable {
  /// The number of the destination's root entity.
  package let root: Int32
  /// The number of the destination, for a relationship that names no entity in the row; 0 for a property
  /// that is none.
  package let number: Int32
  /// The slot with the number of the destination's entity; -1 where there is none.
  package let slot: Int32

  init(_ property: PropertyLayout) {
    let destination = property.kind == .toOne ? property.destination?.entity : nil
    root = destination?.rootNumber ?? 0
    number = destination?.number ?? 0
    slot = Int32(property.entitySlot ?? -1)
  }
}

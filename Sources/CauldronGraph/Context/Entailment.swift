import CauldronModel

/// What the deletion of an object has done to another one.
enum Entailment {
  /// It was deleted, too.
  case deleted(ManagedObjectID)
  /// A to-one reference of it, the property with an index, was made nil.
  case nullified(ManagedObjectID, Int)
}

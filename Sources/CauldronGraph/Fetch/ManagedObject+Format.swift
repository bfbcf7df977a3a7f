package import CauldronModel

/// Objects are arguments of format strings by their IDs.
extension ManagedObject: FormatObject {
  package var formatObjectID: ManagedObjectID { objectID }
}

/// So are those of a relationship, several at once.
extension ToMany: FormatObjects {
  package var formatObjectIDs: [ManagedObjectID] { map(\.objectID) }
}

package import CauldronModel
import CauldronQuery

/// The objects of a relationship are an argument of format strings by their IDs, several at once.
extension ToMany: FormatObjects {
  package var formatObjectIDs: [ManagedObjectID] { map(\.objectID) }
}

package import CauldronModel
import CauldronQuery

/// Objects are arguments of format strings by their IDs.
extension ManagedObject: FormatObject {
  package var formatObjectID: ManagedObjectID { objectID }
}

import CauldronModel

/// A link that was made to an object of which nothing but the key is known, or that could not be made yet.
struct Waiting {
  /// The object in whose record the link is.
  let owner: ManagedObjectID
  /// The numbers of its plan and of the relationship in that.
  let plan: Int
  let relationship: Int
  let record: Int
  /// What leads to the link in the record.
  let path: String
}

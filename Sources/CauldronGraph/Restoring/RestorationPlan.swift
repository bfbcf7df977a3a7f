import CauldronModel

/// How objects come back; made before anything is changed.
struct RestorationPlan {
  enum Return {
    /// The object's deletion is not saved, and is dropped; so are its other changes, which are then made
    /// again, unless others have built on them.
    case revival(ManagedObject, keepsEdits: Bool)
    /// It is created anew.
    case creation
    /// It is there again, because somebody has dropped the deletion.
    case none
  }

  var returns: [ManagedObjectID: Return] = [:]

  /// What is led to and comes back only when more is undone.
  var late: Set<ManagedObjectID> = []
}

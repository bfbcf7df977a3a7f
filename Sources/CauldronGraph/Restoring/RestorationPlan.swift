import CauldronModel

/// How objects come back; made before anything is changed.
struct RestorationPlan {
  enum Return {
    /// The object's deletion is not saved, and is dropped.
    case revival(ManagedObject)
    /// It is created anew.
    case creation
    /// It is there again, because somebody has dropped the deletion.
    case none
  }

  var returns: [ManagedObjectID: Return] = [:]

  /// What is led to and comes back only when more is undone.
  var late: Set<ManagedObjectID> = []
}

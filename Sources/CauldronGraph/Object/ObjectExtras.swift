import CauldronModel

/// What only objects that were edited, walked or observed or could not be read need.
package final class ObjectExtras {
  /// The rows of the object's edits.
  @exclusivity(unchecked) package var edits = ObjectEdits()
  /// The consequences of the object's deletion, so that it can be taken back as a whole.
  var entailed: [Entailment] = []
  /// The to-many relationships that were walked: the objects' IDs, by property index.
  var toMany: [Int: ToManyCache] = [:]
  /// Whether a relationship that is not among the walked ones may lead somewhere though the object is new and
  /// was not published: it was walked and forgotten, or led to by a restoration.
  var hasUnknownLists = false
  /// The values of transient properties.
  @exclusivity(unchecked) package var transient: [Int: Any] = [:]
  /// The properties that are observed, as long as they are.
  var observed: [ObservedCell.Place] = []
  /// Why the row could not be read.
  var error: CauldronError?
}

extension ObjectExtras {
  /// Forgets what was walked of a to-many relationship.
  func forgetWalk(of index: Int) {
    if toMany.removeValue(forKey: index) != nil { hasUnknownLists = true }
  }

  /// Has a to-many relationship be read anew, whether it was walked or not.
  package func forgetList(_ index: Int) {
    toMany[index] = nil
    hasUnknownLists = true
  }

  /// Forgets every walked to-many relationship.
  func forgetWalks() {
    if toMany.isEmpty { return }
    toMany = [:]
    hasUnknownLists = true
  }

  /// Nothing that the running event did not do is unsaved any more.
  func forgetEdits() {
    edits.settle()
    entailed = []
  }

  /// Nothing of the object is unsaved any more.
  package func revertEdits() {
    forgetEdits()
    edits.publish()
  }
}

import CauldronModel
import CauldronStore

/// A change that was made, as something to take back or to make again.
struct UndoStep {
  let changes: ChangeSet
  /// Whether what was done is the reversal of the changes, and not the changes themselves.
  let isReversal: Bool

  /// What takes it back.
  var reversed: UndoStep { UndoStep(changes: changes, isReversal: !isReversal) }
}

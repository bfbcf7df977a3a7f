/// One of the rules by which a layer is made acceptable to its receiver.
///
/// A rule keeps nothing: it reads the layer and the receiver, and notes in the draft what it decides.
protocol PushRule {
  var draft: PushDraft { get }
}

extension PushRule {
  var receiver: PushReceiver { draft.receiver }
  var coordinator: PersistentStoreCoordinator { draft.receiver.coordinator }
  var policy: MergePolicy { draft.policy }
}

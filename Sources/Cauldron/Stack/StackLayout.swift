/// How the contexts of a stack hang together: the four stacks that people compare.
public enum StackLayout: Sendable, Hashable, CaseIterable {
  /// A: one main context on the store. For small programs; everything runs on the main queue.
  case single
  /// B: the main context and background contexts side by side on the store; each takes in what the
  /// others save. For the least overhead.
  case siblings
  /// C: the main context on the store, background contexts as its children. A save to disk runs on
  /// the main queue.
  case mainParent
  /// D, the default: a private root context on the store, the main context as its child, and
  /// background contexts below. Nothing but the root touches the disk.
  case writerRoot
}

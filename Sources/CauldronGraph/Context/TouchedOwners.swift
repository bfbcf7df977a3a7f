import CauldronLedger
import CauldronModel

/// The objects whose to-many relationships alone a context has changed, from whichever side: they are touched.
///
/// Nothing is kept of that: it is read from the unsaved references, so that it ends where these end as they
/// began, and is undone, discarded and saved with them.
package struct TouchedOwners {
  private let core: ContextCore

  package init(_ core: ContextCore) { self.core = core }

  /// All of them that the context has, in the order of entities and keys.
  /// - Complexity: O(unsaved objects).
  var all: [ManagedObject] { owners { _ in true } }

  /// Those whose class overrides a hook.
  /// - Complexity: O(unsaved objects); nothing where no class with to-many relationships overrides the hook.
  package func overriding(_ hook: _ObjectHooks) -> [ManagedObject] {
    guard anyOwnerOverrides(hook) else { return [] }
    return owners { core.hooks.of($0).contains(hook) }
  }

  private func owners(_ isWanted: (ManagedObject) -> Bool) -> [ManagedObject] {
    if core.pending.objects.isEmpty, core.event.objects.isEmpty { return [] }
    return core.drafts.unsavedOwners
      .compactMap { core.registry.object($0.key, root: $0.root) }
      .filter { isWanted($0) && $0.isTouched }
  }

  /// Whether a class with to-many relationships overrides a hook.
  private func anyOwnerOverrides(_ hook: _ObjectHooks) -> Bool {
    let classes = core.coordinator.classes
    return classes.allHooks.contains(hook)
      && core.coordinator.managedObjectModel.entityLayouts.contains { layout in
        classes.hooks(layout.number).contains(hook)
          && layout.digest.relationships.contains { $0.kind == .toMany }
      }
  }
}

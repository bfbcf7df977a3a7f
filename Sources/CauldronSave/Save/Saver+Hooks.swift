import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore

// Objects are told of the save of each level that has them: where they were changed, and above.
extension Saver {
  /// Calls `willSave` on every unsaved object and on those that children have changed, again where that
  /// changed something, and ends the event in between.
  /// - Complexity: Nothing where no class overrides it; else O(unsaved objects, and those that the context
  ///   has of what children have brought).
  func runWillSave() throws(CauldronError) {
    core.publisher.publish()
    guard coordinator.classes.allHooks.contains(.willSave) else { return }
    core.undoManager?.isSaving = true
    defer { core.undoManager?.isSaving = false }
    let outer = event.beginRecord()
    var told: [ManagedObject] = []
    defer {
      event.endRecord(outer)
      told.forEachUnretained { $1.change { $0.endSaving() } }
    }
    let own = core.pending.objects.filter {
      core.hooks.of($0).contains(.willSave) && !$0.isGone && $0.isUnsaved
    }
    var waiting = own + brought(coordinator.ledger.layers(of: node), overriding: .willSave)
    waiting += TouchedOwners(core).overriding(.willSave)
    for _ in 0..<EventState.mostRounds {
      guard !waiting.isEmpty else { return }
      for object in waiting where !object.isSaving {
        object.change { $0.beginSaving() }
        told.append(object)
        core.hooks.run("willSave()", of: object, isOfSave: true) { object.willSave() }
      }
      core.publisher.publish()
      // What a hook has changed is told once more, so that it can look at the new values; and so is
      // what a deletion has taken along.
      waiting = event.takeRecord().filter {
        $0.isListed && core.hooks.of($0).contains(.willSave)
      }
      waiting.forEachUnretained { $1.change { $0.endSaving() } }
      // Those that were told are marked.
      waiting += TouchedOwners(core).overriding(.willSave).filter { !$0.isSaving }
    }
    throw .endlessWillSave(waiting, in: core.name)
  }

  /// Calls `didSave` on objects that were saved.
  /// - Parameters:
  ///   - own: Those that the context has changed and whose class overrides it.
  ///   - touched: The owners of which it has changed to-many relationships alone; some may be unsaved still.
  func runDidSave(_ own: [ManagedObject], touched: [ManagedObject], handedOn: [Layer]) {
    guard coordinator.classes.allHooks.contains(.didSave) else { return }
    let own = own + touched.filter { !$0.isTouched }
    var known = Set(own.map(ObjectIdentifier.init))
    let others = brought(handedOn, overriding: .didSave).filter {
      known.insert(ObjectIdentifier($0)).inserted
    }
    for object in own + others {
      core.hooks.run("didSave()", of: object, isOfSave: true) { object.didSave() }
    }
  }

  /// The objects of this context that children have changed and whose class overrides a hook, each once.
  private func brought(_ layers: [Layer], overriding hook: _ObjectHooks) -> [ManagedObject] {
    guard core.registry.count > 0 else { return [] }
    var known: Set<ObjectIdentifier> = []
    var result: [ManagedObject] = []
    for layer in layers where layer.origin !== node {
      for set in layer.changes.entities
      where coordinator.classes.hooks(set.entity.number).contains(hook) {
        for (object, _) in core.registry.objects(touchedBy: set)
        where event.isAsked(object) && known.insert(ObjectIdentifier(object)).inserted {
          result.append(object)
        }
      }
    }
    return result
  }
}

extension CauldronError {
  fileprivate static func endlessWillSave(
    _ objects: [ManagedObject], in context: String
  ) -> CauldronError {
    let names = objects.prefix(3).map { "\($0.layout.name) \(ObjectNames.name($0.key))" }
    let more = objects.count > 3 ? " and \(objects.count - 3) more" : ""
    return CauldronError(
      .validationFailed,
      "Cannot save \"\(context)\": willSave() still changes \(names.joined(separator: ", "))\(more)"
        + " after \(EventState.mostRounds) rounds.",
      hint: "Set a value in willSave() only if it differs from what the object has."
    ).with {
      $0.entity = objects.first?.layout.name
      $0.objectIDs = objects.prefix(3).map(\.objectID)
    }
  }
}

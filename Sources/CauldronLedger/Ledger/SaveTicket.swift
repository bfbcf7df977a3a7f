package import CauldronModel
package import Logging

/// Tells what became of the changes of one save, once they are written, refused or discarded.
package final class SaveTicket: Sendable {
  /// What became of a save's changes.
  package enum Result: Sendable {
    /// They are on disk; written by the save with this number.
    case committed(by: UInt64)
    /// They were given back to the context that saved them.
    case failed(CauldronError)
  }

  /// The number of the save.
  package let saveID: UInt64
  /// What decides about the save's conflicts at every level; nil for what each level's context says.
  package let mergePolicy: MergePolicy?
  /// The numbers of the unique keys, by root entity, by which new objects become others whatever they were asked
  /// for by; nil for all of them.
  package let joinable: [Int32: Set<Int>]?
  package let label: SaveLabel
  /// Whether the save goes no further than the parent: then whoever carries the changes on answers for
  /// them, and otherwise the save itself.
  package let endsAtParent: Bool
  /// What is to be done again where the save fails, such as `run the block again`, because its context ends with
  /// it; nil where the context keeps its changes and can be saved again.
  package let again: String?
  /// Whether its block runs again after a conflict.
  package let isRepeated: Bool
  private let state = Locked<State>(State())

  /// The save, as errors name it.
  package var party: SaveParty {
    SaveParty(saveID: saveID, contextName: label.contextName, name: label.name)
  }

  private struct State {
    var open = 0
    var last: Result?
    var failure: CauldronError?
    var resolutions: [SaveResolution] = []
  }

  package init(
    saveID: UInt64, mergePolicy: MergePolicy? = nil, label: SaveLabel, endsAtParent: Bool = false,
    again: String? = nil, isRepeated: Bool = false, joinable: [Int32: Set<Int>]? = nil
  ) {
    self.again = again
    self.isRepeated = isRepeated
    self.joinable = joinable
    self.saveID = saveID
    self.endsAtParent = endsAtParent
    self.mergePolicy = mergePolicy
    self.label = label
  }

  /// Announces one more layer of the save.
  package func expect() { state.withLock { $0.open += 1 } }

  /// Records what became of one layer.
  package func resolve(_ result: Result) {
    state.withLock { state in
      state.open -= 1
      state.last = result
      if case .failed(let error) = result, state.failure == nil { state.failure = error }
    }
  }

  /// The first failure, or how the last layer was written; nil while a layer is on its way or if
  /// there was none.
  package var result: Result? {
    state.withLock { state in
      if let failure = state.failure { return .failed(failure) }
      return state.open == 0 ? state.last : nil
    }
  }

  /// Records what policies have made of the save's changes.
  package func note(_ resolutions: [SaveResolution]) {
    state.withLock { $0.resolutions += resolutions }
  }

  /// What policies have made of the save's changes, at all levels.
  package var resolutions: [SaveResolution] { state.withLock { $0.resolutions } }

  /// Why the first layer that failed did so.
  package var failure: CauldronError? { state.withLock { $0.failure } }

  /// How the log tells an error: one after which the block runs again is none of the program's.
  package func logLevel(of error: CauldronError) -> Logger.Level {
    isRepeated && error.mayPass ? .notice : .error
  }

  /// Whether a layer is still on its way.
  package var isOpen: Bool { state.withLock { $0.open > 0 } }
}

/// What a save is called in logs and errors; its texts are made only where they are shown.
package struct SaveLabel: Sendable {
  /// The name of the context that was saved.
  package let contextName: String
  /// What the program calls the save, if anything.
  package let givenName: String?
  package let callSite: CallSite?

  package init(contextName: String, givenName: String?, callSite: CallSite?) {
    self.contextName = contextName
    self.givenName = givenName
    self.callSite = callSite
  }

  /// What the save is called: what the program says, or else the line that asked for it.
  package var name: String { givenName ?? callSite?.description ?? "" }

  /// The same save, for what another context has added to it.
  package func at(_ contextName: String) -> SaveLabel {
    SaveLabel(contextName: contextName, givenName: givenName, callSite: callSite)
  }
}

/// Where a save was asked for.
package struct CallSite: CustomStringConvertible {
  private let file: String
  private let line: Int

  package init(_ file: String, _ line: Int) {
    self.file = file
    self.line = line
  }

  package var description: String { "\(file):\(line)" }
}

/// What became of a push.
package struct PushOutcome {
  /// The layers that are in the parent now.
  package var accepted: [Layer] = []
  /// Those of them that were combined with what came in meanwhile, as they were before.
  package var adapted: [Layer] = []
  /// Those of them that lie on other rows than they were made from, as they were before, and as they are.
  package var remade: [(was: Layer, now: Layer)] = []
  /// New objects that turned out to be others.
  package var exchanges: [ProvisionalKeys.Exchange] = []
  /// What policies have decided, for the saves that it concerns.
  package var resolutions: [(SaveTicket, [SaveResolution])] = []
  /// Own layers that were refused and stay where they are.
  package var refused: [(Layer, CauldronError)] = []
  /// What these do not change any more, as newer layers have.
  package var losses: [LeftBehind.Loss] = []
  /// Layers of others that were refused and go back to where they came from.
  package var returned: [(Layer, CauldronError)] = []

  /// - Parameters:
  ///   - isNoticed: Whether objects that have the layer's values must look at what became of them.
  ///   - resolutions: What the merge policy has decided about it.
  package mutating func accept(
    _ checked: Layer, insteadOf layer: Layer, isNoticed: Bool, resolutions: [SaveResolution]
  ) {
    accepted.append(isFinal(resolutions, of: checked) ? checked : checked.decided(about: layer))
    if checked.changes !== layer.changes { remade.append((layer, checked)) }
    if isNoticed { adapted += layer.seen(as: checked) }
    if let ticket = checked.ticket, !resolutions.isEmpty {
      self.resolutions.append((ticket, resolutions))
    }
  }

  /// Whether the decisions of a policy stay if the changes are refused further up. A save that ends with the
  /// parent has ended by then; a new object that was merged into an existing one is merged in every context.
  private func isFinal(_ resolutions: [SaveResolution], of layer: Layer) -> Bool {
    resolutions.isEmpty || layer.ticket?.endsAtParent != false
      || resolutions.contains { $0.outcome == .becameExisting }
  }

  package mutating func refuse(_ layer: Layer, because error: CauldronError) {
    if layer.ticket == nil {
      refused.append((layer, error))
    } else {
      returned.append((layer, error))
    }
  }
}

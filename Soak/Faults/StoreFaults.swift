import CauldronModel

/// Decides which call of a store's method throws.
final class StoreFaults: Sendable {
  private struct State {
    var isArmed = false
    var failing = 0
    var lasts = false
    var calls = 0
    var injected = 0
  }

  private let method: StoreMethod
  let moment: StoreMoment
  private let state = Locked(State())

  init(_ method: StoreMethod, _ moment: StoreMoment) {
    self.method = method
    self.moment = moment
  }

  func arm(_ call: Int, lasts: Bool) {
    state.withLock { $0 = State(isArmed: true, failing: call, lasts: lasts) }
  }

  func disarm() { state.withLock { $0.isArmed = false } }

  var calls: Int { state.withLock { $0.calls } }
  var injected: Int { state.withLock { $0.injected } }

  /// When this call throws; nil for never.
  func next(_ method: StoreMethod) -> StoreMoment? {
    guard method == self.method else { return nil }
    return state.withLock { state in
      guard state.isArmed else { return nil }
      state.calls += 1
      guard state.failing > 0,
        state.calls == state.failing || state.lasts && state.calls > state.failing
      else { return nil }
      state.injected += 1
      return moment
    }
  }

  /// Runs a method, and throws before or after it if its turn has come.
  func around<R>(_ method: StoreMethod, _ body: () throws -> R) throws -> R {
    let moment = next(method)
    if moment == .before { throw Self.error(.before) }
    let result = try body()
    if moment == .after { throw Self.error(.after) }
    return result
  }

  static func error(_ moment: StoreMoment) -> CauldronError {
    CauldronError(moment.code, "A fault was injected (\(moment.rawValue)).")
  }
}

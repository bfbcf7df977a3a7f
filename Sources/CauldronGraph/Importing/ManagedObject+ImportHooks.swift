import CauldronLedger
package import CauldronModel
import Logging

extension ManagedObject {
  /// Runs a function of the class that an import calls: the context can neither be saved by it, nor be
  /// imported to.
  package final func runImportHook<Result>(
    _ hook: String, body: () throws -> Result
  ) throws -> Result {
    try core._withUnsafeGuaranteedRef { core in
      var result: Result?
      try core.hooks.run(hook, of: self, isOfImport: true) { result = try body() }
      guard let result else { throw CauldronError(.validationFailed, "\(hook) gave no answer.") }
      return result
    }
  }
}

extension ManagedObjectContext {
  /// Whether a hook of an import runs, which must not take away what other records have brought; that it has
  /// wanted to is logged.
  func isKeptByImport(_ what: String) -> Bool {
    guard let hook = core.event.hook, hook.isOfImport else { return false }
    core.coordinator.logger.error(
      "\"\(name)\" cannot be \(what) while \(hook) runs. Throw there to refuse the record."
    )
    return true
  }

  /// Looks whether something may be imported to the context.
  /// - Throws: Which hook of an import runs: what is imported within a record would stay where that is refused.
  package func importMayBegin() throws(CauldronError) {
    guard core.ownership.isCurrent, let hook = core.event.hook, hook.isOfImport else { return }
    throw CauldronError(
      .validationFailed, "Cannot import to \"\(name)\" while \(hook) runs.",
      hint: "Change objects there, or import afterwards.")
  }
}

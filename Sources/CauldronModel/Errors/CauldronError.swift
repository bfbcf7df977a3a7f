public import Foundation

/// What the world did wrong, in one line that names the thing and the remedy.
///
/// ```swift
/// do { try setupStack(storeURL: url) }
/// catch let error as CauldronError where error.code == .storeIncompatibleModel { … }
/// ```
public struct CauldronError: Error, Sendable {
  /// What went wrong; stable across releases.
  public let code: Code
  /// The sentence that says what was attempted and what is wrong with which thing.
  public let message: String
  /// What to do about it, in one sentence; empty where there is nothing to say.
  public package(set) var hint: String
  /// The entity concerned.
  public var entity: String?
  /// The property concerned.
  public var property: String?
  /// The objects concerned.
  public var objectIDs: [ManagedObjectID] = []
  /// The character of a format string where it cannot be read on, from 1; one more than there are at its
  /// end.
  public var position: Int?
  /// The file concerned.
  public var path: String?
  /// SQLite's extended result code.
  public var sqliteCode: Int32?
  /// The name of the context whose level of the chain failed.
  public var contextName: String?
  /// The save whose changes met a conflict.
  public var save: SaveParty?
  /// The save that made what the conflict is with; nil where that is not known, as with another
  /// process.
  public var otherSave: SaveParty?
  /// The versions that conflict, where the save met a conflict.
  public var conflicts: [MergeConflict] = []
  /// The single problems, where there are several; of very many the first hundred.
  public var details: [CauldronError] = []
  /// What the program's own code has thrown, where that is why.
  public var underlying: (any Error)?
  /// Whether nothing is wrong with the changes themselves, as far as is known: they touch what a
  /// change touched that has failed.
  package var isDependent = false

  /// Makes an error; the message is a full sentence.
  public init(_ code: Code, _ message: String, hint: String = "") {
    self.code = code
    self.message = message
    self.hint = hint
  }
}

extension CauldronError: CustomStringConvertible, LocalizedError {
  /// Message and hint on one line.
  public var description: String {
    let text = hint.isEmpty ? message : "\(message) \(hint)"
    return text.replacing("\n", with: " ")
  }

  /// Message and hint on one line.
  public var errorDescription: String? { description }
}

extension CauldronError {
  package static func modelInvalid(_ what: String) -> CauldronError {
    CauldronError(.modelInvalid, "Cannot build the model: \(what).")
  }

  /// Everything that was found wrong with a model; nil where there is nothing.
  package static func modelInvalid(_ findings: [String]) -> CauldronError? {
    guard findings.count > 1 else { return findings.first.map(modelInvalid) }
    let shown = findings.prefix(20).joined(separator: "; ")
    let more = findings.count > 20 ? "; … and \(findings.count - 20) more" : ""
    return modelInvalid("\(findings.count) problems: \(shown)\(more)").with {
      $0.details = findings.map(modelInvalid)
    }
  }

  /// The same error with more known about it.
  package func with(_ change: (inout CauldronError) -> Void) -> CauldronError {
    var copy = self
    change(&copy)
    return copy
  }
}

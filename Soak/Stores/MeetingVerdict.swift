import CauldronModel
import Foundation

/// What an operation on a damaged store came to.
struct MeetingVerdict {
  /// The kinds; all but the first three are findings.
  enum Kind: String, CaseIterable {
    /// It did what it was asked for.
    case answered
    /// It says in a typed error why not.
    case refused
    /// There was nothing to do, as after a store that cannot be opened.
    case passed
    /// The process ended.
    case trap
    /// The process stood still, and was ended.
    case hang
    /// The error is none of this library's.
    case untyped
    /// A message is too long, or on more than one line.
    case wordy
    /// It took too long.
    case slow
    /// It took too much memory.
    case large
    /// A file was changed that was only read, or by what has failed.
    case changed
    /// What was reported as done was not done, and nothing is told of it.
    case lie

    var isFinding: Bool { ![.answered, .refused, .passed].contains(self) }
  }

  var kind: Kind
  var detail = ""
  var seconds = 0.0
  var megabytes = 0

  init(_ kind: Kind, _ detail: String = "") {
    self.kind = kind
    self.detail = detail
  }

  /// What an error comes to.
  init(_ error: any Error) {
    guard let error = error as? CauldronError else {
      self.init(.untyped, "\(type(of: error)): \(error)")
      return
    }
    if let fault = Self.fault(error) {
      self.init(.wordy, "\(fault): \(error.message)")
    } else {
      self.init(.refused, "\(error.code.rawValue): \(error.message)")
    }
  }

  /// What is wrong with an error's message; nil where nothing is.
  static func fault(_ error: CauldronError) -> String? {
    if error.description.contains(where: \.isNewline) { return "several lines" }
    // A list is bounded by the number of its sentences.
    let longest = error.details.isEmpty ? 300 : 8_000
    if error.message.count > longest { return "\(error.message.count) characters" }
    if error.hint.count > 300 { return "a hint of \(error.hint.count) characters" }
    return error.details.lazy.compactMap(Self.fault).first
  }
}

extension MeetingVerdict: LosslessStringConvertible {
  /// One line: the kind, seconds, megabytes, and the detail.
  var description: String {
    let line = detail.replacing("\n", with: " ").replacing("\r", with: " ").prefix(400)
    return "\(kind.rawValue) \(seconds) \(megabytes) \(line)"
  }

  init?(_ description: String) {
    let parts = description.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let kind = Kind(rawValue: String(parts[0])) else { return nil }
    self.init(kind, String(parts[3]))
    seconds = Double(parts[1]) ?? 0
    megabytes = Int(parts[2]) ?? 0
  }
}

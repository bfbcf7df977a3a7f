import CauldronModel

/// An error as one line with a remedy.
struct ToolProblem: Encodable, CustomStringConvertible {
  let code: String
  let message: String
  let remedy: String

  init(_ error: any Error) {
    guard let error = error as? CauldronError else {
      code = "tool.failed"
      message = "\(error)".replacing("\n", with: " ")
      remedy = "Try again."
      return
    }
    code = error.code.rawValue
    message = error.message.replacing("\n", with: " ")
    let hint = error.hint.replacing("\n", with: " ")
    remedy = hint.isEmpty || error.code == .storeNoBackup ? Self.remedy(error.code) : hint
  }

  var description: String { "\(message) \(remedy) [\(code)]" }

  /// What to do where the library, which does not know who asks, has nothing to say.
  private static func remedy(_ code: CauldronError.Code) -> String {
    switch code {
    case .storeNotADatabase: "Check the path, or restore a copy with `cauldron restore`."
    case .storeForeignDatabase: "Check the path: other programs' databases are no stores."
    case .storeReadOnly:
      "Open it once with the program that wrote it, or look at a copy of all its files in a"
        + " directory that can be written."
    case .storeCannotOpen: "Check the path, and whether file and directory may be read."
    case .storeNoBackup: "Give the path of a copy; `cauldron backup` makes one."
    case .storeIO: "Look at the disk, and restore a copy with `cauldron restore` if it is damaged."
    default: code.rawValue.hasPrefix("query.") ? "Correct --where or --sort." : "Try again."
    }
  }
}

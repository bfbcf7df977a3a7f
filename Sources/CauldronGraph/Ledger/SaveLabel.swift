/// What a save is called in logs and errors; its texts are made only where they are shown.
struct SaveLabel: Sendable {
  /// The name of the context that was saved.
  let contextName: String
  /// What the program calls the save, if anything.
  let givenName: String?
  let callSite: CallSite?

  /// What the save is called: what the program says, or else the line that asked for it.
  var name: String { givenName ?? callSite?.description ?? "" }

  /// The same save, for what another context has added to it.
  func at(_ contextName: String) -> SaveLabel {
    SaveLabel(contextName: contextName, givenName: givenName, callSite: callSite)
  }
}

/// Where a save was asked for.
struct CallSite: CustomStringConvertible {
  private let file: String
  private let line: Int

  init(_ file: String, _ line: Int) {
    self.file = file
    self.line = line
  }

  var description: String { "\(file):\(line)" }
}

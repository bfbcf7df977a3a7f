import SwiftDiagnostics

/// What a fix-it says that it does.
struct Repair: FixItMessage {
  let message: String

  var fixItID: MessageID { MessageID(domain: "Cauldron", id: message) }
}

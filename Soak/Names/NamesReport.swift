import Cauldron
import Foundation

/// What somebody who asked for a name got, and saved: a line of a worker's output.
struct NamesReport: CustomStringConvertible {
  /// Who asked: 0 to 7.
  let asker: Int
  let name: String
  /// The last part of the object's URI.
  let key: String
  let token: String

  var description: String { "saved \(asker) \(name) \(key) \(token)" }

  init(_ asker: Int, _ object: Name) {
    self.asker = asker
    name = object.text ?? ""
    key = object.objectID.uriRepresentation.lastPathComponent
    token = object.token.uuidString.replacing("-", with: "")
  }

  init?(_ line: Substring) {
    let parts = line.split(separator: " ").map(String.init)
    guard parts.count == 5, parts[0] == "saved", let asker = Int(parts[1]) else { return nil }
    (self.asker, name, key, token) = (asker, parts[2], parts[3], parts[4])
  }
}

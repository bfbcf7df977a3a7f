import CauldronModel

/// Why a value cannot be what its property keeps.
struct Refusal: Error {
  let code: CauldronError.Code
  /// The sentence, without its place.
  let reason: String
  /// What code of the class has thrown.
  var underlying: (any Error)?
  /// The pointer that leads on from the place that is known.
  var path = ""
  /// Whether that place is the record.
  var isPlaced = false

  /// - Parameter what: The end of a sentence that begins with the value.
  init(_ value: JSONValue, _ what: String) {
    code = .importValue
    reason = "\(Self.shown(value)) \(what)"
  }

  /// Of two values under one name it is not known which is meant.
  init(twice name: [UInt8]) { self.init(twice: String(decoding: name, as: UTF8.self)) }

  init(twice name: String) {
    self.init(.importDuplicateKey, "an object has \"\(name)\" twice")
  }

  init(_ code: CauldronError.Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  /// The same, seen from further out.
  func under(_ pointer: String) -> Refusal {
    var copy = self
    copy.path = pointer + path
    return copy
  }

  /// A value, cut off where it is long; a single letter can be, by its accents.
  private static func shown(_ value: JSONValue) -> String {
    switch value.kind {
    case .array: return "an array"
    case .object: return "an object"
    default:
      let text = value.json()
      let scalars = text.unicodeScalars
      return scalars.count <= 60 ? text : "\(String(scalars.prefix(57)))…"
    }
  }
}

/// Why a request cannot be served, in one sentence for the page.
struct Refusal: Error, CustomStringConvertible {
  enum Kind {
    case wrong
    case forbidden
    case gone
    case tooLong
    /// What is stored, or is going on, does not allow it.
    case conflict
  }

  let description: String
  let kind: Kind

  init(_ description: String, _ kind: Kind = .wrong) {
    self.description = description
    self.kind = kind
  }
}

/// What an interleaving found; thrown, because what follows it means nothing.
struct Violation: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

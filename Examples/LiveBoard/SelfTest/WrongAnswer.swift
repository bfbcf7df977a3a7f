/// What is not as it was told.
struct WrongAnswer: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// What a context shows and the dictionaries do not; in one sentence.
struct GraphDifference: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Where in a file something stands, as a JSON pointer (RFC 6901).
struct ImportPointer {
  let text: String

  /// - Parameters:
  ///   - record: The record's number; nil where it is the whole text.
  ///   - path: The names and numbers that lead on.
  init(record: Int?, _ path: [String]) {
    let steps = (record.map { ["\($0)"] } ?? []) + path
    text = steps.map {
      "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1")
    }.joined()
  }

  /// - Parameter path: The names and numbers, with points between them.
  init(record: Int, path: String) {
    self.init(record: record, path.split(separator: ".").map(String.init))
  }
}

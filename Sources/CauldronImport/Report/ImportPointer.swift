/// Where in a file something stands, as a JSON pointer (RFC 6901).
struct ImportPointer {
  let text: String

  /// - Parameters:
  ///   - record: The record's number; nil where it is the whole text.
  ///   - path: The pointer that leads on.
  init(record: Int?, _ path: String) {
    text = (record.map { "/\($0)" } ?? "") + path
  }

  /// What leads to a name.
  static func step(_ name: String) -> String {
    // Few names have either.
    guard name.utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else { return "/" + name }
    return "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
  }
}

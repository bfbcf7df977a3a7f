/// The parts of a JSON pointer (RFC 6901), and of paths with points.
package enum ImportPointer {
  /// What leads to a name.
  static func step(_ name: String) -> String {
    // Few names have either.
    guard name.utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else { return "/" + name }
    return "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
  }

  /// The names of a path: a JSON pointer, which begins with a slash, or names with points between them.
  package static func names(_ path: String) -> [String] {
    guard path.hasPrefix("/") else {
      return path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
    return path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
  }
}

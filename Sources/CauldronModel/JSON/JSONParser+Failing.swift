extension JSONParser {
  func syntax(_ problem: String, _ index: Int) -> CauldronError {
    error(.importSyntax, problem, index, hint: "Nothing of what follows was read.")
  }

  /// The text ends before its value does.
  func early() -> CauldronError {
    let open = places.count
    let what = open == 0 ? "a value is missing" : "\(open) arrays and objects are open"
    return error(.importSyntax, "it ends too early, \(what)", 0, hint: "Send all of it.")
  }

  func duplicate(_ name: [UInt8], _ index: Int) -> CauldronError {
    let name = String(decoding: name, as: UTF8.self)
    return error(
      .importDuplicateKey, "an object has \"\(name)\" twice", index,
      hint: "Which of the two is meant nobody knows; leave one out.", name: name)
  }

  /// - Parameters:
  ///   - index: The byte of the running piece.
  ///   - name: The name of the innermost object that the problem is about; nil for the last that it has.
  func error(
    _ code: CauldronError.Code, _ problem: String, _ index: Int, hint: String, name: String? = nil
  ) -> CauldronError {
    let column = offset + index - lineStart + 1
    let pointer = pointer(name)
    let place = pointer.isEmpty ? "" : " (\(pointer))"
    return CauldronError(
      code, "Cannot read JSON at line \(line), column \(column)\(place): \(problem).", hint: hint)
  }

  /// Where the reading is, as a JSON pointer (RFC 6901).
  package var pointer: String { pointer(nil) }

  private func pointer(_ inner: String?) -> String {
    var parts: [String] = []
    for place in inner == nil ? places[...] : places.dropLast() {
      switch place.use {
      case .path(let depth): if place.isAtFollowed { parts.append(name(depth)) }
      case .records: if place.count > 0 { parts.append("\(place.count - 1)") }
      case .record:
        guard place.count > 0 else { continue }
        parts.append(place.isObject ? lastName(of: place) : "\(place.count - 1)")
      case .skipped: continue
      }
    }
    if let inner { parts.append(inner) }
    return parts.map {
      "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1")
    }.joined()
  }

  private func lastName(of place: JSONPlace) -> String {
    var (next, last) = (place.node + 1, place.node + 1)
    while next < tape.nodes.count {
      last = next
      guard next + 1 < tape.nodes.count else { break }
      let end = Int(tape.nodes[next + 1].end)
      // An open array or object ends where the tape does, as far as is known.
      let kind = tape.nodes[next + 1].kind
      if (kind == .array || kind == .object) && end == next + 2 && isOpen(next + 1) { break }
      next = end
    }
    return String(decoding: tape.text(last), as: UTF8.self)
  }

  private func isOpen(_ node: Int) -> Bool { places.contains { $0.node == node } }
}

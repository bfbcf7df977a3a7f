import CauldronGraph
import CauldronModel
import Foundation

extension Coercion {
  /// A value as JSON that is read as the same value; nil where there is none.
  func text(_ scalar: AttributeScalar) -> String? {
    guard let text = spelt(scalar) else { return nil }
    guard type != .transformable else { return text }
    // What is written has to come back.
    guard let value = JSONText.value(text), let back = try? self.scalar(value),
      back == scalar || isSame(back, scalar)
    else { return nil }
    return text
  }

  private func spelt(_ scalar: AttributeScalar) -> String? {
    switch (scalar, type) {
    case (.null, _): "null"
    case (.integer(let value), .boolean): value == 0 ? "false" : "true"
    case (.integer(let value), _): "\(value)"
    case (.real(let value), .date):
      dates.first.map { reader in
        reader.writesNumbers ? reader.text(value) : JSONText.quoted(reader.text(value))
      }
    case (.real(let value), .float): value.isFinite ? "\(Float(value))" : nil
    case (.real(let value), _): value.isFinite ? "\(value)" : nil
    case (.text(let text), .decimal): Decimal.number(text) == nil ? nil : text
    case (.text(let text), _): JSONText.quoted(text)
    case (.blob(let data), .uuid): UUID(bytes: data).map { JSONText.quoted($0.uuidString) }
    case (.blob(let data), .transformable): JSONText.canonical(data)
    case (.blob(let data), _): JSONText.quoted(data.base64EncodedString())
    }
  }
}

extension UUID {
  fileprivate init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &uuid) { _ = bytes.copyBytes(to: $0) }
    self.init(uuid: uuid)
  }
}

extension JSONText {
  /// The value of a text; nil where it is none.
  static func value(_ text: String) -> JSONValue? {
    var parser = JSONParser()
    var value: JSONValue?
    func take(_ tape: JSONTape) { value = tape.root }
    // In an array, so that a text or a number is a record, too.
    do {
      try Array("[\(text)]".utf8).withUnsafeBufferPointer { try parser.read($0, take) }
      try parser.finish(take)
    } catch { return nil }
    return value
  }

  /// The canonical text of JSON in bytes; nil where they are none.
  static func canonical(_ data: Data) -> String? {
    String(validating: data, as: UTF8.self).flatMap(value)?.json(isCanonical: true)
  }
}

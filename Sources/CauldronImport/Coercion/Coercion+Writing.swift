import CauldronGraph
import CauldronModel
import Foundation

extension Coercion {
  /// A value as JSON that is read as the same value; nil where there is none.
  func text(_ scalar: AttributeScalar) -> String? {
    // What is written has to come back.
    texts(scalar).first { text in
      if type == .transformable { return true }
      guard let value = JSONText.value(text), let back = try? self.scalar(value) else {
        return false
      }
      return back == scalar || isSame(back, scalar)
    }
  }

  /// The texts that a value may have; of a date one in each form.
  private func texts(_ scalar: AttributeScalar) -> [String] {
    if case .real(let seconds) = scalar, type == .date {
      return dates.compactMap { $0.json(seconds) }
    }
    return [spelt(scalar)].compactMap(\.self)
  }

  private func spelt(_ scalar: AttributeScalar) -> String? {
    switch (scalar, type) {
    case (.null, _): "null"
    case (.integer(let value), .boolean): value == 0 ? "false" : "true"
    case (.integer(let value), _): "\(value)"
    case (.real(let value), .float): value.isFinite ? "\(Float(value))" : nil
    case (.real(let value), _): value.isFinite ? "\(value)" : nil
    case (.text(let text), .decimal): DecimalNumber(text) == nil ? nil : text
    case (.text(let text), _): JSONText.quoted(text)
    case (.blob(let data), .uuid): UUID(bytes: data).map { JSONText.quoted($0.uuidString) }
    case (.blob(let data), .transformable): JSONText.plain(data)
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
  /// The text of JSON in bytes on one line; nil where they are none.
  static func plain(_ data: Data) -> String? {
    String(validating: data, as: UTF8.self).flatMap(value)?.json()
  }

  /// The canonical text of JSON in bytes; nil where they are none.
  static func canonical(_ data: Data) -> String? {
    String(validating: data, as: UTF8.self).flatMap(value)?.json(.canonical)
  }
}

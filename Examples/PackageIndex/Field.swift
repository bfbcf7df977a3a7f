import Foundation

/// The fields of a stanza that are kept.
enum Field: CaseIterable {
  case package
  case version
  case architecture
  case installedSize
  case size
  case section
  case maintainer
  case description
  case englishDescription

  private var key: StaticString {
    switch self {
    case .package: "Package"
    case .version: "Version"
    case .architecture: "Architecture"
    case .installedSize: "Installed-Size"
    case .size: "Size"
    case .section: "Section"
    case .maintainer: "Maintainer"
    case .description: "Description"
    case .englishDescription: "Description-en"
    }
  }

  /// The field with a key; nil for one that is not kept.
  init?(key bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return nil }
    for field in Self.allCases where field.key.utf8CodeUnitCount == bytes.count {
      if memcmp(field.key.utf8Start, start, bytes.count) == 0 {
        self = field
        return
      }
    }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes may stand before a colon: printable ASCII that does not begin a comment.
  var isFieldKey: Bool {
    guard let first, first != UInt8(ascii: "#"), first != UInt8(ascii: "-") else { return false }
    return allSatisfy { $0 > 32 && $0 < 127 }
  }

  /// The bytes without blanks at both ends.
  var trimmed: UnsafeRawBufferPointer {
    var start = startIndex
    var end = endIndex
    while start < end, self[start].isBlank { start += 1 }
    while start < end, self[end - 1].isBlank { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }

  /// The place of a byte.
  func offset(of byte: UInt8) -> Int? {
    guard let baseAddress, let found = memchr(baseAddress, Int32(byte), count) else { return nil }
    return UnsafeRawPointer(found) - baseAddress
  }
}

extension UInt8 {
  /// Space, tab or carriage return.
  var isBlank: Bool { self == 32 || self == 9 || self == 13 }
}

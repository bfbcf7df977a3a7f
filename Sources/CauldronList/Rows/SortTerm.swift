import CauldronModel
import Foundation

/// What a row is sorted by, and the value of its section, in memory that a ``ListMemory`` keeps: the two
/// lengths, bytes in the order of the list, and a value.
package struct SortTerm: BitwiseCopyable, Equatable, @unchecked Sendable {
  // `@unchecked Sendable` because the memory is never written again once the term is made.
  let start: UnsafeRawPointer

  /// The bytes before the first one of the order.
  static let header = 8

  private var length: Int { Int(start.loadUnaligned(as: UInt32.self)) }

  private var sectionLength: Int {
    Int(start.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
  }

  var order: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + Self.header, count: length)
  }

  var sectionBytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + Self.header + length, count: sectionLength)
  }

  /// Negative, 0 or positive.
  func compare(with other: SortTerm) -> Int {
    let (a, b) = (order, other.order)
    guard let left = a.baseAddress, let right = b.baseAddress else { return 0 }
    let result = memcmp(left, right, min(a.count, b.count))
    return result != 0 ? Int(result) : a.count - b.count
  }

  /// Whether both have the same section.
  func isTogether(with other: SortTerm) -> Bool { sectionBytes.elementsEqual(other.sectionBytes) }

  /// The value of the section.
  var section: AttributeScalar {
    let bytes = sectionBytes
    guard let tag = bytes.first else { return .null }
    let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    switch tag {
    case 1: return .integer(rest.loadUnaligned(as: Int64.self))
    case 2: return .real(rest.loadUnaligned(as: Double.self))
    case 3: return .text(String(decoding: rest, as: UTF8.self))
    default: return .blob(Data(rest))
    }
  }

  /// A section's value as ``section`` reads it.
  static func bytes(of section: AttributeScalar) -> [UInt8] {
    switch section {
    case .null: []
    case .integer(let number): [1] + withUnsafeBytes(of: number, Array.init)
    case .real(let number): [2] + withUnsafeBytes(of: number + 0, Array.init)
    case .text(let text): [3] + Array(text.utf8)
    case .blob(let data): [4] + Array(data)
    }
  }
}

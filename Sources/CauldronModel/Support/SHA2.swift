/// SHA-256 and SHA-512 (FIPS 180-4), for the version hashes of a model and the digest of a store.
///
/// A package of its own would bring a whole cryptography library for a few hundred bytes.
package enum SHA2 {
  /// The 32-byte SHA-256 digest.
  package static func sha256(_ message: [UInt8]) -> [UInt8] {
    var state = initial32
    for block in padded(message, blockSize: 64, lengthSize: 8) {
      compress32(&state, words32(block))
    }
    return state.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
  }

  /// The 64-byte SHA-512 digest.
  package static func sha512(_ message: [UInt8]) -> [UInt8] {
    var state = initial64
    for block in padded(message, blockSize: 128, lengthSize: 16) {
      compress64(&state, words64(block))
    }
    return state.flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
    }
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  private static func padded(
    _ message: [UInt8], blockSize: Int, lengthSize: Int
  ) -> [ArraySlice<UInt8>] {
    var bytes = message + [0x80]
    while bytes.count % blockSize != blockSize - lengthSize { bytes.append(0) }
    bytes += [UInt8](repeating: 0, count: lengthSize - 8)
    let bits = UInt64(message.count) * 8
    bytes += bigEndian(bits)
    return stride(from: 0, to: bytes.count, by: blockSize).map { bytes[$0..<($0 + blockSize)] }
  }
}

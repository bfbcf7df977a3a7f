import Foundation
import Testing

@testable import CauldronArchive
@testable import CauldronModelFile

@Suite("Taking apart compressed bytes")
struct InflateTests {
  private static func inflate(_ bytes: [UInt8], atMost limit: Int = 1 << 20) throws -> [UInt8] {
    try Inflate.bytes(of: bytes, atMost: limit)
  }

  private static let verses = (0..<60).map { "\($0) green bottles hanging on the wall, " }.joined()

  /// Made by zlib, in a block with codes of its own.
  private static let compressed = Data(
    base64Encoded:
      "jdXLacNgEIXRVv4CsvC88ijHASEbhAyJIO2nhbP/Vofhzm3tP9t2ru/XdR3b73rcz/157ut1ruuxrb/7"
      + "cbytkCglKolaopHoXaIPiT4l+iLMG1VkHoQepB7EHuQeBB8kH0QfZJ9kn3bvZJ9kn2SfZJ9kn2SfZJ9kX2Rf"
      + "ZF82NmRfZF9kX2RfZF9kX2TfZN9k32TftvRk32TfZN9k32TfZD9kP2Q/ZD9kP/ZmyX7Ifsh+yH7I/h8=")

  @Test("Blocks with codes of their own")
  func ownCodes() throws {
    let bytes = [UInt8](try #require(Self.compressed))
    #expect(bytes[0] & 7 == 5)
    #expect(try Self.inflate(bytes) == Array(Self.verses.utf8))
    #expect(try Self.inflate(bytes + [1, 2, 3]) == Array(Self.verses.utf8))
  }

  @Test("Blocks with the fixed code, whose repetitions reach into themselves")
  func fixedCode() throws {
    let bytes: [UInt8] = [0x4B, 0x4C, 0xC4, 0x04, 0x49, 0x08, 0x08, 0x00]
    #expect(try Self.inflate(bytes) == Array("aaaaaaaaaaaaaaaaaaaabababababab".utf8))
  }

  @Test("Stored blocks, of any number", arguments: [0, 1, 65_535, 65_536, 200_000])
  func stored(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let blocks = StoredBlocks.bytes(of: bytes)
    #expect(blocks.count == count + 5 * max(1, (count + 65_534) / 65_535))
    #expect(try Self.inflate(blocks) == bytes)
  }

  @Test("No more than the limit comes out")
  func limit() throws {
    let bytes = [UInt8](try #require(Self.compressed))
    let count = Self.verses.utf8.count
    #expect(try Self.inflate(bytes, atMost: count).count == count)
    #expect(throws: ArchiveFailure.compression) {
      try Self.inflate(bytes, atMost: count - 1)
    }
    #expect(throws: ArchiveFailure.compression) {
      try Self.inflate(StoredBlocks.bytes(of: [1, 2, 3]), atMost: 2)
    }
  }

  @Test(
    "What breaks the rules is refused",
    arguments: [
      // The third kind of block, which there is not.
      [0x07],
      // A stored block whose length and its complement differ.
      [0x01, 0x01, 0x00, 0xFF, 0xFF, 0x00],
      // A repetition of what is before the beginning.
      [0x03, 0x02, 0x00],
      // A block with codes of its own that ends before them.
      [0x05, 0x00],
      // A block with codes for which all lengths are 0.
      [0x05] + [UInt8](repeating: 0, count: 20),
      // Codes of which there are more than bits can tell.
      [0x05, 0xC0] + [UInt8](repeating: 0x24, count: 20),
    ] as [[UInt8]])
  func refused(bytes: [UInt8]) {
    #expect(throws: ArchiveFailure.compression) { try Self.inflate(bytes) }
  }

  @Test("Every beginning of a compressed stream is refused")
  func truncated() throws {
    let bytes = [UInt8](try #require(Self.compressed))
    for count in bytes.indices {
      #expect(throws: ArchiveFailure.compression) {
        try Self.inflate(Array(bytes.prefix(count)))
      }
    }
  }
}

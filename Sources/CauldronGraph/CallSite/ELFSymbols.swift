import Foundation

/// The functions of a 64-bit ELF file that has a table of symbols
/// (https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.symtab.html).
///
/// Whatever the file says is checked. It is read, not mapped: it may be replaced while the program runs.
struct ELFSymbols: Sendable {
  private struct Function {
    let addresses: Range<UInt>
    /// Where its name begins among the names.
    let name: UInt32
  }

  private let url: URL
  /// In ascending order.
  private let functions: [Function]
  private let names: Range<UInt64>
  /// Whether addresses count from where the file is loaded to.
  let isRelocated: Bool

  /// - Returns: Nil where the file cannot be read, or has no table.
  /// - Complexity: O(symbols · log symbols).
  init?(contentsOf url: URL) {
    guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? file.close() }
    guard let header = file.bytes(0, 64), header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
      let sections = file.bytes(
        header.integer(UInt64.self, 40), 64 * Int(header.integer(UInt16.self, 60))),
      let table = ELFSection.all(sections).first(where: { $0.type == 2 }),
      let names = ELFSection.all(sections).dropFirst(Int(table.link)).first,
      let size = Int(exactly: table.size), let symbols = file.bytes(table.offset, size),
      names.size <= .max - names.offset
    else { return nil }
    self.url = url
    self.names = names.offset..<names.offset + names.size
    functions = Self.functions(symbols)
    isRelocated = header.integer(UInt16.self, 16) == 3
  }

  private static func functions(_ symbols: [UInt8]) -> [Function] {
    var functions: [Function] = []
    symbols.withUnsafeBytes { bytes in
      var at = 0
      while at + 24 <= bytes.count {
        let size = bytes.loadUnaligned(fromByteOffset: at + 16, as: UInt.self)
        if bytes[at + 4] & 0xF == 2, size > 0 {
          let start = bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt.self)
          let (end, overflows) = start.addingReportingOverflow(size)
          let name = bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
          if !overflows { functions.append(Function(addresses: start..<end, name: name)) }
        }
        at += 24
      }
    }
    functions.sort { $0.addresses.lowerBound < $1.addresses.lowerBound }
    return functions
  }

  /// The names of the functions that have addresses of the file; none for those that no function has.
  /// - Complexity: O(addresses · log symbols), and a few reads of the file.
  func names(of addresses: [UInt]) -> [UInt: String] {
    guard let file = try? FileHandle(forReadingFrom: url) else { return [:] }
    defer { try? file.close() }
    var found: [UInt: String] = [:]
    for address in addresses {
      guard let function = function(at: address) else { continue }
      guard UInt64(function.name) < names.upperBound - names.lowerBound else { continue }
      let offset = names.lowerBound + UInt64(function.name)
      guard let bytes = file.bytes(offset, Int(min(4_096, names.upperBound - offset))) else {
        continue
      }
      found[address] = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return found
  }

  private func function(at address: UInt) -> Function? {
    var (low, high) = (0, functions.count)
    while low < high {
      let middle = (low + high) / 2
      if functions[middle].addresses.lowerBound <= address {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low > 0, functions[low - 1].addresses.contains(address) else { return nil }
    return functions[low - 1]
  }
}

/// A part of an ELF file.
private struct ELFSection {
  let type: UInt32
  let link: UInt32
  let offset: UInt64
  let size: UInt64

  static func all(_ bytes: [UInt8]) -> [ELFSection] {
    stride(from: 0, to: bytes.count - 63, by: 64).map { at in
      ELFSection(
        type: bytes.integer(UInt32.self, at + 4), link: bytes.integer(UInt32.self, at + 40),
        offset: bytes.integer(UInt64.self, at + 24), size: bytes.integer(UInt64.self, at + 32))
    }
  }
}

extension [UInt8] {
  fileprivate func integer<Number: FixedWidthInteger>(_: Number.Type, _ offset: Int) -> Number {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
  }
}

extension FileHandle {
  /// So many bytes of the file; nil where it does not have them.
  fileprivate func bytes(_ offset: UInt64, _ count: Int) -> [UInt8]? {
    guard let end = try? seekToEnd(), offset <= end, UInt64(count) <= end - offset,
      (try? seek(toOffset: offset)) != nil, let data = try? read(upToCount: count)
    else { return nil }
    return data.count == count ? [UInt8](data) : nil
  }
}

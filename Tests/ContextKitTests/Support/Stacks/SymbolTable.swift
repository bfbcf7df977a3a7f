import CTestSupport
import Foundation

/// The functions of the running program, also those that it does not export.
struct SymbolTable {
  private struct Function {
    let start: UInt
    let size: UInt
    /// Where its name begins in the program's file.
    let name: Int
  }

  private let file: Data
  private let base: UInt
  private let functions: [Function]

  /// Nil where the program's file cannot be read, or was stripped.
  init?() {
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
      let file = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped),
      let base = Self.loadAddress(path)
    else { return nil }
    self.file = file
    self.base = base
    functions = Self.functions(file).sorted { $0.start < $1.start }
    if functions.isEmpty { return nil }
  }

  /// The name of the function that an address of the program is in.
  func name(of address: UInt) -> String? {
    guard address >= base else { return nil }
    let offset = address - base
    let after = functions.partitioningIndex { $0.start > offset }
    guard after > 0 else { return nil }
    let function = functions[after - 1]
    guard offset < function.start + max(function.size, 1) else { return nil }
    let bytes = file[function.name...].prefix { $0 != 0 }
    return Self.demangled(String(decoding: bytes, as: UTF8.self))
  }

  /// The name of the exported function of a library that an address is in, or the library's.
  static func libraryName(of address: UInt) -> String {
    let pointer = UnsafeRawPointer(bitPattern: address)
    if let name = cauldron_function_at(pointer) { return demangled(String(cString: name)) }
    guard let file = cauldron_library_at(pointer) else { return "unknown" }
    return URL(filePath: String(cString: file)).lastPathComponent
  }

  private static func loadAddress(_ path: String) -> UInt? {
    let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    let line = maps?.split(separator: "\n").first { $0.hasSuffix(path) }
    return line?.split(separator: "-").first.flatMap { UInt($0, radix: 16) }
  }

  /// Reads the table of symbols (System V ABI, chapter 4), whose entries have 24 bytes.
  private static func functions(_ file: Data) -> [Function] {
    file.withUnsafeBytes { bytes in
      func number<N: FixedWidthInteger>(_ offset: Int, _: N.Type) -> Int {
        Int(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: offset, as: N.self))
      }
      let sections = number(40, UInt64.self)
      func section(_ index: Int) -> Int { sections + index * 64 }
      for index in 0..<number(60, UInt16.self)
      where number(section(index) + 4, UInt32.self) == 2 {
        let start = number(section(index) + 24, UInt64.self)
        let size = number(section(index) + 32, UInt64.self)
        let names = number(
          section(number(section(index) + 40, UInt32.self)) + 24, UInt64.self)
        return stride(from: start, to: start + size, by: 24).compactMap { entry in
          guard number(entry + 4, UInt8.self) & 15 == 2 else { return nil }
          return Function(
            start: UInt(number(entry + 8, UInt64.self)),
            size: UInt(number(entry + 16, UInt64.self)),
            name: names + number(entry, UInt32.self))
        }
      }
      return []
    }
  }

  private static func demangled(_ name: String) -> String {
    typealias Demangle =
      @convention(c) (
        UnsafePointer<CChar>?, UInt, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<UInt>?,
        UInt32
      ) -> UnsafeMutablePointer<CChar>?
    guard let symbol = dlsym(nil, "swift_demangle") else { return name }
    let demangle = unsafeBitCast(symbol, to: Demangle.self)
    guard let result = demangle(name, UInt(name.utf8.count), nil, nil, 0) else { return name }
    defer { free(result) }
    return String(cString: result)
  }
}

extension Array {
  /// The first index whose element satisfies a condition that all later ones satisfy, too.
  fileprivate func partitioningIndex(_ isSecond: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

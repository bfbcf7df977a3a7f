import CTestSupport
import Foundation

/// Where every thread of the process is, for the report of a test that hangs.
enum ThreadStacks {
  /// One caller at a time may ask, see `cauldron_stack_of`.
  private static let lock = NSLock()

  /// The stack of every thread, the innermost function first.
  static func report() -> String {
    lock.withLock {
      let symbols = SymbolTable()
      return threads().map { thread in
        let stack = addresses(of: thread).enumerated().map { depth, address in
          "    \(depth) \(symbols?.name(of: address) ?? SymbolTable.libraryName(of: address))"
        }
        let lines = stack.isEmpty ? ["    did not answer"] : stack
        return (["  thread \(thread) \"\(name(of: thread))\":"] + lines).joined(separator: "\n")
      }.joined(separator: "\n")
    }
  }

  private static func threads() -> [Int] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
    return (names ?? []).compactMap { Int($0) }.sorted()
  }

  private static func name(of thread: Int) -> String {
    let text = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
    return text?.trimmingCharacters(in: .newlines) ?? ""
  }

  private static func addresses(of thread: Int) -> [UInt] {
    var found = [UnsafeMutableRawPointer?](repeating: nil, count: 64)
    let count = cauldron_stack_of(thread, &found, Int32(found.count))
    return found.prefix(Int(count)).map { UInt(bitPattern: $0) }
  }
}

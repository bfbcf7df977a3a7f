import CCauldron
import CauldronModel
import Foundation

/// The functions that wait on a thread, as addresses: taking them costs hardly anything, and reads
/// nothing but the thread's own stack.
///
/// The run-time library's own backtraces read all that is mapped into the process, while other threads
/// take it away; so nobody can ask for them safely while the program goes on.
struct CallStack: Sendable, Hashable {
  /// Where each function will go on, the innermost first.
  let addresses: [UInt]

  /// The calling thread's.
  @inline(never)
  static func current(limit: Int = 64) -> CallStack {
    let addresses = [UInt](unsafeUninitializedCapacity: limit) { buffer, count in
      count = Int(cauldron_callers(buffer.baseAddress, Int32(limit)))
    }
    return CallStack(addresses: addresses)
  }
}

extension CallStack {
  /// The name of the first function outside the library, as far as the program's files tell.
  /// - Complexity: O(symbols of the program) where it was not asked before.
  var asking: String? {
    if let known = Self.known.withLock({ $0[self] }) { return known }
    let found = firstOutside()
    Self.known.withLock { known in
      if known.count > 256 { known = [:] }
      known[self] = found
    }
    return found
  }

  private static let known = Locked<[CallStack: String]>([:])

  /// How the names of functions begin that are nobody's who asks: the library's own, and those of the
  /// standard library that it calls with closures.
  private static let own = [
    "$s8Cauldron", "$s13CauldronModel", "$s13CauldronGraph", "$s14CauldronSQLite", "$sS", "$ss",
  ]

  private func firstOutside() -> String? {
    var names: [UInt: String] = [:]
    for image in LoadedImage.images(of: addresses) {
      names.merge(image.names()) { first, _ in first }
    }
    for address in addresses {
      guard let name = names[address] else { continue }
      if name == "main" { return name }
      guard name.hasPrefix("$s") else { continue }
      let text = Self.demangled(name)
      if !Self.own.contains(where: name.hasPrefix) || Self.isExtension(text) { return text }
    }
    return nil
  }

  /// Whether a function belongs to a program's extension of a type of the library or of Swift.
  private static func isExtension(_ text: String) -> Bool {
    guard let start = text.range(of: "(extension in ")?.upperBound else { return false }
    let module = text[start...].prefix { $0 != ")" }
    return !module.hasPrefix("Cauldron") && module != "Swift" && module != "Foundation"
  }

  private static func demangled(_ name: String) -> String {
    guard let text = cauldron_demangle(name) else { return name }
    defer { free(text) }
    return String(cString: text)
  }
}

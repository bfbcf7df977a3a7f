import _StringProcessing

/// Tells whether texts match a regular expression as a whole.
///
/// The expression is compiled once; it may be in use by one thread only, so that another one that asks
/// at the same moment compiles it once more, and waits for nobody.
package final class PatternMatcher: Sendable {
  package let pattern: String
  private let idle: Locked<[Compiled]>

  /// What may be handed from thread to thread, but never be shared.
  private struct Compiled: @unchecked Sendable {
    let regex: Regex<AnyRegexOutput>

    init(_ pattern: String) throws {
      // As Core Data has it, which compares no characters that consist of several scalars.
      regex = try Regex(pattern).matchingSemantics(.unicodeScalar)
    }
  }

  /// - Throws: What is wrong with the pattern.
  package init(_ pattern: String) throws {
    self.pattern = pattern
    idle = Locked([try Compiled(pattern)])
  }

  /// Whether the whole text matches.
  package func matches(_ text: String) -> Bool {
    guard let compiled = idle.withLock({ $0.popLast() }) ?? (try? Compiled(pattern)) else {
      return false
    }
    defer { idle.withLock { $0.append(compiled) } }
    // Matching throws only where the expression's own Swift code does, of which there is none.
    return (try? compiled.regex.wholeMatch(in: text)) != nil
  }
}

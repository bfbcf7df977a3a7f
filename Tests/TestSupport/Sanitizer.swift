import Foundation

/// The sanitizer that the tests were built for.
package enum Sanitizer {
  /// Whether the tests run under ThreadSanitizer.
  package static let isThread = dlsym(nil, "__tsan_init") != nil
  /// Whether the tests run under a sanitizer, which looks at every access: programs beside the tests
  /// are slow then, and it sees nothing of them.
  package static let isOn = isThread || dlsym(nil, "__asan_init") != nil

  /// The cases of a test: under a sanitizer one alone, whose code includes that of the rest.
  package static func cases<Case>(_ cases: [Case], only: Case) -> [Case] {
    isOn ? [only] : cases
  }
}

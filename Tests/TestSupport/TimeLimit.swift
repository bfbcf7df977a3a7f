package import Testing

extension Trait where Self == TimeLimitTrait {
  /// A limit for tests that would otherwise wait for ever where something is broken.
  ///
  /// It is far longer than the test takes, because all tests share a few threads, some hold one for
  /// a while, and time in which a test is not run counts as well.
  package static var againstHanging: Self { .timeLimit(.minutes(10)) }
}

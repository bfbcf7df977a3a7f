import Cauldron
import Logging

extension MagicalRecord {
  private static let handler = Locked<(@Sendable (any Error) -> Void)?>(nil)

  /// Is told of each error that an old call meets, on the thread that meets it; nil, the default, for
  /// nobody.
  ///
  /// ```swift
  /// MagicalRecord.errorHandler = { error in print(error) }
  /// ```
  /// It may be set on any thread, and stays after ``cleanUp()``.
  public static var errorHandler: (@Sendable (any Error) -> Void)? {
    get { handler.withLock { $0 } }
    set { handler.withLock { $0 = newValue } }
  }

  /// Logs an error and gives it to ``errorHandler``; nil is no error.
  @available(*, deprecated, message: "new calls throw their errors: catch them")
  public static func handleErrors(_ error: (any Error)?) {
    if let error { report(error) }
  }

  /// Does what an old call asks; what is thrown is reported.
  /// - Parameters:
  ///   - context: Whose log the error goes to; nil for that of the default stack.
  ///   - call: The old call's name, for the log.
  /// - Returns: What the body returns; nil where it throws.
  @discardableResult
  static func attempt<Value>(
    in context: ManagedObjectContext? = nil, call: String = #function, _ body: () throws -> Value
  ) -> Value? {
    do {
      return try body()
    } catch {
      report(error, in: context, call: call)
      return nil
    }
  }

  /// Logs an error, and tells the handler.
  static func report(
    _ error: any Error, in context: ManagedObjectContext? = nil, call: String? = nil
  ) {
    var metadata: Logger.Metadata = [:]
    metadata["call"] = call.map { "\($0)" }
    metadata["code"] = (error as? CauldronError).map { "\($0.code.rawValue)" }
    (context?.logger ?? logger).error("\(error)", metadata: metadata)
    tell(error)
  }

  /// Tells the handler of an error that is logged already.
  static func tell(_ error: any Error) { errorHandler?(error) }

  /// The default stack's log; without a stack, the library's own.
  private static var logger: Logger {
    Stack.isSetUp ? Stack.default.coordinator.logger : Logger.standard.leveled
  }
}

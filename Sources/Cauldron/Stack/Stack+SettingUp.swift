import CauldronModel

extension Stack {
  /// Whether this thread is setting up the default stack: then code of the program that runs is a step of
  /// a migration, and waiting for the stack would have no end.
  @TaskLocal static var isSettingUp = false

  /// Sets the default stack up.
  /// - Throws: `stack.alreadySetUp` where there is one, or a step of its migration asks.
  static func setUp(_ make: () throws -> Stack) throws -> Stack {
    try requireNotSettingUp()
    return try $isSettingUp.withValue(true) { try setUpAlone(make) }
  }

  static func requireNotSettingUp() throws {
    guard isSettingUp else { return }
    throw CauldronError(
      .stackAlreadySetUp, "The stack is being set up: a step of its migration runs.",
      hint: "A step works with its context; further stacks are made with Stack(storeURL:).")
  }
}

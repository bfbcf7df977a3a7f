import Cauldron
import Dispatch
import TestSupport
import Testing

/// Programs that are wrong by definition stop with a sentence instead of hanging.
@Suite(.againstHanging) struct WrongProgramTests {
  @Test func `perform on a confinement context stops with a sentence that tells what to use`() async
  {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let kit = try Kit()
      let context = ManagedObjectContext(
        Confined.source.type, coordinator: kit.stack.coordinator, name: "old")
      performNothing(in: context)
    }
    #expect(
      result.sentence.contains(
        "Context \"old\" is confined to the thread that made it and has no queue;"
          + " make a .private context to use perform(_:)."))
  }

  @Test func `an object that is used on another queue stops with both places`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let kit = try Kit()
      let context = kit.child("notes")
      _ = takeOut(of: context).value.owner
    }
    #expect(
      result.sentence.contains(
        "Context \"notes\" was used outside perform(_:) and performAndWait(_:): on thread"))
    #expect(result.sentence.contains("but it belongs to its private queue"))
  }

  @Test func `an object of a context that is gone stops with the context's name`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let kit = try Kit()
      _ = try takeOutSaved(of: kit.child("session")).value.owner
    }
    #expect(
      result.sentence.contains(
        "An object was used that belongs to a context that no longer exists: \"session\"."
          + " Hold the context for as long as its objects are used."))
  }
}

private func performNothing(in context: ManagedObjectContext) {
  context.performAndWait { _ in }
}

private func takeOut(of context: ManagedObjectContext) -> Box {
  context.performAndWait { Box(Account.named("a", in: $0.context)) }
}

private func takeOutSaved(of context: ManagedObjectContext) throws -> Box {
  try context.performAndWait {
    let box = Box(Account.named("a", in: $0.context))
    try $0.save()
    return box
  }
}

/// Takes an object out of a block, as a program must not.
private struct Box: @unchecked Sendable {
  let value: Account

  init(_ value: Account) { self.value = value }
}

/// The deprecated type, without the warning.
private protocol ConfinementSource {
  static var type: ManagedObjectContext.ConcurrencyType { get }
}

private enum Confined: ConfinementSource {
  @available(*, deprecated)
  static var type: ManagedObjectContext.ConcurrencyType { .confinement }

  static var source: any ConfinementSource.Type { Confined.self }
}

extension ExitTest.Result? {
  /// What the stopped program wrote to its standard error.
  fileprivate var sentence: String {
    guard let self else { return "" }
    return String(decoding: self.standardErrorContent, as: UTF8.self)
  }
}

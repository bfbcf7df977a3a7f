import Cauldron
import Dispatch
import TestSupport

extension Bank {
  /// One thread's share: its contexts in turn, and a look at the others in between.
  func work(_ thread: Int, until end: DispatchTime) {
    var random = SeededGenerator(seed: UInt64(thread))
    let contexts = (0..<Self.contexts).map { index in
      ManagedObjectContext(
        .private, parent: stack.defaultContext, name: "context \(thread).\(index)")
    }
    var number = thread
    while DispatchTime.now() < end {
      let context = random.pick(contexts)
      transfer(number, in: context, &random)
      number += Self.threads
      // What its objects show is what it read; the next transfer reads anew.
      if random.once(in: 2) { context.performAndWait { $0.context.reset() } }
      check(random.pick([stack.defaultContext, stack.rootSavingContext] + contexts))
    }
  }
}

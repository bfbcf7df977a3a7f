import Cauldron
import Foundation

extension Thread {
  /// A context that the thread keeps in its dictionary, as old code does it.
  ///
  /// It is an example, not a recommendation: a dispatch queue or a task may run on any thread, and
  /// on another one the next time. With `perform` a context needs no thread of its own.
  ///
  /// - Parameter name: What the context is called if it is made now.
  static func context(of stack: Stack, name: String) -> ManagedObjectContext {
    let key = "cauldron.context.\(stack.coordinator.storeIdentifier)"
    let dictionary = Thread.current.threadDictionary
    if let context = dictionary[key] as? ManagedObjectContext { return context }
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext, name: name)
    dictionary[key] = context
    return context
  }
}

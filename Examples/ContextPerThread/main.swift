// One context for each thread, kept in the thread's dictionary.
//
//   swift run ContextPerThread

import Cauldron
import Dispatch
import Foundation
import Logging

var configuration = StackConfiguration()
configuration.logger = Logger(label: "cauldron") { _ in SwiftLogNoOpLogHandler() }
let stack = try setupStack(storeURL: nil, configuration: configuration)

for number in 1...2 {
  let finished = DispatchSemaphore(value: 0)
  Thread { [stack] in
    addSongs(to: stack, "thread \(number)")
    finished.signal()
  }.start()
  // The threads take turns, so that the program prints the same each time.
  finished.wait()
}

// The root has what the threads saved; one more save brings it to the store.
try stack.rootSavingContext.saveAndWait(toPersistentStore: true)
let titles = try Song.findAll(sortedBy: \.title).map(\.title)
print("\(titles.count) songs: \(titles.joined(separator: ", "))")
try Stack.cleanUp()

/// Creates two songs, each time with the thread's own context.
nonisolated func addSongs(to stack: Stack, _ thread: String) {
  for number in 1...2 {
    let context = Thread.context(of: stack, name: thread)
    Song.create(in: context).title = "song \(number) of \(thread)"
    print("the context of \(context.name) has \(context.insertedObjects.count) unsaved")
  }
  let context = Thread.context(of: stack, name: thread)
  do { try context.save() } catch { print(error) }
  print("saved; \(context.insertedObjects.count) unsaved are left")
}

// A program whose main thread runs a loop of its own: what is sent to the main queue and the main actor
// runs in it, and so do the completions of saves. While nothing happens the loop sleeps.
//
//   swift run ForeignLoop

import Cauldron
import Dispatch
import Foundation
import Logging

let loop = try Loop()
if CommandLine.arguments.contains("--misuse") {
  misuse(loop)
  exit(0)
}

var configuration = StackConfiguration()
configuration.logger = Logger(label: "cauldron") { _ in SwiftLogNoOpLogHandler() }
let stack = try setupStack(storeURL: nil, configuration: configuration)

DispatchQueue.main.async { print("a block of the main queue") }
loop.run(atMost: 0.1)

DispatchQueue.main.asyncAfter(deadline: .now() + 0.05) {
  print("a block that has waited")
  loop.stop()
}
loop.run(atMost: 30)

Task { @MainActor in
  print("a task of the main actor")
  loop.stop()
}
loop.run(atMost: 30)

DispatchQueue.global().async {
  DispatchQueue.main.sync { print("a block that another thread waits for") }
  DispatchQueue.main.async { loop.stop() }
}
loop.run(atMost: 30)

interrupt(loop)

let child = ManagedObjectContext.contextWithParent(stack.defaultContext)
child.performAndWait { local in
  Person.create(in: local.context).name = "jack"
}
child.save(toPersistentStore: true) { didSave, _ in
  let isMain = Thread.isMainThread ? "on the main thread" : "elsewhere"
  print("a save has ended \(isMain): \(didSave)")
  DispatchQueue.main.async { loop.stop() }
}
loop.run(atMost: 30)
print("main knows \(try Person.findAll(in: stack.defaultContext).map(\.name).joined())")

// What ends here and there may still be told of.
loop.run(atMost: 0.2)
let before = loop.wakeUps
loop.run(atMost: 0.5)
print("woken \(loop.wakeUps - before) times while nothing happened")

import ArgumentParser
import Cauldron
import Dispatch
import Foundation
import Logging

/// A second process for the tests: commits what it is told, one line at a time, in a store that another
/// process shows: `insert 7 ann`, `update 7 bob`, `delete 7`. It answers each line, when that is
/// committed, with the system's uptime in nanoseconds at which its save began.
struct Commit: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "commit", shouldDisplay: false)

  @Argument var store: String

  func run() throws {
    let stack = try Insert.open(store)
    tell("ready")
    while let line = readLine() {
      tell("\(try commit(line.split(separator: " ").map(String.init), in: stack))")
    }
    try stack.close()
  }

  private func commit(_ words: [String], in stack: Stack) throws -> UInt64 {
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext, name: "Commit")
    try context.performAndWait { context in
      guard words.count > 1, let number = Int(words[1]) else { throw SoakFailure("\(words)?") }
      if words[0] == "insert" {
        try context.insertNewObject(forEntityName: "Parcel").setValue(number, forKey: "number")
      }
      var request = FetchRequest<ManagedObject>(entityName: "Parcel")
      request.predicate = .comparison(key: "number", .equal, .integer(Int64(number)))
      for parcel in try context.fetch(request) {
        if words[0] == "delete" {
          parcel.delete()
        } else {
          try parcel.setValue(words.last, forKey: "sender")
        }
      }
    }
    let start = DispatchTime.now().uptimeNanoseconds
    try context.saveAndWait(toPersistentStore: true)
    return start
  }

  /// Prints a line at once.
  private func tell(_ line: String) {
    print(line)
    fflush(nil)
  }
}

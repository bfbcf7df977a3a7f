import Cauldron
import Foundation

/// Many imports of the same lists into one store, which other processes may be doing as well.
enum AtOnce {
  /// The store and the number that the program was given: `ImportJSON codes.sqlite 6`.
  static var arguments: (store: URL, count: Int)? {
    let given = CommandLine.arguments
    guard given.count == 3, let count = Int(given[2]) else { return nil }
    return (URL(filePath: given[1]), count)
  }

  static func run(_ store: URL, _ count: Int) async throws {
    let stack = try Stack(storeURL: store)
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<count {
        // Everybody begins with another list.
        let lists = (0..<3).map { ISOList.all[($0 + number) % 3] }
        group.addTask {
          var reports: [String] = []
          for list in lists { reports.append("\(try await list.load(stack))") }
          return reports.joined(separator: " | ")
        }
      }
      for try await report in group { print(report) }
    }
    try stack.close()
  }
}

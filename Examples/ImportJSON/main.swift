// Imports Debian's lists of countries, subdivisions, languages, scripts and currencies, checks them against
// the files, and imports them again, which changes nothing. With a store and a number it imports some of
// them so many times at once.

import Cauldron
import Foundation
import Logging

guard FileManager.default.fileExists(atPath: ISOList.all[0].url.path) else {
  print("The lists are not here: install them with `apt-get install iso-codes`. Skipped.")
  exit(0)
}

LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
if let (store, count) = AtOnce.arguments {
  do {
    try await AtOnce.run(store, count)
    exit(0)
  } catch {
    print("The imports have failed: \(error)")
    exit(1)
  }
}

let folder = FileManager.default.temporaryDirectory
  .appending(path: "ImportJSON-\(UUID().uuidString)", directoryHint: .isDirectory)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let stack = try Stack(storeURL: folder.appending(path: "codes.sqlite"))

do {
  for list in ISOList.all { print(try await list.load(stack)) }
  try await Checks.counts(stack)
  try await Checks.subdivisions(stack)
  try await Checks.languages(stack)
  print("Again:")
  for list in ISOList.all {
    let report = try await list.load(stack)
    print(report)
    try Checks.expect(report.isUnchanged, "\(list.number) has changed")
    try Checks.expect(report.outcome == .noChanges, "\(list.number) was written")
  }
  let text = try await stack.save {
    try Country.findFirst(\.code, "DE", in: $0)?.exportJSON() ?? ""
  }
  print("Germany is written as \(text)")
  try stack.close()
} catch {
  print("The import is not as it should be: \(error)")
  exit(1)
}

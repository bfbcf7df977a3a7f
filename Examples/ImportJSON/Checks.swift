import Cauldron
import Foundation

/// What is in the store against what is in the files.
enum Checks {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  static func counts(_ stack: Stack) async throws {
    for list in ISOList.all {
      let expected = try list.records().count
      let found = try await stack.save { try list.count($0) }
      try expect(found == expected, "\(list.number): \(found) objects of \(expected) records")
    }
  }

  /// Every subdivision has its country, and its parent where it names one.
  static func subdivisions(_ stack: Stack) async throws {
    let records = try ISOList.all[1].records()
    let expected = Dictionary(
      records.compactMap { record -> (String, String)? in
        guard let code = record["code"] else { return nil }
        let parent = record["parent"].map { $0.contains("-") ? $0 : "\(code.prefix(3))\($0)" }
        return (code, "\(code.prefix(2)) \(parent ?? "-")")
      }
    ) { first, _ in first }
    let found = try await stack.save { context in
      try Subdivision.findAll(in: context).map { part in
        (part.code, "\(part.country?.code ?? "-") \(part.parent?.code ?? "-")")
      }
    }
    for (code, links) in found {
      try expect(links == expected[code], "\(code) leads to \(links)")
    }
    let parents = records.count { $0["parent"] != nil }
    print("\(found.count) subdivisions lead to their countries, \(parents) to their parents.")
  }

  /// Every entry of the libraries' list leads to what has its code in the two others.
  static func languages(_ stack: Stack) async throws {
    let languages = Set(try ISOList.all[2].records().compactMap { $0["alpha_3"] })
    let families = Set(try ISOList.all[3].records().compactMap { $0["alpha_3"] })
    let found = try await stack.save { context in
      try LibraryEntry.findAll(in: context).map { entry in
        (entry.code, entry.language != nil, entry.family != nil)
      }
    }
    for (code, hasLanguage, hasFamily) in found {
      try expect(hasLanguage == languages.contains(code), "the language of \(code)")
      try expect(hasFamily == families.contains(code), "the family of \(code)")
    }
    let both = found.count { $0.1 || $0.2 }
    print("\(both) of \(found.count) entries lead to a language or a family.")
  }

  static func expect(_ holds: Bool, _ what: String) throws {
    if !holds { throw Failed(description: what) }
  }
}

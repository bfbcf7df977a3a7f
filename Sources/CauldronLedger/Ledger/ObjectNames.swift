import CauldronModel
package import CauldronStore

/// The objects that change sets touch, as a log line names them: each entity with its keys, up to
/// a number that a line can hold.
package struct ObjectNames: CustomStringConvertible {
  private static let limit = 20
  private let sets: [ChangeSet]

  package init(_ sets: [ChangeSet]) { self.sets = sets }

  /// For instance `Person p3 p4 p5, Company p1`.
  package var description: String {
    var rest = Self.limit
    var keys: [(entity: EntityLayout, keys: [Int64])] = []
    for changes in sets.flatMap(\.entities) where rest > 0 {
      let few = Self.keys(changes, atMost: rest)
      rest -= few.count
      if let index = keys.firstIndex(where: { $0.entity === changes.entity }) {
        keys[index].keys += few
      } else {
        keys.append((changes.entity, few))
      }
    }
    let more = sets.reduce(0) { $0 + $1.count } - (Self.limit - rest)
    let list = keys.map { entity, keys in
      let names = keys.map { entity.isJoin ? Self.link($0) : Self.name($0) }
      return "\(entity.name) \(names.joined(separator: " "))"
    }
    return list.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  /// A key as the last part of a URI has it.
  package static func name(_ key: Int64) -> String {
    key < 0 ? "t\(ProvisionalKeys.number(key))" : "p\(key)"
  }

  /// A link by its ends: `p3-p7`.
  private static func link(_ key: Int64) -> String {
    let ends = JoinKey.ends(key)
    return "\(name(ends.first))-\(name(ends.second))"
  }

  private static func keys(_ changes: EntityChanges, atMost count: Int) -> [Int64] {
    var keys = changes.inserted.prefix(count).map(\.key)
    keys += changes.updated.prefix(count - keys.count).map(\.row.key)
    keys += changes.deleted.prefix(count - keys.count).map(\.key)
    return keys
  }
}

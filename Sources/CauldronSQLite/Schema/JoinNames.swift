import CauldronModel

/// The names of join tables and their columns, as Core Data gives them.
///
/// A column has the number of the entity whose keys it holds and the name of the relationship that leads
/// there. Where two joins would have a column of one name, `1` is appended to the second one.
struct JoinNames {
  struct Names {
    /// `Z_5LABELS`: named by the entity of the lower number.
    let table: String
    /// The columns of both ends, in the order of the ends.
    var columns: [String]
    /// The same before a number was appended.
    let bases: [String]
  }

  /// An end of a join, beside which another join may have an end of the same name.
  private struct End {
    let join: EntityLayout
    let index: Int
    /// The entity that the column's relationship leads from.
    let source: String
  }

  private var names: [Int32: Names] = [:]

  init(_ model: ManagedObjectModel, _ numbers: FileNumbers) {
    var ends: [End] = []
    for join in model.layouts where join.isJoin {
      let sides = join.properties.compactMap(Self.side)
      guard sides.count == 2 else { continue }
      let bases = [0, 1].map { end in
        "Z_\(numbers[sides[end].entity])\(sides[1 - end].property.name.uppercased())"
      }
      let first = numbers[sides[1].entity] < numbers[sides[0].entity] ? sides[1] : sides[0]
      names[join.number] = Names(
        table: "Z_\(numbers[first.entity])\(first.property.name.uppercased())", columns: bases,
        bases: bases)
      ends += [0, 1].map { End(join: join, index: $0, source: sides[1 - $0].entity.name) }
    }
    var used: Set<String> = []
    for end in ends.sorted(by: { CaselessOrder.precedes($0.source, $1.source) }) {
      guard let base = names[end.join.number]?.bases[end.index] else { continue }
      var (name, number) = (base, 0)
      while !used.insert(name).inserted {
        number += 1
        name = "\(base)\(number)"
      }
      names[end.join.number]?.columns[end.index] = name
    }
  }

  /// The entity whose keys an end holds, and its relationship.
  private static func side(
    _ end: PropertyLayout
  ) -> (entity: EntityLayout, property: PropertyLayout)? {
    end.destination.map { ($0.entity, $0.entity.properties[$0.inverse]) }
  }

  subscript(join: EntityLayout) -> Names {
    names[join.number] ?? Names(table: "Z_\(join.number)", columns: [], bases: [])
  }
}

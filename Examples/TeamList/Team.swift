import Cauldron

@Entity final class Team: ManagedObject {
  var name: String
}

extension Team {
  /// Makes a team in a context.
  static func named(_ name: String, in context: ManagedObjectContext) {
    create(in: context).name = name
  }
}

/// Prints the list of a context.
func printTeams(_ context: ManagedObjectContext) throws {
  let names = try Team.findAll(sortedBy: \.name, in: context).map(\.name)
  print("\(names.count) teams: \(names.joined(separator: ", "))")
}

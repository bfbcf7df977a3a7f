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

import Testing

/// Expects that each fix-it leaves nothing to complain about.
func expectRepaired(_ expansion: Expansion, sourceLocation: SourceLocation = #_sourceLocation) {
  for fixed in expansion.fixed {
    #expect(Expansion(fixed.source).messages == [], sourceLocation: sourceLocation)
  }
}

/// Expands a class with the given members; messages count lines from the first member.
func expandMembers(_ members: String) -> Expansion {
  Expansion("@Entity final class Person: ManagedObject {\n\(members)\n}")
}

extension Expansion {
  /// The fix-its as "message → members".
  var fixedMembers: [String] {
    fixed.map { fixed in
      let members = fixed.source.split(separator: "\n").dropFirst().dropLast()
      return "\(fixed.message) → \(members.joined(separator: "\n"))"
    }
  }
}

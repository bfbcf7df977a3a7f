extension QueryExpression {
  /// A part in which the objects of a group may differ; nil where there is none.
  package func undecided(by groups: [QueryExpression]) -> QueryExpression? {
    if groups.contains(self) { return nil }
    switch self {
    case .value: return nil
    case .property: return self
    case .aggregate(_, let path, _, _): return path.steps.isEmpty ? nil : self
    case .arithmetic(_, let a, let b):
      return a.undecided(by: groups) ?? b.undecided(by: groups)
    case .function(_, let value): return value.undecided(by: groups)
    case .conditional(let condition, let a, let b):
      if condition.undecided(by: groups) != nil { return self }
      return a.undecided(by: groups) ?? b.undecided(by: groups)
    }
  }
}

extension PredicateNode {
  /// A part in which the objects of a group may differ; nil where there is none.
  package func undecided(by groups: [QueryExpression]) -> String? {
    switch self {
    case .constant: return nil
    case .comparison(let a, _, let b, _), .text(let a, _, let b, _):
      return (a.undecided(by: groups) ?? b.undecided(by: groups))?.description
    case .isIn(let value, _, _): return value.undecided(by: groups)?.description
    case .isNil(let path): return QueryExpression.property(path).undecided(by: groups)?.description
    case .joined(let junction):
      return junction.conditions.lazy.compactMap { $0.undecided(by: groups) }.first
    case .refersTo, .isSelf, .quantified: return description
    }
  }
}

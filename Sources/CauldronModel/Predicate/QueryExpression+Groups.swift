extension QueryExpression {
  /// Whether it, or a part of it, is gathered from the rows of a group.
  package var gathersRows: Bool {
    switch self {
    case .value, .property: false
    case .aggregate(_, let path, let value, let condition):
      path.steps.isEmpty || value?.gathersRows ?? false || condition?.gathersRows ?? false
    case .arithmetic(_, let a, let b): a.gathersRows || b.gathersRows
    case .function(_, let value): value.gathersRows
    case .conditional(let condition, let a, let b):
      condition.gathersRows || a.gathersRows || b.gathersRows
    }
  }

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
  /// Whether a part of it is gathered from the rows of a group.
  package var gathersRows: Bool {
    switch self {
    case .comparison(let a, _, let b, _), .text(let a, _, let b, _):
      a.gathersRows || b.gathersRows
    case .isIn(let value, _, _): value.gathersRows
    case .joined(let junction): junction.conditions.contains(where: \.gathersRows)
    case .quantified(_, _, let condition): condition.gathersRows
    case .constant, .isNil, .refersTo, .isSelf: false
    }
  }

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

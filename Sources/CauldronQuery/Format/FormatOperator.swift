import CauldronModel

/// What a parser has read and not applied yet, since more binds tighter.
struct FormatOperator {
  let kind: Kind
  let start: Int

  enum Kind {
    case or
    case and
    case not
    case quantifier(PredicateNode.Quantifier)
    case comparison(FormatComparison)
    case arithmetic(QueryExpression.Arithmetic)
    case minus
    case power
    case frame(FormatFrame)
  }

  /// What binds tighter has more; a frame ends all.
  var precedence: Int {
    switch kind {
    case .frame: 0
    case .or: 1
    case .and: 2
    case .not: 3
    case .quantifier: 4
    case .comparison: 5
    case .arithmetic(.bitAnd), .arithmetic(.bitOr), .arithmetic(.bitXor): 6
    case .arithmetic(.add), .arithmetic(.subtract): 7
    case .arithmetic: 8
    case .minus: 9
    case .power: 10
    }
  }

  var frame: FormatFrame? {
    if case .frame(let frame) = kind { frame } else { nil }
  }

  /// Whether a condition begins behind it.
  var takesCondition: Bool {
    switch kind {
    case .or, .and, .not: true
    case .frame(let frame): frame.takesCondition
    case .quantifier, .comparison, .arithmetic, .minus, .power: false
    }
  }
}

/// Brackets that are open.
struct FormatFrame {
  let kind: Kind
  /// How many operands lie below its own.
  let base: Int
  /// How many of its parts are over.
  var commas = 0

  enum Kind {
    case group
    case list
    case call(String)
    case ternary
    case cast
    case method
    case subquery
    /// `skills.@sum.(…)`
    case gathering(FormatGathering)
  }

  /// What ends it.
  var end: String { if case .list = kind { "}" } else { ")" } }

  /// Whether others of its kind may lie in it: all but what stands around constants.
  var nests: Bool {
    switch kind {
    case .list, .cast: false
    default: true
    }
  }

  /// Whether it has a definite number of parts.
  var isCounted: Bool {
    switch kind {
    case .ternary, .cast, .subquery: true
    default: false
    }
  }

  /// Whether a comma may follow its part.
  var takesComma: Bool {
    switch kind {
    case .group, .gathering: false
    case .list, .call: true
    case .ternary: commas < 2
    case .cast: commas < 1
    case .method: true
    case .subquery: commas == 0
    }
  }

  /// Whether its next part is a condition, or may be one.
  var takesCondition: Bool {
    switch kind {
    case .group: true
    case .ternary: commas == 0
    case .subquery: commas == 2
    case .list, .call, .cast, .method, .gathering: false
    }
  }
}

/// Whose properties the names in brackets are.
enum FormatRoot {
  /// Those of the objects that a SUBQUERY goes through, by its variable.
  case variable(String)
  /// Those of the objects from which something is gathered.
  case gathered
}

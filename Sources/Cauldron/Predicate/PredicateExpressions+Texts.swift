import CauldronModel
import Foundation

extension PredicateExpressions.CollectionContainsCollection: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .condition(try reader.search(.contains, reader.read(base), reader.read(other)))
  }
}

extension PredicateExpressions.SequenceStartsWith: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    .condition(try reader.search(.beginsWith, reader.read(base), reader.read(prefix)))
  }
}

extension PredicateExpressions.StringContainsRegex: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    guard case .constant(let value) = try reader.read(regex),
      let pattern = value as? PredicateExpressions.PredicateRegex
    else { throw reader.refusal("a regular expression that is not written out") }
    let text = try reader.value(subject)
    // Anything may stand before and behind it, line ends included.
    let whole = "[\\s\\S]*(?:\(pattern.stringRepresentation))[\\s\\S]*"
    return .condition(.text(text, .matches, .value(.text(whole)), []))
  }
}

extension PredicateReader {
  fileprivate func search(
    _ search: PredicateNode.TextOperator, _ text: PredicateTerm, _ part: PredicateTerm
  ) throws -> PredicateNode {
    if case .objects(let path, _) = text {
      throw refusal("\(search.rawValue) of objects", hint: Self.form(path), at: path)
    }
    return .text(try value(text), search, try value(part), [])
  }
}

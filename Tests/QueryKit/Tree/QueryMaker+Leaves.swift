import CauldronModel
import CauldronQuery
import Foundation

extension QueryMaker {
  /// A condition without conditions beside it.
  mutating func leaf(_ entity: String, _ depth: Int) -> PredicateNode {
    switch random.below(20) {
    case 0: return .constant(random.once(in: 2))
    case 1: return .isSelf(objects(entity))
    case 2, 3:
      guard let path = path(entity, { $0.destination != nil }),
        let end = destination(path.steps[...], entity)
      else { return .constant(false) }
      return .refersTo(path, objects(end))
    case 4:
      return path(entity) { $0.type != nil || $0.isToOne }.map { .isNil($0) } ?? .constant(true)
    case 5, 6, 7:
      return .comparison(number(entity, depth), comparison(), number(entity, depth), [])
    case 8: return .comparison(text(entity, depth), comparison(), text(entity, depth), options())
    case 9, 10, 11: return search(entity, depth)
    case 12:
      return .isIn(text(entity, depth), list { Self.text(&$0) }, options())
    case 13: return .isIn(number(entity, depth), list { Self.number(&$0) }, [])
    case 14: return .between(number(entity, depth), number(entity, 0), number(entity, 0))
    case 15: return references(entity)
    case 16: return decimals(entity, depth)
    case 17: return opening(entity) ?? simple(entity)
    default: return simple(entity)
    }
  }

  private mutating func list(_ make: (inout KitRandom) -> AttributeScalar) -> [AttributeScalar] {
    let count = random.once(in: 12) ? 130 : random.below(4)
    return (0..<count).map { place in
      // A long list has values of its own.
      if count > 100, case .integer = make(&random) { return .integer(Int64(place)) }
      return make(&random)
    }
  }

  static func text(_ random: inout KitRandom) -> AttributeScalar {
    random.once(in: 8) ? .null : .text(random.pick(QueryValues.texts))
  }

  static func number(_ random: inout KitRandom) -> AttributeScalar {
    switch random.below(8) {
    case 0: .null
    case 1, 2, 3: .real(random.pick(QueryValues.reals))
    default: .integer(random.pick(QueryValues.integers))
    }
  }

  /// Compares an attribute with a value of its type, from either side, or with a list of such.
  mutating func simple(_ entity: String) -> PredicateNode {
    guard let path = path(entity, { $0.type != nil }),
      let type = property(path, entity)?.type
    else { return .constant(true) }
    let value = operand(type)
    switch random.below(4) {
    case 0: return .isIn(.property(path), [value, operand(type), .null], [])
    case 1: return .comparison(.value(value), comparison(), .property(path), [])
    default: return .comparison(.property(path), comparison(), .value(value), [])
    }
  }

  mutating func operand(_ type: AttributeType) -> AttributeScalar {
    switch type {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .date:
      return Self.number(&random)
    case .decimal:
      let number = Self.number(&random)
      // Of those that are not too large or too small for decimals.
      if case .real(let value) = number, value != 0, !(0.01...1e16).contains(abs(value)) {
        return .text("1.5")
      }
      return random.once(in: 2) ? QueryValues.value(type, &random) : number
    case .string, .uri, .uuid, .binary, .transformable, .composite, .undefined:
      return QueryValues.value(type, &random)
    }
  }

  /// Compares what two to-one relationships lead to.
  private mutating func references(_ entity: String) -> PredicateNode {
    guard let a = path(entity, { $0.isToOne }), let end = property(a, entity)?.destination,
      let b = path(entity, { $0.isToOne }), let other = property(b, entity)?.destination,
      schema.roots[end] == schema.roots[other]
    else { return .constant(true) }
    return .comparison(
      .property(a), random.once(in: 2) ? .equal : .notEqual, .property(b), [])
  }

  /// Compares decimals with one another or with numbers.
  private mutating func decimals(_ entity: String, _ depth: Int) -> PredicateNode {
    guard let a = decimal(entity, depth) else { return simple(entity) }
    if random.once(in: 2), let b = decimal(entity, depth) {
      return .comparison(a, comparison(), b, [])
    }
    if random.once(in: 4) {
      return .isIn(a, [operand(.decimal), .null, operand(.decimal)], [])
    }
    return .comparison(a, comparison(), .value(operand(.decimal)), [])
  }

  private mutating func search(_ entity: String, _ depth: Int) -> PredicateNode {
    let all: [PredicateNode.TextOperator] = [.beginsWith, .contains, .endsWith, .like, .matches]
    let search = random.pick(all)
    let patterns: [String]
    switch search {
    case .like: patterns = ["a*", "*b*", "?", "??", "A?*", "*", "a\\*b", "*a*b*", "", "ä*", "*\\"]
    case .matches:
      patterns = [
        "a.*", "[ab]+", "(a|b)?c", ".", "", "a{1,2}b?", ".*B.*", "[^a]", "a\\*b", "line.line",
        "line\\sline", "i", "(?i)abc", "[a-c]*", "\\d*%?", "a(?:b|\\*)+b?", "^a$|^b$",
      ]
    default: patterns = ["", "a", "B", "ab", "ä", "\u{308}", "e", "\u{0}", "%", "_", "🙂", "ss"]
    }
    let value = text(entity, depth)
    if search != .matches, random.once(in: 6) {
      return .text(value, search, text(entity, max(0, depth - 1)), options())
    }
    return .text(value, search, .value(.text(random.pick(patterns))), options())
  }
}

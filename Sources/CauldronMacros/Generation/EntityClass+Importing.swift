extension EntityClass {
  /// Tells which properties have functions of their own.
  var importedProperties: String? {
    if handled.isEmpty { return nil }
    let list = Set(handled.map(\.property)).sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    let value = superclass == nil ? "[\(list)]" : "super._importedProperties.union([\(list)])"
    return "\(overrideAccess)override class var _importedProperties: Set<String> { \(value) }"
  }

  /// Calls them.
  var importProperty: String? {
    if handled.isEmpty { return nil }
    let names = Set(handled.map(\.property)).sorted()
    let cases = names.map { name in
      "  case \"\(name)\":\n" + lines(name).map { "    \($0)\n" }.joined()
    }.joined()
    return """
      \(overrideAccess)override func _importProperty(_ name: String, _ value: ImportValue) throws -> Bool {
        switch name {
      \(cases)  default: return try super._importProperty(name, value)
        }
      }
      """
  }

  /// An inherited property is not seen from here: who means one takes the source.
  private var handled: [ImportFunction] {
    imports.filter { function in
      guard let own = properties.first(where: { $0.name == function.property }) else {
        return superclass != nil && function.takesSource
      }
      return function.takesSource || !own.isRelationship
    }
  }

  private func lines(_ name: String) -> [String] {
    let functions = handled.filter { $0.property == name }
    // Whether at all comes before how.
    let ordered = functions.filter(\.asks) + functions.filter { !$0.asks }
    var lines = ordered.enumerated().flatMap { line($0.element, $0.offset) }
    if lines.last?.hasPrefix("return") != true { lines.append("return false") }
    return lines
  }

  /// What is no value of a function's type is none of its business.
  private func line(_ function: ImportFunction, _ number: Int) -> [String] {
    let attempt = function.canThrow ? "try " : ""
    let argument = function.takesSource ? "value.source" : "value\(number)"
    let reading = "let \(argument) = value._value(as: (\(function.type)).self)"
    let call = "\(attempt)\(function.name)(\(argument))"
    if function.asks || function.returnsBool {
      let test = function.asks ? "\(attempt)!\(function.name)(\(argument))" : call
      return ["if \(function.takesSource ? "" : "\(reading), ")\(test) { return true }"]
    }
    if function.takesSource { return [call, "return true"] }
    return ["if \(reading) {", "  \(call)", "  return true", "}"]
  }
}

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

  private var handled: [ImportFunction] {
    let own = Set(properties.map { $0.identifier.filter { $0 != "`" } })
    return imports.filter { own.contains($0.property) || superclass != nil }
  }

  private func lines(_ name: String) -> [String] {
    let functions = handled.filter { $0.property == name }
    // Whether at all comes before how.
    let ordered = functions.filter(\.asks) + functions.filter { !$0.asks }
    var lines = ordered.enumerated().flatMap { line($0.element, $0.offset) }
    if functions.allSatisfy({ $0.asks || $0.returnsBool }) { lines.append("return false") }
    return lines
  }

  private func line(_ function: ImportFunction, _ number: Int) -> [String] {
    let attempt = function.canThrow ? "try " : ""
    let isSource = ["ImportSource", "CauldronModel.ImportSource"].contains(function.type)
    let argument = isSource ? "value.source" : "value\(number)"
    let reading =
      isSource
      ? []
      : ["guard let \(argument) = value._value(as: (\(function.type)).self) else { return false }"]
    let call = "\(attempt)\(function.name)(\(argument))"
    if function.asks {
      return reading + ["if \(attempt)!\(function.name)(\(argument)) { return true }"]
    }
    return reading
      + (function.returnsBool ? ["if \(call) { return true }"] : ["\(call)", "return true"])
  }
}

import SwiftDiagnostics
import SwiftSyntax

/// Everything that the macros refuse, with the sentence that the programmer reads.
enum EntityDiagnostic: Sendable {
  // The class.
  case needsClass(name: String, kind: String)
  case needsSuperclass(name: String)
  case genericClass
  case insideGenericType(name: String)
  case insideFunction(name: String)
  case privateInsideType(name: String)
  case nameNotLiteral
  case designatedInitializer(entity: String)
  case inheritedInitializer(entity: String)

  // Any property.
  case outsideEntity(marker: String)
  case notStored(marker: String, name: String)
  case severalInOne(names: [String])
  case needsName
  case constant(name: String)
  case observers(name: String)
  case modifier(name: String, modifier: String)
  case conditional(name: String)
  case needsType(name: String)
  case reservedName(name: String)

  // Attributes.
  case needsDefault(name: String, type: String)
  case unsupportedType(name: String, type: String)
  case derivedDefault(name: String)
  case derivedExpression(name: String, expression: String)
  case derivedType(name: String, type: String)

  // Rules.
  case ruleNeedsString(rule: String, name: String, type: String)
  case rangeNeedsNumber(name: String, type: String)
  case rangeOfOtherType(name: String, type: String)
  case emptyRange(name: String, range: String)
  case badPattern(name: String, reason: String)

  // Relationships.
  case needsRelationshipMarker(name: String)
  case notRelationship(name: String, type: String)
  case toOneNotOptional(name: String)
  case toManyOptional(name: String)
  case needsToMany(name: String, type: String)
  case relationshipDefault(name: String)
  case inverseNotLiteral(name: String)
  case inverseOnBothSides(name: String, other: String)
  case inverseTwice(name: String, other: String, inverse: String)

  // Imports.
  case importsNothing(function: String, name: String)
  case importForm(function: String)
  case importRelationship(function: String, name: String)

  // Lists of key paths.
  case listOutsideEntity(macro: String)
  case conditionalList(macro: String)
  case listOfOtherClass(macro: String, entity: String)
  case needsKeyPathList(macro: String)
  case emptyList(macro: String)
  case listNeedsKeyPath(macro: String)
  case listTwice(macro: String, names: [String])
  case namedTwice(macro: String, name: String)
  case notStoredInList(macro: String, name: String)
  case transientInList(macro: String, name: String)
  case toManyInList(macro: String, name: String)
}

extension EntityDiagnostic: DiagnosticMessage {
  var severity: DiagnosticSeverity {
    switch self {
    case .importsNothing, .importForm, .importRelationship: .warning
    default: .error
    }
  }

  var diagnosticID: MessageID {
    let identifier = String(describing: self).prefix { $0 != "(" }
    return MessageID(domain: "Cauldron", id: String(identifier))
  }

  var message: String {
    classMessage ?? propertyMessage ?? listMessage ?? ruleMessage ?? valueMessage
  }

  private var classMessage: String? {
    switch self {
    case .needsClass(let name, let kind): "'@Entity' needs a class; '\(name)' is \(kind)"
    case .needsSuperclass(let name): "'\(name)' must inherit from 'ManagedObject'"
    case .genericClass: "'@Entity' does not support generic classes"
    case .insideGenericType(let name):
      "'@Entity' does not support classes inside generic types; move '\(name)' out"
    case .insideFunction(let name):
      "'@Entity' does not support classes inside functions; move '\(name)' out"
    case .privateInsideType(let name):
      "'\(name)' is private to the type around it; '@Entity' needs at least 'fileprivate' there"
    case .nameNotLiteral: "the name of an entity must be a string literal without interpolation"
    case .designatedInitializer(let entity):
      "objects of '\(entity)' are made by their context: an initializer must be 'convenience' and call"
        + " 'self.init(context:)'"
    case .inheritedInitializer(let entity):
      "'\(entity)' inherits 'init(context:)', which makes its objects; set values in 'awakeFromInsert()'"
        + " or in an initializer with other parameters"
    default: nil
    }
  }

  private var propertyMessage: String? {
    switch self {
    case .outsideEntity(let marker): "'@\(marker)' works only in an '@Entity' class"
    case .notStored(let marker, let name):
      "'@\(marker)' needs a stored instance property; '\(name)' is not one"
    case .severalInOne(let names):
      "attributes \(names.map { "'\($0)'" }.joined(separator: ", ")) need a 'var' each"
    case .needsName: "an attribute needs a name of its own, not a pattern"
    case .constant(let name): "'\(name)' is a 'let'; an attribute is a 'var'"
    case .observers(let name): "attribute '\(name)' cannot have observers"
    case .modifier(let name, let modifier): "attribute '\(name)' cannot be '\(modifier)'"
    case .conditional(let name): "attribute '\(name)' cannot be inside '#if'"
    case .needsType(let name): "attribute '\(name)' needs a type annotation"
    case .reservedName(let name):
      "every object has a property '\(name)' by itself; give this one another name, and 'originalName:' if"
        + " a store has it"
    default: nil
    }
  }

  private var listMessage: String? {
    switch self {
    case .listOutsideEntity(let macro): "'#\(macro)' works only in an '@Entity' class"
    case .conditionalList(let macro): "'#\(macro)' cannot be inside '#if'"
    case .listOfOtherClass(let macro, let entity):
      "'#\(macro)' names properties of the class around it, '\(entity)'"
    case .needsKeyPathList(let macro):
      "'#\(macro)' needs lists of key paths written out, such as '[\\.name]'"
    case .emptyList(let macro): "'#\(macro)' names no property"
    case .listNeedsKeyPath(let macro):
      "'#\(macro)' needs key paths to properties of the class itself, written out"
    case .listTwice(let macro, let names):
      "'#\(macro)' has the list of \(names.map { "'\($0)'" }.joined(separator: ", ")) twice"
    case .namedTwice(let macro, let name): "'#\(macro)' names '\(name)' twice in one list"
    case .notStoredInList(let macro, let name):
      "'#\(macro)' needs stored properties; '\(name)' is not one"
    case .transientInList(let macro, let name):
      "'#\(macro)' needs properties that the store keeps; '\(name)' is transient"
    case .toManyInList(let macro, let name):
      "'#\(macro)' cannot name the to-many relationship '\(name)', which has no column"
    default: nil
    }
  }

  private var ruleMessage: String? {
    switch self {
    case .ruleNeedsString(let rule, let name, let type):
      "'.\(rule)' needs a 'String'; '\(name)' has the type '\(type)'"
    case .rangeNeedsNumber(let name, let type):
      "'.range' needs a number, a date or a duration; '\(name)' has the type '\(type)'"
    case .rangeOfOtherType(let name, let type):
      "the bounds of the range of '\(name)' must have the type '\(type)'"
    case .emptyRange(let name, let range): "'\(name)' can have no value: '\(range)' is empty"
    case .badPattern(let name, let reason):
      "the pattern of '\(name)' is no regular expression: \(reason)"
    default: nil
    }
  }

  private var valueMessage: String {
    switch self {
    case .needsDefault(let name, let type):
      "attribute '\(name)' of type '\(type)' needs a default value or an optional type"
    case .unsupportedType(let name, let type):
      "attribute '\(name)' has the unsupported type '\(type)'"
    case .derivedDefault(let name): "derived attribute '\(name)' cannot have a default value"
    case .derivedExpression(let name, let expression):
      "'\(name)' cannot be derived from '\(expression)'; write 'items.@count', 'items.@sum.price',"
        + " 'owner.name', 'name', 'canonical:(name)' or 'now()'"
    case .derivedType(let name, let type):
      "derived attribute '\(name)' needs an integer type; '\(type)' is none"
    case .needsRelationshipMarker(let name):
      "'\(name)' is a relationship; mark it '@Relationship'"
    case .notRelationship(let name, let type):
      "'@Relationship' needs an entity; '\(name)' has the type '\(type)'"
    case .toOneNotOptional(let name): "to-one relationship '\(name)' must be optional"
    case .toManyOptional(let name): "to-many relationship '\(name)' must not be optional"
    case .needsToMany(let name, let type):
      "to-many relationship '\(name)' must have the type '\(type)'"
    case .relationshipDefault(let name): "relationship '\(name)' cannot have a default value"
    case .inverseNotLiteral(let name):
      "the inverse of '\(name)' must be a key path or a string written out"
    case .importsNothing(let function, let name):
      "'\(function)' would import '\(name)', and there is no such property"
    case .importForm(let function):
      "'\(function)' needs one parameter without a label, an 'ImportSource' or the property's type, and"
        + " returns nothing or 'Bool'"
    case .importRelationship(let function, let name):
      "'\(function)' needs one parameter without a label, an 'ImportSource', as '\(name)' is a relationship,"
        + " and returns nothing or 'Bool'"
    case .inverseOnBothSides(let name, let other):
      "'\(name)' and '\(other)' both name the other as their inverse; only one may"
    case .inverseTwice(let name, let other, let inverse):
      "'\(name)' and '\(other)' both name '\(inverse)' as their inverse; only one may"
    default: ""
    }
  }
}

/// A problem at a place of the source, with what would repair it.
struct Finding {
  let node: Syntax
  let problem: EntityDiagnostic
  let fixIts: [FixIt]

  init(_ node: some SyntaxProtocol, _ problem: EntityDiagnostic, fixIts: [FixIt] = []) {
    self.node = Syntax(node)
    self.problem = problem
    self.fixIts = fixIts
  }

  var diagnostic: Diagnostic { Diagnostic(node: node, message: problem, fixIts: fixIts) }
}

/// What a fix-it says that it does.
struct Repair: FixItMessage {
  let message: String

  var fixItID: MessageID { MessageID(domain: "Cauldron", id: message) }
}

extension FixIt {
  /// A fix-it of one or more textual changes.
  init(_ message: String, _ changes: Change...) {
    self.init(message: Repair(message: message), changes: changes)
  }
}

extension FixIt.Change {
  static func insert(_ text: String, before node: some SyntaxProtocol) -> Self {
    let position = node.positionAfterSkippingLeadingTrivia
    return .replaceText(range: position..<position, with: text, in: Syntax(node))
  }

  static func insert(_ text: String, after node: some SyntaxProtocol) -> Self {
    let position = node.endPositionBeforeTrailingTrivia
    return .replaceText(range: position..<position, with: text, in: Syntax(node))
  }

  /// Replaces a node, but not the space and comments around it.
  static func replace(_ node: some SyntaxProtocol, with text: String) -> Self {
    let range = node.positionAfterSkippingLeadingTrivia..<node.endPositionBeforeTrailingTrivia
    return .replaceText(range: range, with: text, in: Syntax(node))
  }

  /// Removes a node and the space up to the next token.
  static func remove(_ node: some SyntaxProtocol) -> Self {
    let next = node.nextToken(viewMode: .sourceAccurate)
    let end = next?.positionAfterSkippingLeadingTrivia ?? node.endPosition
    let range = node.positionAfterSkippingLeadingTrivia..<end
    return .replaceText(range: range, with: "", in: Syntax(node))
  }

  /// Removes a node and the space between it and the token before.
  static func removeTail(_ node: some SyntaxProtocol) -> Self {
    let previous = node.previousToken(viewMode: .sourceAccurate)
    let start = previous?.endPositionBeforeTrailingTrivia ?? node.position
    return .replaceText(
      range: start..<node.endPositionBeforeTrailingTrivia, with: "", in: Syntax(node))
  }
}

import CauldronModel

/// The properties of an entity as an archive has them: the elements of a composite attribute stand beside it, as
/// attributes named `spot.latitude`.
struct ArchivedElements {
  /// The key for the name that the model has for a composite attribute's elements.
  static let nameKey = "CauldronCompositeName"

  private var properties: [PropertyDescription]

  init(_ properties: [PropertyDescription]) { self.properties = properties }

  /// The properties with the elements in their composite attributes.
  var gathered: [PropertyDescription] {
    var copy = self
    let composites = properties.compactMap { property -> String? in
      guard case .attribute(let attribute) = property, attribute.type == .composite else {
        return nil
      }
      return attribute.name
    }
    // The innermost first.
    for name in composites.sorted(by: { $0.count > $1.count }) { copy.gather(name) }
    return copy.properties
  }

  private mutating func gather(_ name: String) {
    let elements = take("\(name).")
    guard let place = properties.firstIndex(where: { $0.name == name }),
      case .attribute(var whole) = properties[place]
    else { return }
    // The archive has the composite attribute without a column in any case.
    whole.isTransient = elements.allSatisfy(\.isTransient)
    whole.elements = elements.map { element in
      var element = element
      element.isTransient = element.isTransient && !whole.isTransient
      return element
    }
    properties[place] = .attribute(whole)
  }

  /// Takes out the attributes whose names have a beginning, which they lose.
  private mutating func take(_ prefix: String) -> [AttributeDescription] {
    var elements: [AttributeDescription] = []
    properties.removeAll { property in
      guard case .attribute(var element) = property, element.name.hasPrefix(prefix) else {
        return false
      }
      element.name = String(element.name.dropFirst(prefix.count))
      element.originalNames = []
      elements.append(element)
      return true
    }
    return elements.sorted { $0.name < $1.name }
  }
}

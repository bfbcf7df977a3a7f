import CauldronModel

// MagicalRecord's keys, as model editors have noted them. What the model says by itself comes first.
extension AttributeDescription {
  /// Where imports find the value.
  var noted: AttributeImport {
    if userInfo.isEmpty || importing != AttributeImport() { return importing }
    var mapping = importing
    mapping.from = userInfo.names(name)
    mapping.dateFormats = userInfo.numbered("dateFormat").map {
      $0 == "UnixTime" ? .millisecondsSince1970 : .pattern($0)
    }
    if userInfo["useDefaultValueWhenNotPresent"].map(\.isTruth) == true {
      mapping.absent = .setDefault
    }
    mapping.isExcluded = userInfo["excludeFromImport"].map(\.isTruth) == true
    return mapping
  }
}

extension RelationshipDescription {
  /// Where imports find the objects.
  var noted: RelationshipImport {
    if userInfo.isEmpty || importing != RelationshipImport() { return importing }
    var mapping = importing
    mapping.from = userInfo.names(name)
    mapping.match = userInfo["relatedByAttribute"]
    mapping.isExcluded = userInfo["excludeFromImport"].map(\.isTruth) == true
    return mapping
  }
}

extension [String: String] {
  /// The names under which a value is found; none where that is the property's own alone.
  fileprivate func names(_ own: String) -> [String] {
    let all = numbered("mappedKeyName")
    return self["mappedKeyName"] == nil && !all.isEmpty ? [own] + all : all
  }

  /// The values of a key and of the same with `.1` to `.9`, as long as there are any.
  fileprivate func numbered(_ key: String) -> [String] {
    var all = self[key].map { [$0] } ?? []
    for number in 1...9 {
      guard let value = self["\(key).\(number)"] else { break }
      all.append(value)
    }
    return all
  }
}

extension String {
  fileprivate var isTruth: Bool { ["1", "yes", "true", "y", "t"].contains(lowercased()) }
}

/// Core Data's entity version hashes (`NSStoreModelVersionHashesVersion` 3).
///
/// ```
/// prop   = SHA256( name ‖ u8(isOptional) ‖ u8(isReadOnly) ‖ versionHashModifier )
/// attr   = SHA256( prop ‖ u32(type) ‖ [01 if external storage] ‖ [01 if preserved in history] )
/// rel    = SHA256( prop ‖ destination name ‖ inverse name ‖ i32(maxCount) ‖ i32(minCount)
///                  ‖ [01 00 if ordered] )
/// entity = SHA256( name ‖ u8(isAbstract) ‖ [hash of the superentity]
///                  ‖ hash of every stored property, inherited ones too, sorted by name
///                  ‖ versionHashModifier
///                  ‖ for each own uniqueness constraint, sorted: attribute names joined by "." )
/// ```
/// A derived attribute is SHA256( its expression as Core Data describes it ), and nothing else.
/// Integers are little-endian. Delete rules, defaults and indexes do not enter.
package enum VersionHash {
  /// Computes the hash of every layout; parents come before their children.
  static func fill(_ layouts: [EntityLayout]) {
    for layout in layouts {
      layout.versionHash = Input(layout).hash
      guard !layout.digest.derived.isEmpty else { continue }
      layout.formerHash = Input(layout, isFormer: true).hash
    }
  }

  /// What enters the hash of an entity.
  package struct Input {
    package let name: String
    package var isAbstract: Bool
    /// The hash of the superentity.
    package var parent: [UInt8]?
    /// The stored properties, inherited ones too.
    package var properties: [PropertyDescription]
    package var constraints: [[String]]
    /// What makes another hash of the same definition.
    package var modifier: String?

    /// Whether derived attributes enter as in stores of this library up to version 1.
    private let isFormer: Bool

    package init(_ layout: EntityLayout, isFormer: Bool = false) {
      self.isFormer = isFormer
      name = layout.name
      isAbstract = layout.isAbstract
      let former = isFormer ? layout.superentity?.formerHash : nil
      parent = former ?? layout.superentity?.versionHash
      properties = layout.declaredProperties.filter { $0.kind != .transient }.map(\.description)
      constraints = layout.description.uniquenessConstraints
      modifier = layout.description.versionHashModifier
    }

    package var hash: [UInt8] { Variants(self, isFormer: isFormer).hash }
  }

  /// The hashes that an entity would have with another property in the place of one.
  ///
  /// Those of all other properties are computed once.
  package struct Variants {
    /// The properties in the order of their hashes.
    package let properties: [PropertyDescription]
    private let head: [UInt8]
    private let hashes: [[UInt8]]
    private let tail: [UInt8]

    package init(_ input: Input, isFormer: Bool = false) {
      properties = input.properties.sorted {
        $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
      }
      head = Array(input.name.utf8) + [input.isAbstract ? 1 : 0] + (input.parent ?? [])
      hashes = properties.map { VersionHash.hash(of: $0, isFormer: isFormer) }
      // In alphabetical order, as stores of several constraints in an entity show (LoopKit's). No public store
      // tells whether they or the modifier come first.
      let constraints = input.constraints.map { $0.joined(separator: ".") }.sorted()
      tail = Array((input.modifier ?? "").utf8) + constraints.flatMap { Array($0.utf8) }
    }

    /// How many bytes are hashed for each variant.
    package var size: Int { head.count + 32 * hashes.count + tail.count }

    /// The hash of the entity as it is.
    package var hash: [UInt8] { SHA2.sha256(head + hashes.joined() + tail) }

    /// The hash with another property in the place of one, or with none there.
    package func hash(with property: PropertyDescription?, at index: Int) -> [UInt8] {
      var bytes = head
      bytes.reserveCapacity(size)
      for hash in hashes[..<index] { bytes += hash }
      if let property { bytes += VersionHash.hash(of: property) }
      for hash in hashes[(index + 1)...] { bytes += hash }
      return SHA2.sha256(bytes + tail)
    }
  }

  private static func hash(
    of property: PropertyDescription, isFormer: Bool = false
  ) -> [UInt8] {
    switch property {
    case .attribute(let attribute): hash(of: attribute, isFormer: isFormer)
    case .relationship(let relationship): hash(of: relationship)
    }
  }

  private static func hash(of attribute: AttributeDescription, isFormer: Bool) -> [UInt8] {
    if !isFormer, let derived = attribute.derived {
      return SHA2.sha256(Array(derived.description.utf8))
    }
    var bytes = property(
      attribute.name, isOptional: attribute.isOptional || attribute.isInOptional,
      isReadOnly: attribute.derivation != nil,
      modifier: attribute.versionHashModifier)
    bytes += littleEndian(Int32(attribute.type.rawValue))
    if attribute.allowsExternalBinaryDataStorage { bytes.append(1) }
    if attribute.preservesValueInHistoryOnDeletion { bytes.append(1) }
    if let derivation = attribute.derivation { bytes += Array(derivation.utf8) }
    return SHA2.sha256(bytes)
  }

  private static func hash(of relationship: RelationshipDescription) -> [UInt8] {
    var bytes = property(
      relationship.name, isOptional: relationship.isOptional,
      modifier: relationship.versionHashModifier)
    bytes += Array(relationship.destination.utf8)
    bytes += Array((relationship.inverse ?? "").utf8)
    bytes += littleEndian(Int32(relationship.maxCount))
    bytes += littleEndian(Int32(relationship.minCount))
    if relationship.isOrdered { bytes += [1, 0] }
    return SHA2.sha256(bytes)
  }

  private static func property(
    _ name: String, isOptional: Bool, isReadOnly: Bool = false, modifier: String?
  ) -> [UInt8] {
    let flags: [UInt8] = [isOptional ? 1 : 0, isReadOnly ? 1 : 0]
    return SHA2.sha256(Array(name.utf8) + flags + Array((modifier ?? "").utf8))
  }

  private static func littleEndian(_ value: Int32) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}

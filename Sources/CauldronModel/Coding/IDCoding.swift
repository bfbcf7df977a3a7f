/// How IDs are written and read; what opens stores tells it.
///
/// An ID names its store by a number of this process, which means nothing elsewhere.
package enum IDCoding {
  /// The two ways between an ID and its URI.
  package struct Ways: Sendable {
    let write: @Sendable (ManagedObjectID) throws -> String
    let print: @Sendable (ManagedObjectID) -> String
    package let read: @Sendable (String) throws -> ManagedObjectID

    package init(
      write: @escaping @Sendable (ManagedObjectID) throws -> String,
      print: @escaping @Sendable (ManagedObjectID) -> String,
      read: @escaping @Sendable (String) throws -> ManagedObjectID
    ) {
      self.write = write
      self.print = print
      self.read = read
    }
  }

  private static let coding = Locked<Ways?>(nil)

  /// Says how it is done from now on; whoever comes first is right.
  package static func set(_ new: Ways) {
    coding.withLock { if $0 == nil { $0 = new } }
  }

  package static var current: Ways? { coding.withLock { $0 } }

  /// The URI of an object, whatever becomes of it.
  package static func text(of id: ManagedObjectID) -> String {
    current?.print(id) ?? "x-coredata:///\(id.entityNumber)/p\(id.key)"
  }

  package static var noStore: CauldronError {
    CauldronError(.objectNotFound, "No store is open that an object's URI could be of.")
  }
}

extension ManagedObjectID: Codable {
  /// Reads a URI.
  /// - Throws: `object.notFound` where its store is not open.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let coding = IDCoding.current else { throw IDCoding.noStore }
    self = try coding.read(text)
  }

  /// Writes the URI.
  /// - Throws: `object.notFound` where the object is not in its store yet, or the store is closed:
  ///   nobody else could find it.
  public func encode(to encoder: any Encoder) throws {
    guard let coding = IDCoding.current else { throw IDCoding.noStore }
    var container = encoder.singleValueContainer()
    try container.encode(try coding.write(self))
  }
}

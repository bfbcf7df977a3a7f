import Cauldron

@Entity final class Package: ManagedObject {
  var name: String
  var version: String
  var architecture: String?
  /// In KiB, as the index gives it; 0 where it says nothing.
  var installedSize: Int = 0
  /// The size of the archive in bytes; 0 for an index of installed packages.
  var size: Int = 0
  var summary: String?
  @Relationship(inverse: \Section.packages) var section: Section?
  @Relationship(inverse: \Maintainer.packages) var maintainer: Maintainer?
}

@Entity final class Section: ManagedObject {
  @Attribute(.unique) var name: String
  @Relationship var packages: ToMany<Package>
}

@Entity final class Maintainer: ManagedObject {
  @Attribute(.unique) var name: String
  @Relationship var packages: ToMany<Package>
}

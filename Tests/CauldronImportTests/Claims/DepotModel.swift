import Cauldron
import Foundation

/// Unique by two properties together, beside its key.
@Entity(importKey: "name") final class Sticker: ManagedObject {
  #Unique<Sticker>([\.name], [\.kind, \.order])
  var name: String
  var kind: String?
  var order: Int?
}

/// Unique by what its own function sets.
@Entity(importKey: "name") final class Post: ManagedObject {
  #Unique<Post>([\.name], [\.slug])
  var name: String
  var slug: Int?

  func importSlug(_ value: Int?) { slug = value }
}

/// Unique by two properties together, and by none alone.
@Entity final class Seat: ManagedObject {
  #Unique<Seat>([\.rank, \.number])
  var rank: String
  var number: Int
  var guest: String?
}

/// Deletes what is in it.
@Entity final class Folder: ManagedObject {
  @Attribute(.unique) var code: String
  var name: Int?
  @Relationship(inverse: "children") var parent: Folder?
  @Relationship(inverse: "parent", deleteRule: .cascade, imported: false)
  var children: ToMany<Folder>
}

@Entity final class Writer: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship(inverse: \Volume.author, members: .replaceAndDelete) var books: ToMany<Volume>
  @Relationship(inverse: \Volume.fans) var favourite: Volume?
}

@Entity final class Volume: ManagedObject {
  @Attribute(.unique) var code: String
  @Relationship(imported: false) var author: Writer?
  @Relationship(imported: false) var fans: ToMany<Writer>
}

/// Needs a parent.
@Entity final class Branch: ManagedObject {
  @Attribute(.unique) var id: Int
  var name: String?
  @Relationship(.required, inverse: "children", unknown: .skip) var parent: Branch?
  @Relationship(inverse: "parent", imported: false) var children: ToMany<Branch>
}

@Entity final class Purchase: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship var lines: ToMany<PurchaseLine>
}

/// Needs a purchase.
@Entity final class PurchaseLine: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship(.required, inverse: \Purchase.lines) var purchase: Purchase?
}

@Entity final class Venture: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship(members: .replace) var errands: ToMany<Errand>
}

/// Needs a venture.
@Entity final class Errand: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship(.required, inverse: \Venture.errands) var venture: Venture?
}

/// Cannot be deleted while it is answered.
@Entity final class Remark: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship(inverse: "answers") var subject: Remark?
  @Relationship(inverse: "subject", deleteRule: .deny) var answers: ToMany<Remark>
  @Relationship(inverse: "quotes", members: .replaceAndDelete) var quoted: ToMany<Remark>
  @Relationship(inverse: "quoted", imported: false) var quotes: Remark?
}

/// Needs a badge.
@Entity final class Holder: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship(.required) var badge: Badge?
}

@Entity final class Badge: ManagedObject {
  @Attribute(.unique) var code: String
  @Relationship(inverse: \Holder.badge, imported: false) var holder: Holder?
}

/// Counts its players.
@Entity final class Team: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship(maxCount: 100_000, imported: false) var players: ToMany<Player>
}

@Entity final class Player: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship(inverse: \Team.players) var team: Team?
}

/// Needs a name, so that nothing stands for it until its record comes.
@Entity final class Leaf: ManagedObject {
  @Attribute(.unique) var id: Int
  var name: String
  @Relationship(inverse: "parent") var children: OrderedToMany<Leaf>
  @Relationship(inverse: "children", imported: false) var parent: Leaf?
}

/// Begins with what is made anew for each.
@Entity final class Pallet: ManagedObject {
  @Attribute(.unique) var id: Int
  var mark: UUID = UUID()
  @Relationship(inverse: "parts") var whole: Pallet?
  @Relationship(inverse: "whole", imported: false) var parts: ToMany<Pallet>
}

@Entity final class Slip: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship(imported: false) var lines: OrderedToMany<SlipLine>
}

@Entity final class SlipLine: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship(inverse: \Slip.lines) var slip: Slip?
}

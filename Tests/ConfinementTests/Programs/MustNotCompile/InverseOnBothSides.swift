// error: 'parent' and 'children' both name the other as their inverse; only one may
import Cauldron

@Entity final class Folder: ManagedObject {
  @Relationship(inverse: \Folder.children) var parent: Folder?
  @Relationship(inverse: \Folder.parent) var children: ToMany<Folder>
}

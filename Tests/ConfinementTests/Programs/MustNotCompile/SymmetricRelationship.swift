// error: 'symmetric' is unavailable: declare two relationships
import Cauldron

@Entity final class Friend: ManagedObject {
  @Relationship(.symmetric) var friends: ToMany<Friend>
}

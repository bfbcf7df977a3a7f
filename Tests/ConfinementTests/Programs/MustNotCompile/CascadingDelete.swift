// error: 'cascade' is unavailable: not supported yet
import Cauldron

@Entity final class Car: ManagedObject {
  @Relationship(inverse: \Wheel.car, deleteRule: .cascade) var wheels: ToMany<Wheel>
}

@Entity final class Wheel: ManagedObject {
  @Relationship var car: Car?
}

import Cauldron

/// What a thermometer tells, by hour.
@Entity final class Reading: ManagedObject {
  var hour: Int = 0
  var degrees: Double = 0
}

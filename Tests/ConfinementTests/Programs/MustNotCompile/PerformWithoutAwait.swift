// error: unavailable from asynchronous contexts; use 'await perform(schedule: .immediate)'
import Cauldron

private actor Archive {
  func fill(_ context: ManagedObjectContext) {
    Task {
      context.perform { context in Person.create(in: context).name = "jack" }
    }
  }
}

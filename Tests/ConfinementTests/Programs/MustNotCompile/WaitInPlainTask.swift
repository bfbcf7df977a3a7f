// error: unavailable from asynchronous contexts; use 'await perform' instead
import Cauldron

private func program(_ context: ManagedObjectContext) async {
  context.performAndWait { Person(context: context).name = "jack" }
}

// error: 'mr_contextForCurrentThread()' is unavailable: pass the context
import CauldronMagicalRecord

private func context() -> ManagedObjectContext { .mr_contextForCurrentThread() }

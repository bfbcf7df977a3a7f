// error: 'mr_contextForCurrentThread()' is unavailable: pass the context
import CauldronMagicalRecord

func context() -> ManagedObjectContext { .mr_contextForCurrentThread() }

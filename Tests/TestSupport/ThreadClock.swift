import CTestSupport

/// The processor time in seconds that the calling thread has used: other tests do not count.
package var threadSeconds: Double { cauldron_thread_seconds() }

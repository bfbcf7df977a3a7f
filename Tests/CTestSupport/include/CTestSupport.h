#ifndef CAULDRON_TEST_SUPPORT_H
#define CAULDRON_TEST_SUPPORT_H

/// Asks another thread of the process where it is.
///
/// One caller at a time. The thread is interrupted by a signal, and goes on afterwards; a system
/// call that it waits in is taken up again.
/// \param thread The number that the kernel knows the thread by.
/// \param addresses Receives the return addresses, innermost first.
/// \return How many there are; 0 where the thread did not answer within a second, or is gone.
int cauldron_stack_of(long thread, void **addresses, int capacity);

/// The name of the exported function that an address is in, or null.
const char *cauldron_function_at(const void *address);

/// The file that an address was loaded from, or null.
const char *cauldron_library_at(const void *address);

/// The processor time in seconds that the calling thread has used.
///
/// In C, because the compiler does not always agree with itself from which module Swift gets the
/// members of `timespec`.
double cauldron_thread_seconds(void);

#endif

#define _GNU_SOURCE
#include "CTestSupport.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

enum { CAPACITY = 128 };

// Static, because a thread may answer when nobody waits for its answer any more.
static void *answer[CAPACITY];
static atomic_int count;
static atomic_long asked;

/// Reads memory that may not be there.
static int read_words(uintptr_t address, uintptr_t words[2]) {
  struct iovec to = {words, 2 * sizeof(uintptr_t)};
  struct iovec from = {(void *)address, 2 * sizeof(uintptr_t)};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)to.iov_len;
}

/// Follows the frame pointers, which Swift's code keeps; unwinding with tables ends where a
/// function has none.
static int walk(const ucontext_t *context, void **found, int capacity) {
#if defined(__x86_64__)
  uintptr_t frame = (uintptr_t)context->uc_mcontext.gregs[REG_RBP];
  found[0] = (void *)context->uc_mcontext.gregs[REG_RIP];
#else
  uintptr_t frame = (uintptr_t)context->uc_mcontext.regs[29];
  found[0] = (void *)context->uc_mcontext.pc;
#endif
  int depth = 1;
  uintptr_t words[2];
  while (depth < capacity && frame % sizeof(uintptr_t) == 0 && read_words(frame, words)) {
    if (words[1] == 0) break;
    found[depth++] = (void *)words[1];
    if (words[0] <= frame) break;
    frame = words[0];
  }
  return depth;
}

static void tell(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)info;
  int saved = errno;
  if (syscall(SYS_gettid) == atomic_load(&asked)) {
    int found = backtrace(answer, CAPACITY);
    // The first two are this function, and how it was called.
    found = found > 2 ? found - 2 : 0;
    memmove(answer, answer + 2, sizeof(void *) * (size_t)found);
    void *others[CAPACITY];
    int other = walk(context, others, CAPACITY);
    if (other > found) memcpy(answer, others, sizeof(void *) * (size_t)(found = other));
    atomic_store(&asked, 0);
    atomic_store(&count, found);
  }
  errno = saved;
}

// `SIGPROF`, because the threads of libdispatch block nearly all other signals.
static void prepare(void) {
  // The first call loads a library, which must not happen inside a signal handler.
  void *none[1];
  backtrace(none, 1);
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = tell;
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  sigaction(SIGPROF, &action, NULL);
}

int cauldron_stack_of(long thread, void **addresses, int capacity) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, prepare);
  atomic_store(&count, 0);
  atomic_store(&asked, thread);
  if (syscall(SYS_tgkill, getpid(), thread, SIGPROF) != 0) return 0;
  for (int wait = 0; wait < 1000 && atomic_load(&count) == 0; wait++) usleep(1000);
  int found = atomic_load(&count);
  atomic_store(&asked, 0);
  if (found > capacity) found = capacity;
  memcpy(addresses, answer, sizeof(void *) * (size_t)found);
  return found;
}

const char *cauldron_function_at(const void *address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_sname : NULL;
}

const char *cauldron_library_at(const void *address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fname : NULL;
}

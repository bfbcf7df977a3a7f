#include <sqlite3.h>

// For malloc_trim(), which Swift's Glibc module leaves out.
#include <malloc.h>

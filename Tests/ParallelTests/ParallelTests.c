#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Swift Testing starts every test of a run at once, which makes hundreds of servers, processes and clients compete for
// the cores. It reads this variable when a run begins (Swift 6.3.1). A value that is set already is kept, for instance
// by `swift test --experimental-maximum-parallelization-width`.
__attribute__((constructor)) static void boundTestsInParallel(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  char width[24];
  snprintf(width, sizeof width, "%ld", cores > 0 ? 2 * cores : 2);
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}

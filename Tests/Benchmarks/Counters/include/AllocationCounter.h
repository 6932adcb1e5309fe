#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this platform lets an executable count its allocations (glibc).
bool allocation_counter_is_available(void);

/// Counts, from zero, every allocation of the process until stopped.
void allocation_counter_start(void);

/// The number of allocations since the start.
uint64_t allocation_counter_stop(void);

#endif

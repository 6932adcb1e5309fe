#include "AllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_bool isCounting;
static atomic_uint_fast64_t count;

void allocation_counter_start(void) {
  atomic_store(&count, 0);
  atomic_store(&isCounting, true);
}

uint64_t allocation_counter_stop(void) {
  atomic_store(&isCounting, false);
  return atomic_load(&count);
}

#if defined(__GLIBC__)

// Defined in the executable, these stand before libc's own for every library of the process.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static void note(void) {
  if (atomic_load_explicit(&isCounting, memory_order_relaxed)) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  }
}

bool allocation_counter_is_available(void) { return true; }

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  note();
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  note();
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  note();
  void *made = __libc_memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *block = made;
  return 0;
}

void free(void *block) { __libc_free(block); }

#else

bool allocation_counter_is_available(void) { return false; }

#endif

// The hook that the compiler calls at the entry of each function (SanitizerCoverage, "trace-pc-guard").
#include "Recorder.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern const char __executable_start;

enum { LIMIT = 1 << 20 };
static uintptr_t entered[LIMIT];
static atomic_size_t count;
static atomic_bool is_recording;

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  if (!atomic_load(&is_recording)) return;
  size_t index = atomic_fetch_add(&count, 1);
  if (index < LIMIT) entered[index] = (uintptr_t)__builtin_return_address(0) - (uintptr_t)&__executable_start;
}

void recorder_begin(void) {
  atomic_store(&count, 0);
  atomic_store(&is_recording, true);
}

void recorder_end(const char *name) {
  atomic_store(&is_recording, false);
  size_t recorded = atomic_load(&count);
  if (recorded > LIMIT) abort();
  printf("%s:", name);
  for (size_t index = 0; index < recorded; index++) printf(" %#lx", (unsigned long)entered[index]);
  printf("\n");
}

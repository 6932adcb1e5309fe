#ifndef INTERPOSER_H
#define INTERPOSER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this platform lets an executable stand before its libc (glibc).
bool interposer_is_available(void);

/// From now on every call that opens, changes, locks or closes a file below this folder, and every call on a TCP
/// connection that is made, is a step.
void interposer_watch(const char *folder);

/// Counts steps anew. Before step `last`, counted from 1, the process says so on its standard output and sends itself
/// the signal (SIGKILL, SIGSTOP); 0 is never.
void interposer_count_steps(uint64_t last, int signal);

/// The number of steps since they are counted.
uint64_t interposer_steps(void);

/// From step `first` on, what needs a disk that works as the error says it does not (ENOSPC, EROFS, EIO) fails with
/// that error; 0 ends it.
void interposer_fail(int error, uint64_t first);

/// Moves this process's wall clock, and no other clock, by seconds.
void interposer_shift_wall_clock(int64_t seconds);

#endif

#define _GNU_SOURCE
#include "Interposer.h"

#if defined(__GLIBC__)

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Defined in the executable, these stand before libc's own for every library of the process.
#define REAL(name)                                                        \
  static _Atomic(__typeof__(&name)) found;                                \
  __typeof__(&name) real = atomic_load(&found);                           \
  if (real == NULL) {                                                     \
    real = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                    \
    atomic_store(&found, real);                                           \
  }

enum { DESCRIPTORS = 4096 };

static char folder[4096];
static size_t folderLength;
static _Atomic bool watched[DESCRIPTORS];
static _Atomic bool isCounting;
static _Atomic uint64_t steps;
static _Atomic uint64_t lastStep;
static _Atomic int signalBeforeIt;
static _Atomic int failure;
static _Atomic uint64_t firstFailingStep;
static _Atomic int64_t clockShift;

bool interposer_is_available(void) { return true; }

void interposer_watch(const char *path) {
  folderLength = strnlen(path, sizeof folder - 1);
  memcpy(folder, path, folderLength);
}

void interposer_count_steps(uint64_t last, int signal) {
  atomic_store(&steps, 0);
  atomic_store(&signalBeforeIt, signal);
  atomic_store(&lastStep, last);
  atomic_store(&isCounting, true);
}

uint64_t interposer_steps(void) { return atomic_load(&steps); }

void interposer_fail(int error, uint64_t first) {
  atomic_store(&firstFailingStep, first);
  atomic_store(&failure, error);
}

void interposer_shift_wall_clock(int64_t seconds) { atomic_store(&clockShift, seconds); }

// MARK: - Steps

static ssize_t say(const char *text, size_t length) {
  REAL(write)
  return real(STDOUT_FILENO, text, length);
}

static void step(const char *name) {
  if (!atomic_load(&isCounting)) return;
  uint64_t number = atomic_fetch_add(&steps, 1) + 1;
  if (number != atomic_load(&lastStep)) return;
  char line[64];
  int length = snprintf(line, sizeof line, "interrupted before %s\n", name);
  say(line, (size_t)length);
  kill(getpid(), atomic_load(&signalBeforeIt));
}

static bool isWatchedPath(const char *path) {
  return folderLength > 0 && strncmp(path, folder, folderLength) == 0
    && (path[folderLength] == '/' || path[folderLength] == 0);
}

static bool isWatched(int descriptor) {
  return descriptor >= 0 && descriptor < DESCRIPTORS && atomic_load(&watched[descriptor]);
}

static int watch(int descriptor) {
  if (descriptor >= 0 && descriptor < DESCRIPTORS) atomic_store(&watched[descriptor], true);
  return descriptor;
}

// MARK: - Failures

enum need { toRead = 1, toCreate = 2, toOpenForWriting = 4, toWrite = 8, toChangeFolder = 16 };

static int needsThatFail(int error) {
  switch (error) {
    case ENOSPC: return toCreate | toWrite;
    case EROFS: return toCreate | toOpenForWriting | toWrite | toChangeFolder;
    default: return toRead | toCreate | toOpenForWriting | toWrite | toChangeFolder;
  }
}

static bool fails(int needs) {
  int error = atomic_load(&failure);
  if (error == 0 || (needsThatFail(error) & needs) == 0) return false;
  if (atomic_load(&steps) < atomic_load(&firstFailingStep)) return false;
  errno = error;
  return true;
}

// MARK: - Files

static int needsOfOpening(const char *path, int flags) {
  int needs = toRead;
  if ((flags & O_ACCMODE) != O_RDONLY) needs |= toOpenForWriting;
  if ((flags & O_CREAT) != 0 && access(path, F_OK) != 0) needs |= toCreate;
  return needs;
}

static mode_t modeOf(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

#define OPENING(name)                                     \
  int name(const char *path, int flags, ...) {            \
    REAL(name)                                            \
    va_list arguments;                                    \
    va_start(arguments, flags);                           \
    mode_t mode = modeOf(flags, arguments);               \
    va_end(arguments);                                    \
    if (!isWatchedPath(path)) return real(path, flags, mode); \
    step(#name);                                          \
    if (fails(needsOfOpening(path, flags))) return -1;    \
    return watch(real(path, flags, mode));                \
  }

OPENING(open)
OPENING(open64)

#define OPENING_AT(name)                                          \
  int name(int base, const char *path, int flags, ...) {          \
    REAL(name)                                                    \
    va_list arguments;                                            \
    va_start(arguments, flags);                                   \
    mode_t mode = modeOf(flags, arguments);                       \
    va_end(arguments);                                            \
    if (!isWatchedPath(path)) return real(base, path, flags, mode); \
    step(#name);                                                  \
    if (fails(needsOfOpening(path, flags))) return -1;            \
    return watch(real(base, path, flags, mode));                  \
  }

OPENING_AT(openat)
OPENING_AT(openat64)

ssize_t write(int descriptor, const void *bytes, size_t count) {
  REAL(write)
  if (isWatched(descriptor)) {
    step("write");
    if (fails(toWrite)) return -1;
  }
  return real(descriptor, bytes, count);
}

int fsync(int descriptor) {
  REAL(fsync)
  if (isWatched(descriptor)) {
    step("fsync");
    if (fails(toWrite)) return -1;
  }
  return real(descriptor);
}

int fchmod(int descriptor, mode_t mode) {
  REAL(fchmod)
  if (isWatched(descriptor)) {
    step("fchmod");
    if (fails(toChangeFolder)) return -1;
  }
  return real(descriptor, mode);
}

int flock(int descriptor, int operation) {
  REAL(flock)
  if (isWatched(descriptor)) step((operation & LOCK_UN) != 0 ? "flock to unlock" : "flock to lock");
  return real(descriptor, operation);
}

int close(int descriptor) {
  REAL(close)
  if (isWatched(descriptor)) {
    step("close");
    atomic_store(&watched[descriptor], false);
  }
  return real(descriptor);
}

int rename(const char *old, const char *new) {
  REAL(rename)
  if (isWatchedPath(new)) {
    step("rename");
    if (fails(toChangeFolder)) return -1;
  }
  return real(old, new);
}

int unlink(const char *path) {
  REAL(unlink)
  if (isWatchedPath(path)) {
    step("unlink");
    if (fails(toChangeFolder)) return -1;
  }
  return real(path);
}

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir)
  if (isWatchedPath(path)) {
    step("mkdir");
    if (fails(toCreate)) return -1;
  }
  return real(path, mode);
}

// MARK: - Connections

int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
  REAL(connect)
  if (address->sa_family == AF_INET || address->sa_family == AF_INET6) {
    step("connect");
    watch(descriptor);
  }
  return real(descriptor, address, length);
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
  REAL(send)
  if (isWatched(descriptor)) step("send");
  return real(descriptor, bytes, count, flags);
}

ssize_t sendto(
  int descriptor, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t length) {
  REAL(sendto)
  if (isWatched(descriptor)) step("sendto");
  return real(descriptor, bytes, count, flags, address, length);
}

ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
  REAL(recv)
  if (isWatched(descriptor)) step("recv");
  return real(descriptor, bytes, count, flags);
}

// MARK: - The wall clock

int clock_gettime(clockid_t clock, struct timespec *time) {
  REAL(clock_gettime)
  int result = real(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    time->tv_sec += atomic_load(&clockShift);
  }
  return result;
}

int gettimeofday(struct timeval *time, void *zone) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  time->tv_sec = precise.tv_sec;
  time->tv_usec = precise.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *seconds) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (seconds != NULL) *seconds = precise.tv_sec;
  return precise.tv_sec;
}

#else

bool interposer_is_available(void) { return false; }
void interposer_watch(const char *folder) {}
void interposer_count_steps(uint64_t last, int signal) {}
uint64_t interposer_steps(void) { return 0; }
void interposer_fail(int error, uint64_t first) {}
void interposer_shift_wall_clock(int64_t seconds) {}

#endif

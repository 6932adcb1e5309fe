#include "CurlInterface.h"

#if defined(__linux__)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// As declared by <curl/curl.h>, whose binary interface has been the same since 2006 (libcurl.so.4).
typedef struct {
  int age;
  const char *version;
  unsigned int version_num;
  const char *host;
  int features;
  const char *ssl_version;
} version_info;

typedef struct {
  int message;
  void *easy;
  union {
    void *whatever;
    int result;
  } data;
} multi_message;

typedef struct {
  void *data;
  size_t length;
  unsigned int flags;
} blob;

struct curl_interface {
  int (*global_init)(long);
  version_info *(*version_info)(int);
  void *(*easy_init)(void);
  void (*easy_cleanup)(void *);
  int (*easy_setopt)(void *, int, ...);
  int (*easy_getinfo)(void *, int, ...);
  void *(*slist_append)(void *, const char *);
  void (*slist_free_all)(void *);
  void *(*multi_init)(void);
  int (*multi_cleanup)(void *);
  int (*multi_add_handle)(void *, void *);
  int (*multi_remove_handle)(void *, void *);
  int (*multi_perform)(void *, int *);
  int (*multi_poll)(void *, void *, unsigned int, int, int *);
  int (*multi_wakeup)(void *);
  multi_message *(*multi_info_read)(void *, int *);
  // From OpenSSL, if libcurl uses it; NULL if it uses another TLS library.
  void *(*context_parameters)(void *);
  void (*set_host_flags)(void *, unsigned int);
  int (*set_host)(void *, const char *, size_t);
  int (*set_address)(void *, const char *);
  void (*set_key_log)(void *, void (*)(const void *, const char *));
};

enum { everything = 3, fourth_age = 3, tls_feature = 1 << 2, transfer_ended = 1, copied = 1 };
enum { never_check_subject = 0x20, no_partial_wildcards = 0x4 };

// Threads that call libcurl hold it for reading. The thread that ends the process waits up to 1 second to take it for
// writing, and never releases it: at exit the libraries below free their state, which other threads may still be using.
#if defined(PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP)
static pthread_rwlock_t working = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
static pthread_rwlock_t working = PTHREAD_RWLOCK_INITIALIZER;
#endif

static void stop_work(void) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 1;
  pthread_rwlock_timedwrlock(&working, &limit);
}

void curl_interface_begin_work(void) { pthread_rwlock_rdlock(&working); }
void curl_interface_end_work(void) { pthread_rwlock_unlock(&working); }

static bool find(void *library, const char *name, void *function) {
  void *address = dlsym(library, name);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

static void stop_work_at_exit(void) { atexit(stop_work); }

static bool find_curl(void *library, curl_interface *curl) {
  return find(library, "curl_global_init", &curl->global_init) &&
         find(library, "curl_version_info", &curl->version_info) &&
         find(library, "curl_easy_init", &curl->easy_init) &&
         find(library, "curl_easy_cleanup", &curl->easy_cleanup) &&
         find(library, "curl_easy_setopt", &curl->easy_setopt) &&
         find(library, "curl_easy_getinfo", &curl->easy_getinfo) &&
         find(library, "curl_slist_append", &curl->slist_append) &&
         find(library, "curl_slist_free_all", &curl->slist_free_all) &&
         find(library, "curl_multi_init", &curl->multi_init) &&
         find(library, "curl_multi_cleanup", &curl->multi_cleanup) &&
         find(library, "curl_multi_add_handle", &curl->multi_add_handle) &&
         find(library, "curl_multi_remove_handle", &curl->multi_remove_handle) &&
         find(library, "curl_multi_perform", &curl->multi_perform) &&
         find(library, "curl_multi_poll", &curl->multi_poll) &&
         find(library, "curl_multi_wakeup", &curl->multi_wakeup) &&
         find(library, "curl_multi_info_read", &curl->multi_info_read);
}

const curl_interface *curl_interface_load(const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return NULL;
  curl_interface *curl = calloc(1, sizeof *curl);
  if (curl == NULL || !find_curl(library, curl) || curl->global_init(everything) != 0) {
    free(curl);
    dlclose(library);
    return NULL;
  }
  // Exit handlers run in reverse order: this one runs before that of OpenSSL, which is registered by now.
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, stop_work_at_exit);
  // Once initialised it stays loaded: other libraries may have been registered in it.
  if ((curl_interface_features(curl) & tls_feature) == 0) {
    free(curl);
    return NULL;
  }
  bool is_openssl = strncmp(curl_interface_tls_name(curl), "OpenSSL/", 8) == 0 &&
                    find(library, "SSL_CTX_get0_param", &curl->context_parameters) &&
                    find(library, "X509_VERIFY_PARAM_set_hostflags", &curl->set_host_flags) &&
                    find(library, "X509_VERIFY_PARAM_set1_host", &curl->set_host) &&
                    find(library, "X509_VERIFY_PARAM_set1_ip_asc", &curl->set_address);
  if (!is_openssl) curl->context_parameters = NULL;
  // Since OpenSSL 1.1.1.
  if (!is_openssl || !find(library, "SSL_CTX_set_keylog_callback", &curl->set_key_log)) curl->set_key_log = NULL;
  return curl;
}

unsigned int curl_interface_version(const curl_interface *curl) {
  return curl->version_info(fourth_age)->version_num;
}

int curl_interface_features(const curl_interface *curl) { return curl->version_info(fourth_age)->features; }

const char *curl_interface_tls_name(const curl_interface *curl) {
  const char *name = curl->version_info(fourth_age)->ssl_version;
  return name == NULL ? "" : name;
}

void *curl_interface_easy(const curl_interface *curl) { return curl->easy_init(); }
void curl_interface_free_easy(const curl_interface *curl, void *easy) { curl->easy_cleanup(easy); }

int curl_interface_set_number(
    const curl_interface *curl, void *easy, curl_interface_option option, long value) {
  return curl->easy_setopt(easy, option, value);
}

int curl_interface_set_size(
    const curl_interface *curl, void *easy, curl_interface_option option, int64_t value) {
  return curl->easy_setopt(easy, option, value);
}

int curl_interface_set_text(
    const curl_interface *curl, void *easy, curl_interface_option option, const char *value) {
  return curl->easy_setopt(easy, option, value);
}

int curl_interface_set_pointer(
    const curl_interface *curl, void *easy, curl_interface_option option, void *value) {
  return curl->easy_setopt(easy, option, value);
}

int curl_interface_set_copy(
    const curl_interface *curl, void *easy, curl_interface_option option, const void *bytes, size_t count) {
  blob value = {(void *)bytes, count, copied};
  return curl->easy_setopt(easy, option, &value);
}

int curl_interface_set_on_bytes(
    const curl_interface *curl, void *easy, curl_interface_option option, curl_interface_on_bytes function) {
  return curl->easy_setopt(easy, option, function);
}

int curl_interface_set_on_sending(
    const curl_interface *curl, void *easy, curl_interface_option option, curl_interface_on_sending function) {
  return curl->easy_setopt(easy, option, function);
}

int curl_interface_set_on_tls(
    const curl_interface *curl, void *easy, curl_interface_option option, curl_interface_on_tls function) {
  return curl->easy_setopt(easy, option, function);
}

const char *curl_interface_text(const curl_interface *curl, void *easy, curl_interface_info info) {
  const char *text = NULL;
  return curl->easy_getinfo(easy, info, &text) == 0 ? text : NULL;
}

long curl_interface_number(const curl_interface *curl, void *easy, curl_interface_info info) {
  long number = 0;
  return curl->easy_getinfo(easy, info, &number) == 0 ? number : 0;
}

void *curl_interface_append(const curl_interface *curl, void *list, const char *text) {
  return curl->slist_append(list, text);
}

void curl_interface_free_list(const curl_interface *curl, void *list) { curl->slist_free_all(list); }

void *curl_interface_multi(const curl_interface *curl) { return curl->multi_init(); }
void curl_interface_free_multi(const curl_interface *curl, void *multi) { curl->multi_cleanup(multi); }

int curl_interface_add(const curl_interface *curl, void *multi, void *easy) {
  return curl->multi_add_handle(multi, easy);
}

int curl_interface_remove(const curl_interface *curl, void *multi, void *easy) {
  return curl->multi_remove_handle(multi, easy);
}

int curl_interface_perform(const curl_interface *curl, void *multi) {
  int running = 0;
  return curl->multi_perform(multi, &running);
}

int curl_interface_poll(const curl_interface *curl, void *multi, int milliseconds) {
  return curl->multi_poll(multi, NULL, 0, milliseconds, NULL);
}

int curl_interface_wake(const curl_interface *curl, void *multi) { return curl->multi_wakeup(multi); }

void *curl_interface_ended(const curl_interface *curl, void *multi, int *code) {
  int rest = 0;
  for (;;) {
    multi_message *message = curl->multi_info_read(multi, &rest);
    if (message == NULL) return NULL;
    if (message->message != transfer_ended) continue;
    *code = message->data.result;
    return message->easy;
  }
}

bool curl_interface_can_restrict(const curl_interface *curl) { return curl->context_parameters != NULL; }

bool curl_interface_restrict(const curl_interface *curl, void *context, const char *host, bool is_address) {
  void *parameters = curl->context_parameters(context);
  if (parameters == NULL) return false;
  curl->set_host_flags(parameters, never_check_subject | no_partial_wildcards);
  return (is_address ? curl->set_address(parameters, host) : curl->set_host(parameters, host, 0)) == 1;
}

bool curl_interface_can_keep_keys(const curl_interface *curl) { return curl->set_key_log != NULL; }

void curl_interface_keep_keys(const curl_interface *curl, void *context) {
  if (curl->set_key_log != NULL) curl->set_key_log(context, NULL);
}

#else
typedef int curl_interface_is_empty_here;
#endif

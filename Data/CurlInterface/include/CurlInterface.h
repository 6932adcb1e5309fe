#ifndef CURL_INTERFACE_H
#define CURL_INTERFACE_H

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The libcurl functions that are called, with fixed argument types: libcurl's own header declares some of them as
// variadic, which Swift cannot call. The library is looked up at run time. A handle is used by one thread at a time,
// except in curl_interface_wake.

#pragma clang assume_nonnull begin

typedef struct curl_interface curl_interface;

typedef size_t (*curl_interface_on_bytes)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable data);
typedef int (*curl_interface_on_sending)(
    void *_Nullable data, char *_Nullable to, char *_Nullable from, int to_port, int from_port);
typedef int (*curl_interface_on_tls)(void *_Nullable easy, void *_Nullable context, void *_Nullable data);

/// Opens a library and initialises it; NULL if the library, one of its functions or TLS is missing. It is never closed.
const curl_interface *_Nullable curl_interface_load(const char *name);
/// The version number, such as 0x075801 for 7.88.1.
unsigned int curl_interface_version(const curl_interface *curl);
/// The CURL_VERSION_… bits.
int curl_interface_features(const curl_interface *curl);
const char *curl_interface_tls_name(const curl_interface *curl);

/// A thread of this library calls libcurl only between these two calls, so that it is paused when the process exits.
void curl_interface_begin_work(void);
void curl_interface_end_work(void);

void *_Nullable curl_interface_easy(const curl_interface *curl);
void curl_interface_free_easy(const curl_interface *curl, void *easy);

// Each returns 0, or a CURLcode.
int curl_interface_set_number(const curl_interface *curl, void *easy, int option, long value);
int curl_interface_set_size(const curl_interface *curl, void *easy, int option, int64_t value);
int curl_interface_set_text(const curl_interface *curl, void *easy, int option, const char *_Nullable value);
int curl_interface_set_pointer(const curl_interface *curl, void *easy, int option, void *_Nullable value);
int curl_interface_set_copy(const curl_interface *curl, void *easy, int option, const void *bytes, size_t count);
int curl_interface_set_on_bytes(
    const curl_interface *curl, void *easy, int option, curl_interface_on_bytes function);
int curl_interface_set_on_sending(
    const curl_interface *curl, void *easy, int option, curl_interface_on_sending function);
int curl_interface_set_on_tls(const curl_interface *curl, void *easy, int option, curl_interface_on_tls function);

const char *_Nullable curl_interface_text(const curl_interface *curl, void *easy, int info);

/// NULL if there is no memory; the list is unchanged.
void *_Nullable curl_interface_append(const curl_interface *curl, void *_Nullable list, const char *text);
void curl_interface_free_list(const curl_interface *curl, void *_Nullable list);

void *_Nullable curl_interface_multi(const curl_interface *curl);
void curl_interface_free_multi(const curl_interface *curl, void *multi);
int curl_interface_add(const curl_interface *curl, void *multi, void *easy);
int curl_interface_remove(const curl_interface *curl, void *multi, void *easy);
int curl_interface_perform(const curl_interface *curl, void *multi);
int curl_interface_poll(const curl_interface *curl, void *multi, int milliseconds);
/// May be called from any thread.
int curl_interface_wake(const curl_interface *curl, void *multi);
/// The next transfer that has ended, and its CURLcode; NULL if there is none.
void *_Nullable curl_interface_ended(const curl_interface *curl, void *multi, int *code);

/// Whether curl_interface_restrict works: the TLS library is OpenSSL, and its functions were found.
bool curl_interface_can_restrict(const curl_interface *curl);
/// Makes OpenSSL compare the host with a certificate's alternative names only, never with its subject.
bool curl_interface_restrict(const curl_interface *curl, void *context, const char *host, bool is_address);

/// Whether curl_interface_keep_keys works: the TLS library is OpenSSL 1.1.1 or later.
bool curl_interface_can_keep_keys(const curl_interface *curl);
/// Makes the connections of this context write their keys nowhere, whatever SSLKEYLOGFILE says.
void curl_interface_keep_keys(const curl_interface *curl, void *context);

#pragma clang assume_nonnull end

#endif
#endif

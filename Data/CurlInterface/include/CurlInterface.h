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

/// Options of <curl/curl.h>, whose numbers never change.
typedef enum curl_interface_option {
  // Numbers
  curl_option_low_speed_limit = 19,
  curl_option_low_speed_time = 20,
  curl_option_tls_version = 32,
  curl_option_no_body = 44,
  curl_option_post = 47,
  curl_option_netrc = 51,
  curl_option_follow_location = 52,
  curl_option_verify_peer = 64,
  curl_option_fresh_connect = 74,
  curl_option_verify_host = 81,
  curl_option_http_version = 84,
  curl_option_no_signal = 99,
  curl_option_timeout = 155,
  curl_option_connect_timeout = 156,
  curl_option_protocols = 181,
  curl_option_path_as_is = 234,
  curl_option_suppress_connect_headers = 265,
  curl_option_disallow_user_name = 278,
  curl_option_allow_http09 = 285,
  curl_option_roots_lifetime = 321,
  curl_option_quick_exit = 322,
  curl_option_body_size = 30120,
  // Texts and pointers
  curl_option_write_data = 10001,
  curl_option_url = 10002,
  curl_option_proxy = 10004,
  curl_option_error_text = 10010,
  curl_option_header_list = 10023,
  curl_option_header_data = 10029,
  curl_option_method = 10036,
  curl_option_roots_folder = 10097,
  curl_option_accept_encoding = 10102,
  curl_option_owner = 10103,
  curl_option_tls_data = 10109,
  curl_option_body = 10165,
  curl_option_no_proxy = 10177,
  curl_option_pinned_keys = 10230,
  curl_option_sending_data = 10313,
  // Functions and blobs
  curl_option_on_body = 20011,
  curl_option_on_header = 20079,
  curl_option_on_tls = 20108,
  curl_option_on_sending = 20312,
  curl_option_roots = 40309,
} curl_interface_option;

/// What <curl/curl.h> tells of a transfer.
typedef enum curl_interface_info {
  curl_info_owner = 0x100015,
  curl_info_connect_status = 0x200016,
  curl_info_roots_file = 0x10003d,
} curl_interface_info;

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
int curl_interface_set_number(const curl_interface *curl, void *easy, curl_interface_option option, long value);
int curl_interface_set_size(
    const curl_interface *curl, void *easy, curl_interface_option option, int64_t value);
int curl_interface_set_text(
    const curl_interface *curl, void *easy, curl_interface_option option, const char *_Nullable value);
int curl_interface_set_pointer(
    const curl_interface *curl, void *easy, curl_interface_option option, void *_Nullable value);
int curl_interface_set_copy(
    const curl_interface *curl, void *easy, curl_interface_option option, const void *bytes, size_t count);
int curl_interface_set_on_bytes(
    const curl_interface *curl, void *easy, curl_interface_option option, curl_interface_on_bytes function);
int curl_interface_set_on_sending(
    const curl_interface *curl, void *easy, curl_interface_option option, curl_interface_on_sending function);
int curl_interface_set_on_tls(
    const curl_interface *curl, void *easy, curl_interface_option option, curl_interface_on_tls function);

const char *_Nullable curl_interface_text(const curl_interface *curl, void *easy, curl_interface_info info);

/// A number, such as the status of a proxy's response to CONNECT; 0 if there is none.
long curl_interface_number(const curl_interface *curl, void *easy, curl_interface_info info);

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

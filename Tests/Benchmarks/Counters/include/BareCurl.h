#ifndef BARE_CURL_H
#define BARE_CURL_H

#include <stdbool.h>

/// Serves GET on a free port of 127.0.0.1, over connections that are kept, until the standard input ends. Prints the port.
void bare_server_run(void);

/// A handle of libcurl for one URL, which does nothing but fetch it; NULL where there is no libcurl.
void *bare_curl_open(const char *url);
bool bare_curl_get(void *handle);

/// Fetches with such a handle on a separate thread, which a descriptor wakes; NULL without one.
void *bare_hop_open(void *handle);
void bare_hop_get(void *hop, void (*on_end)(bool is_done, void *context), void *context);

#endif

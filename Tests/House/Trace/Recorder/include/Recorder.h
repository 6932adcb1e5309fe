#pragma once

/// Begins to record which functions are entered.
void recorder_begin(void);

/// Ends it, and prints the name and the addresses of the functions in the order in which they were entered, each relative
/// to the start of the program.
void recorder_end(const char *name);

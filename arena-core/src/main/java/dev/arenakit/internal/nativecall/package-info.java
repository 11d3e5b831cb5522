/// Calls of C functions: the functions and the numbers of C headers, error numbers, and the check of native access.
@NullMarked
package dev.arenakit.internal.nativecall;

import org.jspecify.annotations.NullMarked;

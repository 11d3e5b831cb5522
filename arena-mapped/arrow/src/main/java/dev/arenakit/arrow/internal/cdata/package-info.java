/// The structs of Arrow's C data and C stream interfaces, their memory, and the functions that consumers call.
@NullMarked
package dev.arenakit.arrow.internal.cdata;

import org.jspecify.annotations.NullMarked;

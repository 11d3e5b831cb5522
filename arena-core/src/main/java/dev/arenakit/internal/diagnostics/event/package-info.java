/// The events of the flight recorder, the MXBeans, and the warnings.
@NullMarked
package dev.arenakit.internal.diagnostics.event;

import org.jspecify.annotations.NullMarked;

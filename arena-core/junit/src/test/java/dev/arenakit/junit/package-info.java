@NullMarked
package dev.arenakit.junit;

import org.jspecify.annotations.NullMarked;

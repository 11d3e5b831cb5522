/// The `arena export` command and its forms.
@NullMarked
package dev.arenakit.tool.export;

import org.jspecify.annotations.NullMarked;

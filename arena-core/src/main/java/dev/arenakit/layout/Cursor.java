package dev.arenakit.layout;

import java.util.NoSuchElementException;

/// Moves one view over the structs of a segment, so that no view is allocated for each struct.
///
/// ```java
/// Cursor<PointView> points = mapper.cursor(segment);
/// while (points.next()) {
///     sum += points.view().x();
/// }
/// ```
///
/// A new cursor is before the first struct. The view is always the same object; it accesses the current struct of the
/// cursor. A cursor and its view must not be used by several threads at once.
///
/// @param <V> the interface of the view
public interface Cursor<V> {
    /// {@return the view, which moves with the cursor}
    ///
    /// @throws NoSuchElementException if the cursor is before the first struct
    V view();

    /// Moves to the next struct. If there is none, the cursor does not move.
    ///
    /// @return whether there is a next struct
    boolean next();

    /// Moves to the struct at an index.
    ///
    /// @param index the index of the struct
    /// @return the view
    /// @throws IndexOutOfBoundsException if the index is negative or not less than [#count]; the cursor does not move
    V moveTo(long index);

    /// {@return the index of the current struct, or -1 if the cursor is before the first struct}
    long index();

    /// {@return the number of structs in the segment}
    long count();
}

package dev.arenakit.layout;

import java.util.NoSuchElementException;

/// One view that moves over the structs of a segment, so that none is allocated for each.
///
/// ```java
/// Cursor<PointView> points = mapper.cursor(segment);
/// while (points.next()) {
///     sum += points.view().x();
/// }
/// ```
///
/// A new cursor stands before the first struct. The view is always the same object: what it reads is where the cursor stands,
/// and it belongs to one thread at a time, as the cursor does.
///
/// @param <V> the interface of the view
public interface Cursor<V> {
    /// {@return the view, which moves with the cursor}
    ///
    /// @throws NoSuchElementException when the cursor has not been moved to a struct yet
    V view();

    /// Moves to the next struct.
    ///
    /// @return whether there is one; otherwise the cursor stays on the last
    boolean next();

    /// Moves to a struct.
    ///
    /// @param index the number of structs before it in the segment
    /// @return the view
    /// @throws IndexOutOfBoundsException when there is no such struct; the cursor has not moved then
    V moveTo(long index);

    /// {@return the number of structs before the one that the cursor stands on, or -1 before the first}
    long index();

    /// {@return the number of structs in the segment}
    long count();
}

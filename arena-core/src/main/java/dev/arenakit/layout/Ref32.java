package dev.arenakit.layout;

/// A [Ref] whose component has 4 bytes. The number in memory counts units of the alignment of the struct: it is the
/// offset divided by the alignment, plus 1. If the alignment is 8, the largest base has 32 GiB.
///
/// ```java
/// record Node(long value, Ref32<Node> left, Ref32<Node> right) {}   // 16 bytes
/// ```
///
/// A write refuses an offset that does not fit.
///
/// @param <T> the record class or the interface of the view
public interface Ref32<T> extends Ref<T> {}

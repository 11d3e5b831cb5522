package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A nested struct or union that has no name in C, where its members are members of the struct around it. In paths of
/// fields it has its name, as in `anon_data.u64`.
///
/// ```java
/// // struct epoll_event { uint32_t events; union { int fd; uint64_t u64; }; };
/// @Members({"events", "data"})
/// interface Event { int events(); @Anonymous Data data(); }
/// @Union interface Data { int fd(); long u64(); }
/// ```
///
/// The name of the member is the name in Java after `anon_`. [dev.arenakit.layout.text.LayoutText#toCHeader] declares
/// each struct and union of such a name without a name, unless C would find a name twice in the struct. The structs of
/// jextract have such names, too.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Anonymous {}

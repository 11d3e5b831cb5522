#!/bin/sh
# The arena command: this script finds a Java and runs the jar that follows its last line.
# After the first run, it makes a class cache in the background, with which later runs start in half of the time.

# The release of Java for which the command is compiled.
NEEDED=25

# Whether the directory $home contains a Java that is new enough, by its release file.
is_suitable() {
    [ -x "$home/bin/java" ] && [ -r "$home/release" ] || return 1
    while IFS= read -r line; do
        case $line in
        JAVA_VERSION=\"*)
            version=${line#*\"}
            version=${version%%[!0-9]*}
            [ "${version:-0}" -ge "$NEEDED" ]
            return
            ;;
        esac
    done <"$home/release"
    return 1
}

# Sets $home to the Java of JAVA_HOME, of PATH, or of a directory in which Java is usually installed.
find_java() {
    home=${JAVA_HOME:-}
    is_suitable && return
    home=$(command -v java) && home=$(readlink -f "$home") && home=${home%/bin/java} && is_suitable && return
    for home in /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/java/* /opt/* /Library/Java/JavaVirtualMachines/* \
        "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* "${HOME:-}"/.asdf/installs/java/* \
        "${HOME:-}"/.local/share/mise/installs/java/* "${HOME:-}"/Library/Java/JavaVirtualMachines/*; do
        is_suitable && return
        home=$home/Contents/Home
        is_suitable && return
    done
    return 1
}

# Sets $directory to the directory of the caches, and makes it if need be. The JVM trusts a cache. Therefore the
# directory and its parent must belong to this user, it must not be a link, and nobody else may write to it.
find_directory() {
    parent=${XDG_CACHE_HOME:-${HOME:-}/.cache}
    directory=$parent/arenakit
    case $parent in
    /.cache) return 1 ;;
    /*) ;;
    *) return 1 ;;
    esac
    if [ ! -e "$directory" ]; then
        mkdir -p "$parent" 2>/dev/null && mkdir -m 700 "$directory" 2>/dev/null
    fi
    [ -d "$directory" ] && [ ! -L "$directory" ] && [ -O "$directory" ] && [ -O "$parent" ] || return 1
    case $(ls -ld "$directory") in
    drwx------*) ;;
    *) return 1 ;;
    esac
}

# Removes caches of jars and Javas that have changed or are gone.
remove_stale() {
    for jar in "$directory"/*.jar; do
        name=${jar%.jar}
        if [ ! -e "$jar" ] || [ ! -e "$name.java" ] || [ "$jar" -nt "$name.aot" ]; then
            rm -f "$jar" "$name.java" "$name.aot" "$name.failed"
        fi
    done
}

# Makes the cache under another name and renames it. Does nothing while another process makes one.
make_cache() {
    trap '' HUP INT
    process=$(exec sh -c 'echo $PPID')
    for mark in "$directory"/making.*; do
        other=${mark#"$directory"/making.}
        if kill -0 "$other" 2>/dev/null; then
            return
        fi
        rm -f "$mark" "$directory/made.$other"*
    done
    : >"$directory/making.$process" || return
    remove_stale
    made=$directory/made.$process
    name=${cache%.aot}
    # The links come first: a cache without them would never be removed.
    ln -sf "$self" "$name.jar" && ln -sf "$home/bin/java" "$name.java" \
        && "$home/bin/java" -XX:AOTCacheOutput="$made" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
            -cp "$self" dev.arenakit.tool.CacheTraining && mv "$made" "$cache" && rm -f "$name.failed" || : >"$name.failed"
    rm -f "$made"* "$directory/making.$process"
}

if ! find_java; then
    echo "arena: Java $NEEDED or newer is needed: install one, for example Eclipse Temurin $NEEDED from" \
        "https://adoptium.net, in a usual directory, or set JAVA_HOME to it" >&2
    exit 1
fi
self=$(readlink -f "$0")
# Messages of the JVM would otherwise be part of the output. The other options must be those of the cache.
set -- -Xlog:disable -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -jar "$self" "$@"
if ! find_directory; then
    exec "$home/bin/java" "$@"
fi
cache=$directory/$(printf '%s\n' "$self" "$home" | cksum | tr ' ' -).aot
if [ "$cache" -nt "$self" ] && [ "$cache" -nt "$home/bin/java" ]; then
    exec "$home/bin/java" -XX:AOTCache="$cache" "$@"
fi
"$home/bin/java" "$@"
code=$?
if [ "$code" -lt 128 ] && ! [ "${cache%.aot}.failed" -nt "$self" ]; then
    make_cache </dev/null >/dev/null 2>&1 &
fi
exit "$code"

// The headers of the functions that the example calls. No macro enables extensions, so that the structs are those of POSIX.
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <regex.h>
#include <sys/socket.h>
#include <sys/stat.h>

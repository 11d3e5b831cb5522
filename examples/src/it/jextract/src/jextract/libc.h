#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Counts the calls by which a program changes something outside itself, and stops it at one of them.

Preloaded (LD_PRELOAD), it stands before the C library's functions. A call counts if it changes a file or folder below a
folder, or sends on a socket of the internet. The environment says what to do, when the program starts or calls shim_read():

  SHIM_BELOW=FOLDER   which files count: those below this folder, by its real path
  SHIM_LOG=FILE       a line for each call that counts: its number, its name, what it is about
  SHIM_AT=N           the call at which something happens; without it calls are only counted
  SHIM_DO=WHAT        what happens there: "before" kills the program before the call, "after" kills it after the call

A further WHAT (an error of the disk, a cut in the middle of a write) is a row of `happenings`.
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char below[PATH_MAX]; /* "" : nothing counts */
static int log_file = -1;
static long at;
static const char *what;
static long count;

/* --- what happens at the chosen call: 0 if the call is to be made, else the program sees -1 and this errno */

static int die(void) {
    kill(getpid(), SIGKILL);
    return 0; /* not reached */
}

static int nothing(void) { return 0; }

static int full(void) { return ENOSPC; }

static int read_only(void) { return EROFS; }

static const struct {
    const char *name;
    int (*before)(void);
    int (*after)(void);
    int lasts; /* it happens at every later call too */
} happenings[] = {
    {"before", die, nothing, 0},
    {"after", nothing, die, 0},
    {"full", full, nothing, 0},
    {"read-only", read_only, nothing, 1},
};

static int happen(int is_after) {
    for (size_t row = 0; what && row < sizeof happenings / sizeof *happenings; row++)
        if (!strcmp(happenings[row].name, what))
            return is_after ? happenings[row].after() : happenings[row].before();
    return 0;
}

static int lasts(void) {
    for (size_t row = 0; what && row < sizeof happenings / sizeof *happenings; row++)
        if (!strcmp(happenings[row].name, what)) return happenings[row].lasts;
    return 0;
}

/* --- which calls count */

__attribute__((constructor, visibility("default"))) void shim_read(void) {
    const char *folder = getenv("SHIM_BELOW"), *log = getenv("SHIM_LOG"), *number = getenv("SHIM_AT");
    below[0] = 0;
    if (folder && !realpath(folder, below)) below[0] = 0;
    if (log_file >= 0) close(log_file);
    log_file = log ? syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    at = number ? atol(number) : 0;
    what = getenv("SHIM_DO");
    count = 0;
}

static int is_below(const char *path) {
    size_t length = strlen(below);
    return length && !strncmp(path, below, length) && (path[length] == '/' || !path[length]);
}

/* the name of an open file, and whether it counts */
static int open_counts(int descriptor, char *name) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = below[0] ? readlink(link, name, PATH_MAX - 1) : -1;
    if (length < 0) return 0;
    name[length] = 0;
    if (strncmp(name, "socket:", 7)) return is_below(name);
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    return !getpeername(descriptor, (struct sockaddr *)&peer, &size) &&
           (peer.ss_family == AF_INET || peer.ss_family == AF_INET6);
}

/* the same of a path, which may be relative to an open folder */
static int path_counts(int folder, const char *path, char *name) {
    char start[PATH_MAX] = "";
    if (!below[0] || !path) return 0;
    if (path[0] != '/') {
        if (folder == AT_FDCWD) {
            if (!getcwd(start, sizeof start)) return 0;
        } else {
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
            ssize_t length = readlink(link, start, sizeof start - 1);
            if (length < 0) return 0;
            start[length] = 0;
        }
    }
    snprintf(name, PATH_MAX, "%.2000s%s%.2000s", start, start[0] ? "/" : "", path);
    char *end = strrchr(name, '/'), real[PATH_MAX];
    if (is_below(name) || !end || end == name) return is_below(name);
    *end = 0; /* the folder may have several names */
    int counts = realpath(name, real) && is_below(real);
    *end = '/';
    return counts;
}

static int stopped(const char *call, const char *name) {
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", ++count, call, name);
    if (log_file >= 0) syscall(SYS_write, log_file, line, length);
    return count == at || (at && count > at && lasts()) ? happen(0) : 0;
}

/* --- the calls */

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/* COUNTED(name, whether it counts, the call): makes the call, or lets it fail, or ends here */
#define COUNTED(call, counts, made) \
    char name[PATH_MAX] = ""; \
    REAL(call); \
    if (!(counts)) return made; \
    int refusal = stopped(#call, name); \
    if (refusal) { \
        errno = refusal; \
        return -1; \
    } \
    __typeof__(made) result = made; \
    if (count == at) { \
        int error = errno; \
        happen(1); \
        errno = error; \
    } \
    return result

ssize_t write(int fd, const void *data, size_t size) { COUNTED(write, open_counts(fd, name), real(fd, data, size)); }
ssize_t writev(int fd, const struct iovec *parts, int number) { COUNTED(writev, open_counts(fd, name), real(fd, parts, number)); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t where) { COUNTED(pwrite, open_counts(fd, name), real(fd, data, size, where)); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t where) { COUNTED(pwrite64, open_counts(fd, name), real(fd, data, size, where)); }
int fsync(int fd) { COUNTED(fsync, open_counts(fd, name), real(fd)); }
int fdatasync(int fd) { COUNTED(fdatasync, open_counts(fd, name), real(fd)); }
int ftruncate(int fd, off_t size) { COUNTED(ftruncate, open_counts(fd, name), real(fd, size)); }
int ftruncate64(int fd, off64_t size) { COUNTED(ftruncate64, open_counts(fd, name), real(fd, size)); }
int fchmod(int fd, mode_t mode) { COUNTED(fchmod, open_counts(fd, name), real(fd, mode)); }
ssize_t send(int fd, const void *data, size_t size, int flags) { COUNTED(send, open_counts(fd, name), real(fd, data, size, flags)); }
ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length) {
    COUNTED(sendto, open_counts(fd, name), real(fd, data, size, flags, to, length));
}
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) { COUNTED(sendmsg, open_counts(fd, name), real(fd, message, flags)); }
ssize_t sendfile(int to, int from, off_t *where, size_t size) { COUNTED(sendfile, open_counts(to, name), real(to, from, where, size)); }
ssize_t sendfile64(int to, int from, off64_t *where, size_t size) { COUNTED(sendfile64, open_counts(to, name), real(to, from, where, size)); }
ssize_t copy_file_range(int from, off64_t *there, int to, off64_t *here, size_t size, unsigned flags) {
    COUNTED(copy_file_range, open_counts(to, name), real(from, there, to, here, size, flags));
}

int truncate(const char *path, off_t size) { COUNTED(truncate, path_counts(AT_FDCWD, path, name), real(path, size)); }
int truncate64(const char *path, off64_t size) { COUNTED(truncate64, path_counts(AT_FDCWD, path, name), real(path, size)); }
int unlink(const char *path) { COUNTED(unlink, path_counts(AT_FDCWD, path, name), real(path)); }
int unlinkat(int folder, const char *path, int flags) { COUNTED(unlinkat, path_counts(folder, path, name), real(folder, path, flags)); }
int rmdir(const char *path) { COUNTED(rmdir, path_counts(AT_FDCWD, path, name), real(path)); }
int mkdir(const char *path, mode_t mode) { COUNTED(mkdir, path_counts(AT_FDCWD, path, name), real(path, mode)); }
int mkdirat(int folder, const char *path, mode_t mode) { COUNTED(mkdirat, path_counts(folder, path, name), real(folder, path, mode)); }
int chmod(const char *path, mode_t mode) { COUNTED(chmod, path_counts(AT_FDCWD, path, name), real(path, mode)); }
int rename(const char *old, const char *new) {
    COUNTED(rename, path_counts(AT_FDCWD, old, name) || path_counts(AT_FDCWD, new, name), real(old, new));
}
int renameat(int from, const char *old, int to, const char *new) {
    COUNTED(renameat, path_counts(from, old, name) || path_counts(to, new, name), real(from, old, to, new));
}
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
    COUNTED(renameat2, path_counts(from, old, name) || path_counts(to, new, name), real(from, old, to, new, flags));
}
int link(const char *old, const char *new) { COUNTED(link, path_counts(AT_FDCWD, new, name), real(old, new)); }
int linkat(int from, const char *old, int to, const char *new, int flags) {
    COUNTED(linkat, path_counts(to, new, name), real(from, old, to, new, flags));
}
int symlink(const char *old, const char *new) { COUNTED(symlink, path_counts(AT_FDCWD, new, name), real(old, new)); }

/* opening counts if it makes or empties a file */
#define MAKES(flags) ((flags) & (O_CREAT | O_TRUNC))
#define MODE \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(more, mode_t) : 0; \
    va_end(more)
int open(const char *path, int flags, ...) { MODE; COUNTED(open, MAKES(flags) && path_counts(AT_FDCWD, path, name), real(path, flags, mode)); }
int open64(const char *path, int flags, ...) { MODE; COUNTED(open64, MAKES(flags) && path_counts(AT_FDCWD, path, name), real(path, flags, mode)); }
int openat(int folder, const char *path, int flags, ...) { MODE; COUNTED(openat, MAKES(flags) && path_counts(folder, path, name), real(folder, path, flags, mode)); }
int openat64(int folder, const char *path, int flags, ...) { MODE; COUNTED(openat64, MAKES(flags) && path_counts(folder, path, name), real(folder, path, flags, mode)); }

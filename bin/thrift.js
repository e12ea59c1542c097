/*
 * How the server's Node is kept small. Its heap would otherwise grow to several times what is alive before it is cleaned.
 * Measured with all of them on one database in turn: the most resident megabytes and the processor time of the process
 * for a request, with requests of every kind | streams | sets of a thousand:
 *
 *   nothing set                                   241 MB 1.00 × | 305 MB 1.00 × | 466 MB 1.00 ×
 *   young 8 MB                                    183 MB 1.08 × |
 *   young 8 MB, old may double, two arenas        180 MB 1.01 × | 201 MB 1.05 × | 287 MB 1.15 ×   this one
 *   young 16 MB, old may grow by half, two arenas 178 MB 1.10 × | 190 MB 1.09 × | 269 MB 1.26 ×
 *   young 8 MB, old may grow by 40 %, two arenas  155 MB 1.01 × | 189 MB 1.11 × | 254 MB 1.51 ×
 *   --memory-saver-mode                           146 MB 1.83 × |
 *   --optimize-for-size                           133 MB 1.5 ×  |
 */
export const thriftyFlags = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=100',
  // For the cleaning after a rush, see cli/spare-memory.ts.
  '--expose-gc',
  // V8 keeps pages that it freed for eight seconds, up to 110 MB of them after large answers: at most 385 MB resident while a driver
  // fills tasks with notes, with one second 275 to 326.
  '--memory-pool-timeout=1',
  // Threads are cleaned by V8 when little happens in them: after 2 s instead of 30.
  '--gc-memory-reducer-start-delay-ms=2000',
  '--memory-reducer-delay-ms=1000',
]

/**
 * For the malloc of glibc. It otherwise keeps freed memory apart for each of Node's threads, and keeps large blocks, too,
 * once one was freed: after a flood of wrong passwords, each of which takes 19 MB to check, 239 MB instead of 164. A check
 * takes a sixth longer.
 */
export const thriftyEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' }

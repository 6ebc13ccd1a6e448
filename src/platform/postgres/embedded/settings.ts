const megabyte = 1024 * 1024
/**
 * Four HTTP and four work processes with four commands beside them have at most 192 sessions (docs/operating.md), and PostgreSQL keeps
 * three for its superuser. An unused one costs 20 kB of shared memory.
 */
const maxConnections = 200
const minBufferBytes = 64 * megabyte
const maxBufferBytes = 1024 * megabyte

type SettingsQuestion = {
  major: number
  socketDir: string
  port: number
  /** False only for throw-away data: nothing survives a crash of the machine then. */
  fsync: boolean
  memoryBytes: number
  /** `6.8.0-60-generic`; null where the system is not Linux. */
  linux: string | null
}

/**
 * The settings of the embedded server, as `postgres` arguments. They are on the command line so that data of an older
 * release run with today's settings. A unix socket only, never TCP.
 */
export function settingArguments(question: SettingsQuestion): string[] {
  const settings = new Map<string, string>([
    ['listen_addresses', ''],
    ['unix_socket_directories', `"${question.socketDir.replaceAll('"', '""')}"`],
    ['unix_socket_permissions', '0700'],
    ['port', String(question.port)],
    ['max_connections', String(maxConnections)],
    ['shared_buffers', `${bufferMegabytes(question.memoryBytes)}MB`],
    ['max_wal_size', '2GB'],
    ['jit', 'off'],
    // Containers give /dev/shm 64 MB, which parallel workers outgrow.
    ['max_parallel_workers_per_gather', '0'],
    ['max_parallel_maintenance_workers', '0'],
    ['TimeZone', 'UTC'],
    ['log_timezone', 'UTC'],
    // The server's own events only. The process that sent a failed statement reports it; here it would put foreign text
    // and key values into a file.
    ['logging_collector', 'off'],
    ['log_destination', 'stderr'],
    ['log_min_messages', 'log'],
    ['log_error_verbosity', 'terse'],
    ['log_checkpoints', 'off'],
  ])
  if (question.major >= 18) settings.set('io_method', 'sync')
  // After a crash the data is synced as a whole: file by file that takes seconds before recovery begins.
  if (tellsErrorsOfSyncfs(question.linux)) settings.set('recovery_init_sync_method', 'syncfs')
  if (!question.fsync)
    for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) settings.set(name, 'off')
  return [...settings].flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Before 5.8 a failed write may go unreported (PostgreSQL manual, `recovery_init_sync_method`). */
function tellsErrorsOfSyncfs(linux: string | null): boolean {
  const [major = 0, minor = 0] = (linux ?? '').split('.').map((part) => Number.parseInt(part, 10))
  return major > 5 || (major === 5 && minor >= 8)
}

/** An eighth of the memory: the service and its parser live on the same machine. */
function bufferMegabytes(memoryBytes: number): number {
  const wanted = Math.min(Math.max(memoryBytes / 8, minBufferBytes), maxBufferBytes)
  return Math.floor(wanted / megabyte)
}

/** What PostgreSQL writes when its disk has no room; the second where a part of a page was written. */
const noRoom = /No space left on device|Check free disk space|Disk quota exceeded/

/** Whoever asks for a session while the server starts or stops is refused with such a line. */
const refusedSession =
  /FATAL: {2}the database system is (?:starting up|not yet accepting connections|shutting down|in recovery mode)/
const maxCharacters = 4000

/** The end of a server's log, without the sessions that it refused: under load those are all that fits. */
export function lastWords(log: string): string {
  const lines = log.split('\n').filter((line) => !refusedSession.test(line))
  return lines.join('\n').trim().slice(-maxCharacters)
}

/** Says first what PostgreSQL says somewhere in its last lines: that the disk of the data is full. */
export function explainFullDisk(dataDir: string, words: string): string {
  return noRoom.test(words) ? `The disk of ${dataDir} is full: make room, and start again. ${words}` : words
}

/** What PostgreSQL writes when its disk has no room; the second where a part of a page was written. */
const noRoom = /No space left on device|Check free disk space|Disk quota exceeded/

/** Says first what PostgreSQL says somewhere in its last lines: that the disk of the data is full. */
export function explainFullDisk(dataDir: string, words: string): string {
  return noRoom.test(words) ? `The disk of ${dataDir} is full: make room, and start again. ${words}` : words
}

import { largestShare } from '../platform/concurrency/fair-share.ts'

export type WaitingFile = { workspaceId: string; body: { readonly length: number } }

type Bounds = { maxFiles: number; maxBytes: number }

/**
 * The files that wait for the parser child. Workspaces are served in turn. When the bounds are reached, a workspace keeps its
 * fair share: a newcomer of a workspace below its share takes the place of the newest files of the one furthest above
 * (docs/decisions/0009, "Too much at once").
 */
export class WaitingFiles<File extends WaitingFile> {
  readonly #bounds: Bounds
  /** In the order in which workspaces take their turn. */
  readonly #byWorkspace = new Map<string, File[]>()
  #files = 0
  #bytes = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  get files(): number {
    return this.#files
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Takes a file in, or answers which files have to be turned away: the newcomer itself, or others to make room for it. */
  add(file: File): File[] {
    this.#insert(file, 'last')
    const turnedAway: File[] = []
    while (this.#isOverfull() && !turnedAway.includes(file)) {
      turnedAway.push(this.#dropNewest(this.#heaviest(file)))
    }
    return turnedAway
  }

  /** Puts a file back that was taken: it goes first among its workspace's, and no bound turns it away. */
  putBack(file: File): void {
    this.#insert(file, 'first')
  }

  /** Takes the next file of those that fit, in the turn of the workspaces; its workspace goes to the end of the line. */
  take(fits: (file: File) => boolean): File | undefined {
    for (const [workspaceId, files] of this.#byWorkspace) {
      const place = files.findIndex(fits)
      const [file] = place === -1 ? [] : files.splice(place, 1)
      if (file === undefined) continue
      this.#byWorkspace.delete(workspaceId)
      if (files.length > 0) this.#byWorkspace.set(workspaceId, files)
      this.#count(file, -1)
      return file
    }
    return undefined
  }

  #insert(file: File, place: 'first' | 'last'): void {
    const files = this.#byWorkspace.get(file.workspaceId) ?? []
    this.#byWorkspace.set(file.workspaceId, files)
    if (place === 'first') files.unshift(file)
    else files.push(file)
    this.#count(file, 1)
  }

  #count(file: File, sign: 1 | -1): void {
    this.#files += sign
    this.#bytes += sign * file.body.length
  }

  #isOverfull(): boolean {
    return this.#files > this.#bounds.maxFiles || this.#bytes > this.#bounds.maxBytes
  }

  #heaviest(newcomer: File): string {
    return largestShare(
      this.#byWorkspace.values().flatMap((files) => files),
      newcomer,
      { keyOf: ({ workspaceId }) => workspaceId, shareOf: (files) => this.#partOf(files) },
    )
  }

  #partOf(files: readonly File[]): number {
    const bytes = files.reduce((sum, file) => sum + file.body.length, 0)
    return Math.max(files.length / this.#bounds.maxFiles, bytes / this.#bounds.maxBytes)
  }

  #dropNewest(workspaceId: string): File {
    const files = this.#byWorkspace.get(workspaceId) ?? []
    const file = files.pop()
    if (file === undefined) throw new Error('no file to turn away')
    if (files.length === 0) this.#byWorkspace.delete(workspaceId)
    this.#count(file, -1)
    return file
  }
}

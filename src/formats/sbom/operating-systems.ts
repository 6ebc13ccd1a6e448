import type { Place } from '../json/object.ts'
import type { OperatingSystem } from './document.ts'
import type { Hints } from './hints.ts'

/**
 * The distribution of a document. Where it describes several different ones (an SBOM of several images), none may be
 * assumed for a package that does not name its own: a wrong release gives wrong matches.
 */
export class OperatingSystems {
  #only: OperatingSystem | null = null
  #differ = false

  add(system: OperatingSystem, place: Place, hints: Hints): void {
    const first = (this.#only ??= system)
    if (first.name === system.name && first.version === system.version) return
    this.#differ = true
    hints.note('several_operating_systems', place)
  }

  get isEmpty(): boolean {
    return this.#only === null
  }

  get only(): OperatingSystem | null {
    return this.#differ ? null : this.#only
  }
}

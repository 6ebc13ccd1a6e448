import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const maxBytes = 4 * 1024 * 1024
/** V8's own. */
const standardGrowth = 2
/** Not while somebody waits for the start: it blocks the process for some 45 ms. */
const giveBackAfterMs = 2_000
/** It doubles each time it grows: often enough that it seldom grows twice in between. */
const lookEveryMs = 100

/** Keeps the heap of a process small once it has begun to answer. Returns what ends that. */
export function keepHeapSmall(): () => void {
  const stopBounding = boundYoungGeneration()
  const givingBack = setTimeout(giveBackMemory, giveBackAfterMs).unref()
  return () => {
    stopBounding()
    clearTimeout(givingBack)
  }
}

/** How many want it bounded at the moment: a process that answers, and an import in it. */
let bounding = 0
let looking: NodeJS.Timeout | undefined

/**
 * Lets the young generation of this process grow from 1 MB to 4 MB, and not on to the 16 MB that V8 would take (docs/measurements.md, "What
 * costs what"). V8 shrinks it when little happens, so it is checked for as long as somebody wants it. Returns what ends that.
 */
export function boundYoungGeneration(): () => void {
  bounding += 1
  looking ??= setInterval(growUpToBound, lookEveryMs).unref()
  growUpToBound()
  return () => {
    bounding -= 1
    if (bounding > 0) return
    clearInterval(looking)
    looking = undefined
    setGrowth(standardGrowth)
  }
}

function growUpToBound(): void {
  setGrowth(halfBytes() < maxBytes ? standardGrowth : 1)
}

function setGrowth(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`)
}

/** Of the half that is in use; the other half is for copies of the survivors. */
function halfBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return (space?.space_size ?? 0) / 2
}

/**
 * Gives back what only the start needed. V8 lets the heap grow by a share of what is alive, so it also grows less from then on. The most
 * aggressive collection would give back 20 MB more, but keep requests waiting for a tenth of a second.
 */
function giveBackMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
  collect({ type: 'major', flavor: 'regular', execution: 'sync' })
}

/** Percent of what is alive that may be added before the next collection; by itself V8 lets several times as much pile up where there is memory. */
const keptGarbage = 50

/** For a command that works through far more than it keeps: garbage is collected sooner, for the rest of the process (docs/measurements.md, "What an import remembers"). */
export function collectSooner(): void {
  setFlagsFromString(`--heap-growing-percent=${keptGarbage}`)
}

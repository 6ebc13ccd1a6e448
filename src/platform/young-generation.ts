import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const mostBytes = 4 * 1024 * 1024
/** It doubles each time it grows: often enough that it seldom grows twice in between. */
const lookEveryMs = 100

/**
 * Lets the young generation of this process grow from 1 MB to 4 MB, and not on to the 16 MB that V8 would take (docs/measurements.md, "What
 * costs what"). V8 makes it smaller again when little happens, so it is looked at as long as the process answers. Returns what ends that.
 */
export function boundYoungGeneration(): () => void {
  let factor = 1
  const look = () => {
    const wanted = halfBytes() < mostBytes ? 2 : 1
    if (wanted !== factor) setFlagsFromString(`--semi-space-growth-factor=${wanted}`)
    factor = wanted
  }
  const looking = setInterval(look, lookEveryMs).unref()
  return () => clearInterval(looking)
}

/** Of the half that is in use; the other one is for copies of what lives on. */
function halfBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return (space?.space_size ?? 0) / 2
}

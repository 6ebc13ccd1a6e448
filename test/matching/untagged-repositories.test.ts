import { neighboursIn, testNeighbours } from './neighbour-scene.ts'

/** OSV records on repositories none of whose tags they list. What can be said of a tag is possible; commits are compared with commits. */

const commit = '7ca2d6bd0a0b0c0d0e0f1a1b1c1d1e1f2a2b2c2d'
const fix = 'ffffffffffffffffffffffffffffffffffffffff'

/** `rule | what is said beside the commits | events | purl | answer`. */
const table = String.raw`
up to the last affected | "versions":[{"introduced":"0"},{"last_affected":"2.0"}] | ["${commit}","${fix}"] | 2.0 | possible
by a tag | "versions":[{"introduced":"0"},{"last_affected":"v2.0"}] | ["${commit}","${fix}"] | v1.9 | possible
behind it | "versions":[{"introduced":"0"},{"last_affected":"2.0"}] | ["${commit}","${fix}"] | 2.1 | not_covered
at the fix | "extracted_events":[{"introduced":"1.0"},{"fixed":"2.0"}],"source":"CPE_FIELD" | ["${commit}","${fix}"] | 2.0 | not_covered
below the fix | "extracted_events":[{"introduced":"1.0"},{"fixed":"2.0"}],"source":"CPE_FIELD" | ["${commit}","${fix}"] | 1.0 | possible
before the first | "extracted_events":[{"introduced":"1.0"},{"fixed":"2.0"}] | ["${commit}","${fix}"] | 0.9 | not_covered
an end alone | "versions":[{"fixed":"2.0"}] | ["${commit}","${fix}"] | 1.0 | possible
a snapshot behind the last affected | "versions":[{"introduced":"0"},{"last_affected":"2.0"}] | ["${commit}","${fix}"] | v2.0-5-gabcdef0 | possible
from the first commit on | | ["0"] | 2.0 | possible
from the first commit to a fix | | ["0","${fix}"] | 2.0 | possible
between commits | | ["${commit}","${fix}"] | 2.0 | not_covered
the commit itself | | ["${commit}","${fix}"] | ${commit} | possible
something else than versions | "versions":"all" | ["${commit}","${fix}"] | 2.0 | not_covered
`

const lines = table.trim().split('\n')
const all = neighboursIn(
  lines
    .map((line, at) => {
      const [rule = '', said = '', events = '', version = '', answer = ''] = line
        .split(' |')
        .map((text) => text.trim())
      const [introduced = '', fixed] = JSON.parse(events) as string[]
      const range = {
        type: 'GIT',
        repo: `https://github.com/acme/untagged${at}`,
        events: [{ introduced }, ...(fixed === undefined ? [] : [{ fixed }])],
        ...(said === '' ? {} : { database_specific: JSON.parse(`{${said}}`) as object }),
      }
      const versions = JSON.stringify({ ranges: [range] })
      return `${rule} | GIT | - | ${versions} | pkg:github/acme/untagged${at}@${version} | ${answer}`
    })
    .join('\n'),
)

testNeighbours(all)

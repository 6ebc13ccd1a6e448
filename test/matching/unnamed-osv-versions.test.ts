import { neighboursIn, testNeighbours } from './neighbour-scene.ts'

/** OSV records that name a package and do not say which of its versions are affected, or not where that begins. */

const commits = '{"type":"GIT","repo":"https://github.com/a/b","events":[{"introduced":"0"}]}'
const all = neighboursIn(String.raw`
nothing | npm | a1 | {} | pkg:npm/a1@1.0.0 | possible
commits alone | npm | a2 | {"ranges":[${commits}]} | pkg:npm/a2@1.0.0 | possible
a range without events, by the schema | PyPI | a3 | {"ranges":[{"type":"ECOSYSTEM","events":[]}]} | pkg:pypi/a3@1.0 | -
nothing, without keys | Maven | g:a4 | {} | pkg:maven/g/a4@1.0 | possible
nothing, of a distribution | Debian:12 | a5 | {} | pkg:deb/debian/a5@1.0-1?arch=source&distro=debian-12 | possible
nothing, of another release | Debian:12 | a6 | {} | pkg:deb/debian/a6@1.0-1?arch=source&distro=debian-13 | -
commits beside a list | npm | a7 | {"ranges":[${commits}],"versions":["1.0.0"]} | pkg:npm/a7@1.0.1 | -
commits beside a range | npm | a8 | {"ranges":[${commits},{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"2.0.0"}]}]} | pkg:npm/a8@2.0.0 | -
no events beside a range | npm | a9 | {"ranges":[{"type":"SEMVER","events":[]},{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"2.0.0"}]}]} | pkg:npm/a9@2.0.0 | -
an end alone | npm | b1 | {"ranges":[{"type":"SEMVER","events":[{"fixed":"2.0.0"}]}]} | pkg:npm/b1@1.0.0 | possible
its fix | npm | b2 | {"ranges":[{"type":"SEMVER","events":[{"fixed":"2.0.0"}]}]} | pkg:npm/b2@2.0.0 | -
a last version alone | Maven | g:b3 | {"ranges":[{"type":"ECOSYSTEM","events":[{"last_affected":"2.0"}]}]} | pkg:maven/g/b3@2.0 | possible
an empty start | npm | b4 | [{"introduced":""},{"fixed":"2.0.0"}] | pkg:npm/b4@1.0.0 | possible
`)

testNeighbours(all)

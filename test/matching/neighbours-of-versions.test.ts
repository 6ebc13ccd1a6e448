import { neighboursIn, type Neighbour, testNeighbours } from './neighbour-scene.ts'

/**
 * Versions and ranges as tools and databases write them. Expected answers are those of packaging 26 (PEP 440), dpkg --compare-versions,
 * rpm, go/version, Maven and the OSV schema's evaluation.
 */
const table = neighboursIn(String.raw`
local version, fixed in the release | PyPI | a1 | <1.0 | pkg:pypi/a1@1.0%2Bbuild | -
local version of the last affected | PyPI | a2 | <=1.0 | pkg:pypi/a2@1.0%2Bbuild | exact
local version of a listed one | PyPI | a3 | =2.5.1 | pkg:pypi/a3@2.5.1%2Bcu118 | exact
local version below the fix | PyPI | a4 | <2.6.0 | pkg:pypi/a4@2.5.1%2Bcu118 | exact
local version behind the last affected | PyPI | a5 | <=2.5.0 | pkg:pypi/a5@2.5.1%2Bcu118 | -
post release of the last affected | PyPI | a6 | <=1.0 | pkg:pypi/a6@1.0.post1 | -
post release by a hyphen | PyPI | a7 | <=1.0 | pkg:pypi/a7@1.0-1 | -
candidate of the fix | PyPI | a8 | <1.0 | pkg:pypi/a8@1.0rc1 | exact
an epoch is above | PyPI | a9 | <2.0 | pkg:pypi/a9@1!1.0 | -
v in front | PyPI | a10 | <1.2.4 | pkg:pypi/a10@v1.2.3 | exact
a dev release is below the first | PyPI | a11 | [{"introduced":"1.0"}] | pkg:pypi/a11@1.0.dev3 | -
local version of the first | PyPI | a12 | [{"introduced":"1.0"}] | pkg:pypi/a12@1.0%2Bubuntu.2 | exact
zeros behind in a list | PyPI | a13 | =1.0 | pkg:pypi/a13@1.0.0 | exact
zero | PyPI | a14 | <1 | pkg:pypi/a14@0 | exact
npm zero | npm | b1 | <2.0.0 | pkg:npm/b1@0 | exact
npm v in front | npm | b2 | <2.0.0 | pkg:npm/b2@v1.0.0 | exact
npm candidate | npm | b3 | <2.0.0 | pkg:npm/b3@2.0.0-rc.1 | exact
npm build | npm | b4 | =1.2.3 | pkg:npm/b4@1.2.3%2Bb1 | exact
npm v in the list | npm | b5 | =v1.2.3 | pkg:npm/b5@1.2.3 | exact
npm v in the bound | npm | b6 | <v2.0.0 | pkg:npm/b6@1.0.0 | exact
npm not in the list | npm | b7 | =1.2.3 | pkg:npm/b7@1.2.4 | -
npm no version | npm | b8 | <2.0.0 | pkg:npm/b8 | possible
npm a branch | npm | b9 | all | pkg:npm/b9@master | uncomparable
all versions | npm | c1 | all | pkg:npm/c1@9.9.9 | exact
no events | npm | c2 | [] | pkg:npm/c2@1.0.0 | -
unsorted | npm | c3 | [{"fixed":"2.0.0"},{"introduced":"0"}] | pkg:npm/c3@1.0.0 | exact
two in one event | npm | c4 | [{"introduced":"0","fixed":"2.0.0"}] | pkg:npm/c4@1.0.0 | exact
last affected before the fix, between | PyPI | c5 | [{"introduced":"0"},{"last_affected":"1.4"},{"fixed":"1.6"}] | pkg:pypi/c5@1.5 | -
last affected before the fix, at it | PyPI | c6 | [{"introduced":"0"},{"last_affected":"1.4"},{"fixed":"1.6"}] | pkg:pypi/c6@1.4 | exact
at the limit | PyPI | c7 | [{"introduced":"0"},{"fixed":"2.0"},{"limit":"1.5"}] | pkg:pypi/c7@1.5 | -
below the limit | PyPI | c8 | [{"introduced":"0"},{"fixed":"2.0"},{"limit":"1.5"}] | pkg:pypi/c8@1.4 | exact
no limit | PyPI | c9 | [{"introduced":"0"},{"limit":"*"}] | pkg:pypi/c9@1.4 | exact
again affected | PyPI | c10 | [{"introduced":"0"},{"fixed":"1.0"},{"introduced":"2.0"},{"last_affected":"2.0"}] | pkg:pypi/c10@2.0 | exact
lowest of RustSec | crates.io | c11 | [{"introduced":"0.0.0-0"},{"fixed":"1.0.0"}] | pkg:cargo/c11@0.0.0 | exact
a bound without order | npm | c12 | <1.9.5p2-r0_x y | pkg:npm/c12@1.0.0 | possible
Maven equal by its zeros | Maven | d:d1 | =1.0 | pkg:maven/d/d1@1.0.0 | exact
Maven qualifier | Maven | d:d2 | <32.0.0-android | pkg:maven/d/d2@31.1-jre | exact
Maven Final below | Maven | d:d3 | <2.0.1 | pkg:maven/d/d3@2.0.0.Final?type=jar | exact
Composer four numbers | Packagist | d/d4 | <2.0.0 | pkg:composer/d/d4@1.0.0.0 | exact
toolchain of a distributor, fixed | Go | stdlib | [{"introduced":"1.22.0"},{"fixed":"1.22.7"}] | pkg:golang/stdlib@go1.22.7-bigcorp | -
toolchain with experiments | Go | toolchain | [{"introduced":"1.26.0"},{"fixed":"1.26.6"}] | pkg:golang/toolchain@1.26.5-X%3Aboringcrypto | exact
deb epoch beside | Debian:12 | e1 | <1:9.2-1 | pkg:deb/debian/e1@1%3A9.1-1?arch=source&distro=debian-12&epoch=1 | exact
deb tilde below | Debian:12 | e2 | <2-1 | pkg:deb/debian/e2@2-1~deb12u1?arch=source&distro=debian-12 | exact
deb plus above | Debian:12 | e3 | <2-1 | pkg:deb/debian/e3@2-1%2Bdeb12u1?arch=source&distro=debian-12 | -
deb rebuild | Debian:12 | e4 | <=2-1 | pkg:deb/debian/e4@2-1%2Bb1?arch=amd64&distro=debian-12&upstream=e4 | exact
backport against an open range | Debian:12 | e5 | all | pkg:deb/debian/e5@2-1~bpo12%2B1?arch=source&distro=debian-12 | possible
backport below the fix | Debian:12 | e6 | <3-1 | pkg:deb/debian/e6@2-1~bpo12%2B1?arch=source&distro=debian-12 | exact
backport above the fix | Debian:12 | e7 | <1-1+deb12u1 | pkg:deb/debian/e7@2-1~bpo12%2B1?arch=source&distro=debian-12 | -
signed kernel of Ubuntu | Ubuntu:24.04:LTS | linux-aws | <6.8.0-1009.9 | pkg:deb/ubuntu/linux-image-6.8.0-1008-aws@6.8.0-1008.8?arch=amd64&distro=ubuntu-24.04&upstream=linux-signed-aws | exact
signed kernel of Debian | Debian:12 | linux | <6.1.80-1 | pkg:deb/debian/linux-image-6.1.0-18-amd64@6.1.76-1?arch=amd64&distro=debian-12&upstream=linux-signed-amd64%406.1.76%2B1 | exact
signed loader | Debian:12 | grub2 | <2.06-13+deb12u2 | pkg:deb/debian/grub-efi-amd64-signed@1%2B2.06%2B13%2Bdeb12u1?arch=amd64&distro=debian-12&upstream=grub-efi-amd64-signed%401%2B2.06%2B13%2Bdeb12u1 | exact
rpm epoch of the record | Rocky Linux:9 | f1 | <1:1-1.el9 | pkg:rpm/rocky/f1@2-1.el9?arch=src&distro=rocky-9 | exact
rpm epoch of the package | Rocky Linux:9 | f2 | <1:1-1.el9 | pkg:rpm/rocky/f2@1-1.el9?arch=src&distro=rocky-9&epoch=1 | -
rpm tilde | Rocky Linux:9 | f3 | <1.0-1.el9 | pkg:rpm/rocky/f3@1.0~rc1-1.el9?arch=src&distro=rocky-9 | exact
rpm caret | Rocky Linux:9 | f4 | <1.0-1.el9 | pkg:rpm/rocky/f4@1.0%5Egit1-1.el9?arch=src&distro=rocky-9 | -
apk revision | Alpine:v3.20 | g1 | <1.0-r10 | pkg:apk/alpine/g1@1.0-r9?distro=alpine-3.20 | exact
apk suffix | Alpine:v3.20 | g2 | <1.0_p1-r0 | pkg:apk/alpine/g2@1.0-r9?distro=alpine-3.20 | exact
never affected (fixed in 0) | Wolfi | g3 | <0 | pkg:apk/wolfi/g3@1-r0?arch=x86_64 | -
Bitnami revision | Bitnami | h1 | <1.2.3-2 | pkg:bitnami/h1@1.2.3-1?arch=amd64 | exact
`)

const withdrawn = neighboursIn(
  'withdrawn | npm | w1 | <2.0.0 | pkg:npm/w1@1.0.0 | -\nno affected | npm | w2 | <2.0.0 | pkg:npm/w2@1.0.0 | -',
).map((one, at): Neighbour => ({
  ...one,
  record: {
    ...one.record,
    ...(at === 0 ? { withdrawn: '2026-01-02T00:00:00Z' } : { affected: undefined }),
  },
}))

/** Each names the next as its alias, upstream and related record, and the last names the first. */
const circle = neighboursIn(
  [1, 2, 3].map((at) => `circle ${at} | npm | o${at} | <2.0.0 | pkg:npm/o${at}@1.0.0 | exact`).join('\n'),
).map((one, at, others): Neighbour => {
  const next = others[(at + 1) % others.length]?.record.id
  const names = at === 0 ? { upstream: [next], related: [next] } : { upstream: [next, one.record.id] }
  return { ...one, record: { ...one.record, ...names } }
})

const all = [...table, ...withdrawn, ...circle]

testNeighbours(all)

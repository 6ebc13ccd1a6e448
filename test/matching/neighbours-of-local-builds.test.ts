import { neighboursIn, testNeighbours } from './neighbour-scene.ts'

/** Versions rebuilt by somebody other than the author. Expected answers are those of packaging (PEP 440), go/version and dpkg. */
const table = neighboursIn(String.raw`
local candidate of the last affected | PyPI | p1 | <=1.0rc1 | pkg:pypi/p1@1.0rc1%2Bcu118 | exact
local post release of the last affected | PyPI | p2 | <=1.2.post1 | pkg:pypi/p2@1.2.post1%2Bx | exact
local version behind an epoch | PyPI | p3 | <=1!1.0 | pkg:pypi/p3@1!1.0%2Bz | exact
release of a listed local version | PyPI | p4 | =1.0+cu118 | pkg:pypi/p4@1.0 | -
the listed local version | PyPI | p5 | =1.0+cu118 | pkg:pypi/p5@1.0%2Bcu118 | exact
the listed local version, other marks | PyPI | p6 | =1.0+cu-118 | pkg:pypi/p6@1.0%2BCU.118 | exact
another local version than the listed one | PyPI | p7 | =1.0+cu118 | pkg:pypi/p7@1.0%2Bcu121 | -
local version below a fix that is local | PyPI | p8 | <1.0+b | pkg:pypi/p8@1.0%2Ba | exact
release below a fix that is local | PyPI | p9 | <1.0+b | pkg:pypi/p9@1.0 | exact
local version above a last affected one that is local | PyPI | p10 | <=1.0+a | pkg:pypi/p10@1.0%2Bb | -
local version of a listed one, zeros behind | PyPI | p11 | =1.0 | pkg:pypi/p11@1.0.0%2Bx | exact
numbers in a local version are above words | PyPI | p12 | <1.0+2 | pkg:pypi/p12@1.0%2Babc | exact
a vendor’s Go with the fix | Go | stdlib | [{"introduced":"1.80.0-0"},{"fixed":"1.80.5"}] | pkg:golang/stdlib@go1.80.5-bigcorp | -
a vendor’s Go without it | Go | stdlib | [{"introduced":"1.81.0-0"},{"fixed":"1.81.5"}] | pkg:golang/stdlib@go1.81.4-bigcorp | exact
an experiment of Go, without go | Go | stdlib | [{"introduced":"1.82.0-0"},{"fixed":"1.82.7"}] | pkg:golang/stdlib@1.82.6%20X:boringcrypto,jsonv2 | exact
an experiment of Go, by a hyphen, with the fix | Go | stdlib | [{"introduced":"1.83.0-0"},{"fixed":"1.83.6"}] | pkg:golang/stdlib@1.83.6-X:boringcrypto | -
signed kernel for clouds | Debian:12 | linux | <6.1.128-1 | pkg:deb/debian/linux-image-6.1.0-30-cloud-amd64@6.1.124-1?arch=amd64&distro=debian-12&upstream=linux-signed-amd64%406.1.124%2B1 | exact
signed kernel for clouds, fixed | Debian:11 | linux | <6.1.124-1 | pkg:deb/debian/linux-image-6.1.0-30-cloud-amd64@6.1.124-1?arch=amd64&distro=debian-11&upstream=linux-signed-amd64%406.1.124%2B1 | -
signed kernel of a cloud and line | Ubuntu:22.04:LTS | linux-azure-6.8 | <6.8.0-1020.23~22.04.1 | pkg:deb/ubuntu/linux-image-6.8.0-1019-azure@6.8.0-1019.22~22.04.1?arch=amd64&distro=ubuntu-22.04&upstream=linux-signed-azure-6.8 | exact
signed kernel with low latency | Ubuntu:24.04:LTS | linux-lowlatency | <6.8.0-50.50.1 | pkg:deb/ubuntu/linux-image-6.8.0-49-lowlatency@6.8.0-49.49.1?arch=amd64&distro=ubuntu-24.04&upstream=linux-signed-lowlatency | exact
backport against an open range | Debian:12 | b1 | all | pkg:deb/debian/b1@2.0-1~bpo12%2B1?arch=source&distro=debian-12 | possible
backport below the fix of its base | Debian:12 | b2 | <2.0-1 | pkg:deb/debian/b2@2.0-1~bpo12%2B1?arch=source&distro=debian-12 | exact
rebuild of the fix | Debian:12 | b3 | <2.0-1 | pkg:deb/debian/b3@2.0-1%2Bb2?arch=source&distro=debian-12 | -
`)

testNeighbours(table)

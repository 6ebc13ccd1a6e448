import { neighboursIn, testNeighbours } from './neighbour-scene.ts'

/**
 * Distribution builds, and releases as tools write them. Expected answers are those of dpkg --compare-versions, rpm and the apk
 * specification.
 */
const table = neighboursIn(String.raw`
deb dfsg above | Debian:12 | a1 | <1.0-2 | pkg:deb/debian/a1@1.0%2Bdfsg-1?arch=source&distro=debian-12 | -
deb dfsg below | Debian:12 | a2 | <1.0+dfsg-2 | pkg:deb/debian/a2@1.0%2Bdfsg-1?arch=source&distro=debian-12 | exact
deb tilde dfsg | Debian:12 | a3 | <1.0-1 | pkg:deb/debian/a3@1.0~dfsg-3?arch=src&distro=debian-12 | exact
deb really | Debian:12 | a4 | <2.0-2 | pkg:deb/debian/a4@2.0%2Breally1.9-1?arch=source&distro=debian-12 | -
deb bpo below deb12u1 | Debian:12 | a5 | <2-1~deb12u1 | pkg:deb/debian/a5@2-1~bpo12%2B1?arch=source&distro=debian-12 | exact
deb native | Debian:12 | a6 | <2024a-0+deb12u1 | pkg:deb/debian/a6@2023c-5%2Bdeb12u1?arch=all&distro=debian-12&upstream=a6 | exact
deb arch src | Debian:12 | a7 | <2-1 | pkg:deb/debian/a7@1-1?arch=src&distro=debian-12 | exact
deb source with version | Debian:12 | a8 | <2.0-1 | pkg:deb/debian/liba8@3%3A1.9-1?arch=amd64&distro=debian-12&upstream=a8%401.9-1 | exact
deb source with version, fixed | Debian:12 | a9 | <2.0-1 | pkg:deb/debian/liba9@1.9-1?arch=amd64&distro=debian-12&upstream=a9%402.0-1 | -
deb source with epoch | Debian:12 | a10 | <1:2.0-1 | pkg:deb/debian/liba10@1.9-1?arch=amd64&distro=debian-12&upstream=a10%401%3A1.9-1 | exact
deb trixie | Debian:13 | a11 | <2-1 | pkg:deb/debian/a11@1-1?arch=source&distro=trixie | exact
deb forky | Debian:14 | a12 | <2-1 | pkg:deb/debian/a12@1-1?arch=source&distro=forky | exact
deb codename number | Debian:12 | a13 | <2-1 | pkg:deb/debian/a13@1-1?arch=source&distro=debian-12-bookworm | exact
deb GNU Linux | Debian:12 | a14 | <2-1 | pkg:deb/debian/a14@1-1?arch=source&distro=Debian%20GNU/Linux%2012 | exact
deb bookworm-security | Debian:12 | a15 | <2-1 | pkg:deb/debian/a15@1-1?arch=source&distro=bookworm-security | exact
deb listed | Debian:12 | a16 | =1-1 | pkg:deb/debian/a16@1-1?arch=source&distro=debian-12 | exact
deb listed binNMU | Debian:12 | a17 | =1-1 | pkg:deb/debian/a17@1-1%2Bb3?arch=amd64&distro=debian-12&upstream=a17 | exact
deb no version | Debian:12 | a19 | <2-1 | pkg:deb/debian/a19@v1.0-1?arch=source&distro=debian-12 | uncomparable
deb no version behind an epoch | Ubuntu:22.04:LTS | a20 | <2-1 | pkg:deb/ubuntu/a20@1%3Amain?arch=source&distro=ubuntu-22.04 | uncomparable
opam | opam | a21 | <v0.17.0 | pkg:opam/a21@v0.16.1 | exact
deb fixed 0 | Debian:12 | a18 | <0 | pkg:deb/debian/a18@1-1?arch=source&distro=debian-12 | -
ubuntu lts words | Ubuntu:22.04:LTS | b1 | <2-1 | pkg:deb/ubuntu/b1@1-1?arch=source&distro=ubuntu-22.04.3 | exact
ubuntu noble | Ubuntu:24.04:LTS | b2 | <2-1 | pkg:deb/ubuntu/b2@1-1?arch=source&distro=ubuntu-noble | exact
ubuntu record without LTS | Ubuntu:22.04 | b3 | <2-1 | pkg:deb/ubuntu/b3@1-1?arch=source&distro=ubuntu-22.04 | exact
ubuntu esm | Ubuntu:Pro:18.04:LTS | b4 | <2-1ubuntu1+esm3 | pkg:deb/ubuntu/b4@2-1ubuntu1%2Besm1?arch=source&distro=ubuntu-18.04 | exact
ubuntu esm fixed | Ubuntu:Pro:18.04:LTS | b5 | <2-1ubuntu1+esm1 | pkg:deb/ubuntu/b5@2-1ubuntu1%2Besm2?arch=source&distro=ubuntu-18.04 | -
ubuntu esm tilde | Ubuntu:Pro:16.04:LTS | b6 | <1.2-1ubuntu0.1~esm2 | pkg:deb/ubuntu/b6@1.2-1ubuntu0.1~esm1?arch=source&distro=xenial | exact
ubuntu esm as Ubuntu writes it | Ubuntu:Pro:22.04:LTS | b10 | <8.12.1-1ubuntu0.1~esm2 | pkg:deb/ubuntu/b10@8.12.1-1ubuntu0.1~esm1?arch=source&distro=esm-apps%2Fjammy | exact
ubuntu interim | Ubuntu:23.10 | b7 | <2-1 | pkg:deb/ubuntu/b7@1-1?arch=source&distro=mantic | exact
ubuntu lower words | Ubuntu:20.04:LTS | b8 | <2-1 | pkg:deb/ubuntu/b8@1-1?arch=source&distro=Ubuntu%2020.04%20LTS | exact
ubuntu ga in pro | Ubuntu:18.04:LTS | b9 | <2-1ubuntu3 | pkg:deb/ubuntu/b9@2-1ubuntu1%2Besm1?arch=source&distro=ubuntu-18.04 | possible
apk rc | Alpine:v3.20 | c1 | <1.2.3-r0 | pkg:apk/alpine/c1@1.2.3_rc1-r0?distro=alpine-3.20.1 | exact
apk p | Alpine:v3.20 | c2 | <1.2.3-r5 | pkg:apk/alpine/c2@1.2.3_p1-r0?distro=alpine-3.20.1 | -
apk p below | Alpine:v3.20 | c3 | <1.2.3_p2-r0 | pkg:apk/alpine/c3@1.2.3_p1-r7?distro=alpine-3.20.1 | exact
apk git | Alpine:v3.20 | c4 | <1.0-r1 | pkg:apk/alpine/c4@1.0_git20240101-r0?distro=alpine-3.20.1 | -
apk letter | Alpine:v3.20 | c5 | <1.1.1l-r0 | pkg:apk/alpine/c5@1.1.1k-r0?distro=alpine-3.20.1 | exact
apk pre below rc | Alpine:v3.20 | c6 | <1.2_rc1-r0 | pkg:apk/alpine/c6@1.2_pre9-r0?distro=alpine-3.20.1 | exact
apk distro bare | Alpine:v3.20 | c7 | <2-r0 | pkg:apk/alpine/c7@1-r0?distro=3.20.3 | exact
apk distro v | Alpine:v3.20 | c8 | <2-r0 | pkg:apk/alpine/c8@1-r0?distro=alpine-v3.20 | exact
apk origin | Alpine:v3.20 | c9 | <2-r0 | pkg:apk/alpine/libc9@1-r0?distro=alpine-3.20.3&upstream=c9 | exact
apk no revision | Alpine:v3.20 | c10 | <1.2.3-r1 | pkg:apk/alpine/c10@1.2.3?distro=alpine-3.20.3 | exact
apk alpine words | Alpine:v3.20 | c11 | <2-r0 | pkg:apk/alpine/c11@1-r0?distro=Alpine%20Linux%20v3.20 | exact
apk no release in the record | Alpine | c12 | <2-r0 | pkg:apk/alpine/c12@1-r0?distro=alpine-3.20.3 | -
wolfi alpha | Wolfi | c13 | <1.0_alpha2-r0 | pkg:apk/wolfi/c13@1.0_alpha1-r0?arch=x86_64 | exact
rpm el9_4 | Rocky Linux:9 | d1 | <1.0-5.el9_4 | pkg:rpm/rocky/d1@1.0-5.el9?arch=src&distro=rocky-9.4 | exact
rpm el9_4.1 | Rocky Linux:9 | d2 | <1.0-5.el9_4.1 | pkg:rpm/rocky/d2@1.0-5.el9_4?arch=src&distro=rocky-9.4 | exact
rpm el9_4.1 fixed | Rocky Linux:9 | d3 | <1.0-5.el9_4 | pkg:rpm/rocky/d3@1.0-5.el9_4.1?arch=src&distro=rocky-9.4 | -
rpm words | Rocky Linux:9 | d4 | <1.0-5.el9 | pkg:rpm/rocky/d4@1.0-4.el9?arch=src&distro=Rocky%20Linux%209.4 | exact
rpm rocky-linux | Rocky Linux:8 | d5 | <1.0-5.el8 | pkg:rpm/rocky-linux/d5@1.0-4.el8?arch=src&distro=rocky-8.10 | exact
rpm rockylinux | Rocky Linux:8 | d6 | <1.0-5.el8 | pkg:rpm/rockylinux/d6@1.0-4.el8?arch=src&distro=rocky-8.10 | exact
rpm alma | AlmaLinux:8 | d7 | <1.0-5.el8 | pkg:rpm/alma/d7@1.0-4.el8?arch=x86_64&distro=AlmaLinux-8.9 | exact
rpm no distro | Rocky Linux:9 | d9 | <1.0-5.el9 | pkg:rpm/rocky/d9@1.0-4.el9?arch=src | exact
tumbleweed | openSUSE:Tumbleweed | d11 | <1.1-2.1 | pkg:rpm/opensuse/d11@1.1-1.1?arch=src&distro=opensuse-tumbleweed-20240101 | exact
tumbleweed namespace | openSUSE:Tumbleweed | d12 | <1.1-2.1 | pkg:rpm/opensuse-tumbleweed/d12@1.1-1.1?arch=src | exact
leap by namespace | openSUSE:Leap 15.6 | d13 | <1.1-2.1 | pkg:rpm/opensuse.leap/d13@1.1-1.1?arch=src&distro=opensuse.leap-15.6 | exact
sles server | SUSE:Linux Enterprise Server 15 SP6-LTSS | d14 | <1.1-2.1 | pkg:rpm/suse/d14@1.1-1.1?arch=src&distro=sles-15.6 | exact
sles bare | SUSE:Linux Enterprise Server 12 SP5 | d15 | <1.1-2.1 | pkg:rpm/sles/d15@1.1-1.1?arch=src&distro=sles-12.5 | exact
sles sp | SUSE:Linux Enterprise Server 15 SP5 | d16 | <1.1-2.1 | pkg:rpm/suse/d16@1.1-1.1?arch=src&distro=sles-15-sp5 | exact
mageia | Mageia:9 | d17 | <1.1-2.mga9 | pkg:rpm/mageia/d17@1.1-1.mga9?arch=src&distro=mageia-9 | exact
photon | Photon OS:5.0 | d18 | <1.1-2.ph5 | pkg:rpm/photon/d18@1.1-1.ph5?arch=src&distro=photon-5.0 | exact
photon without its minor | Photon OS:4.0 | d24 | <1.1-2.ph4 | pkg:rpm/photon/d24@1.1-1?arch=src&distro=photon-4 | exact
photon by source | Photon OS:5.0 | d25 | <1.1-2.ph5 | pkg:rpm/photon/d25-libs@1.1-1.ph5?arch=x86_64&distro=photon-5.0&upstream=d25-1.1-1.ph5.src.rpm | exact
photon by source, fixed | Photon OS:5.0 | d26 | <1.1-1.ph5 | pkg:rpm/photon/d26-libs@1.1-1.ph5?arch=x86_64&distro=photon-5.0&upstream=d26-1.1-1.ph5.src.rpm | -
photon by source, with a version of its own | Photon OS:5.0 | d27 | <5.36-2.ph5 | pkg:rpm/photon/d27-threads@9.1-1.ph5?arch=x86_64&distro=photon-5.0&upstream=d27-5.36-1.ph5.src.rpm | exact
azure 3 | Azure Linux:3 | d19 | <1.1-2.azl3 | pkg:rpm/azurelinux/d19@1.1-1.azl3?arch=src&distro=azurelinux-3.0 | exact
euler | openEuler:24.03-LTS | d20 | <1.1-2.oe2403 | pkg:rpm/openeuler/d20@1.1-1.oe2403?arch=src&distro=openEuler-24.03 | exact
module of the stream | Rocky Linux:8 | d21 | <1:18.20.4-1.module+el8.10.0+1+abcdef | pkg:rpm/rocky/d21@18.20.2-1.module%2Bel8.9.0%2B1%2Babc?arch=src&epoch=1&distro=rocky-8.10&modularitylabel=nodejs%3A18%3A8090020240101%3Aabc | possible
alma module rpmmod | AlmaLinux:8 | d22 | <1:18.20.4-1.module_el8.10.0+1+abcdef | pkg:rpm/almalinux/d22@18.20.2-1.module_el8.9.0%2B1%2Babc?arch=x86_64&epoch=1&distro=almalinux-8.10&rpmmod=nodejs%3A18%3A8090020240101%3Aabc | possible
module against a plain fix | Rocky Linux:8 | d23 | <1:18.20.4-1.el8 | pkg:rpm/rocky/d23@18.20.2-1.module%2Bel8.9.0%2B1%2Babc?arch=src&epoch=1&distro=rocky-8.10&modularitylabel=nodejs%3A18%3A8090020240101%3Aabc | -
`)

testNeighbours(table)

import { describe, expect, it } from 'vitest'
import { bindsTo, readComponent, readTarget } from './bind-target.ts'

function names(purl: string, component: { purl: string; version?: string }): boolean {
  const read = readComponent({ purl: component.purl, cpe: null, version: component.version ?? null })
  return bindsTo(readTarget({ purl }), read, 'affected')
}

describe('a purl names', () => {
  const yes = [
    ['every version when it gives none', 'pkg:npm/left', 'pkg:npm/left@1.0.0'],
    ['its version', 'pkg:npm/left@1.0.0', 'pkg:npm/left@1.0.0'],
    ['a scoped package, however the scope is written', 'pkg:npm/%40babel/core', 'pkg:npm/@babel/core@7.0.0'],
    ['a scope without its @', 'pkg:npm/babel/core', 'pkg:npm/%40babel/core@7.0.0'],
    ['a scope written into the name', 'pkg:npm/%40babel%2Fcore', 'pkg:npm/%40babel/core@7.0.0'],
    ['a Python package by its normalised name', 'pkg:pypi/Zope_Interface', 'pkg:pypi/zope.interface@5.0'],
    ['a Python version that is equal in its order', 'pkg:pypi/flask@1.0', 'pkg:pypi/flask@1.0.0'],
    ['a Go version without its v', 'pkg:golang/github.com/a/b@1.2.3', 'pkg:golang/github.com/a/b@v1.2.3'],
    [
      'the standard library of Go by its other name, as govulncheck writes it',
      'pkg:golang/stdlib@v1.21.3',
      'pkg:golang/std@go1.21.3?goos=linux&type=module',
    ],
    [
      'the standard library of Go, the other way round',
      'pkg:golang/std@go1.21.3',
      'pkg:golang/stdlib@1.21.3',
    ],
    [
      'the release that a toolchain was built from',
      'pkg:golang/stdlib@v1.21.3',
      'pkg:golang/stdlib@go1.21.3%20X:boringcrypto',
    ],
    [
      'a toolchain by its module',
      'pkg:golang/toolchain@v1.21.3',
      'pkg:golang/golang.org/toolchain@v0.0.1-go1.21.3.linux-amd64',
    ],
    [
      'the packages of the standard library by their module',
      'pkg:golang/stdlib@v1.21.3',
      'pkg:golang/crypto/x509@go1.21.3?type=package',
    ],
    [
      'a Go module in lower case, as purl libraries write it',
      'pkg:golang/github.com%2FBurntSushi%2Ftoml@v1.0.0',
      'pkg:golang/github.com/burntsushi/toml@v1.0.0',
    ],
    [
      'a Go module as the module cache writes it',
      'pkg:golang/github.com/BurntSushi/toml',
      'pkg:golang/github.com/%21burnt%21sushi/toml@v1.0.0',
    ],
    ['a crate with the other dash', 'pkg:cargo/serde-json@1.0.0', 'pkg:cargo/Serde_json@1.0.0'],
    ['a NuGet package in any case', 'pkg:nuget/newtonsoft.json', 'pkg:nuget/Newtonsoft.Json@13.0.1'],
    ['a GitHub repository in any case', 'pkg:github/Acme/Tool', 'pkg:github/acme/tool@v1'],
    [
      'every architecture when it gives none',
      'pkg:deb/debian/openssl@3.0.1',
      'pkg:deb/debian/openssl@3.0.1?arch=amd64',
    ],
    [
      'its architecture',
      'pkg:deb/debian/openssl?arch=amd64',
      'pkg:deb/debian/openssl@3.0.1?arch=amd64&distro=debian-12',
    ],
    [
      'the distribution by another of its names',
      'pkg:rpm/amazon/curl@8.0-1',
      'pkg:rpm/amzn/curl@8.0-1?arch=x86_64',
    ],
    ['the distribution, the other way round', 'pkg:rpm/ol/curl@8.0-1', 'pkg:rpm/oracle/curl@8.0-1'],
    ['an epoch beside its version', 'pkg:deb/debian/git@2.30.2-1?epoch=1', 'pkg:deb/debian/git@1:2.30.2-1'],
    [
      'an epoch in its version',
      'pkg:rpm/redhat/bind@32:9.16-1.el9',
      'pkg:rpm/redhat/bind@9.16-1.el9?epoch=32',
    ],
    ['an epoch of zero as none', 'pkg:rpm/redhat/bash@5.1-6.el9?epoch=0', 'pkg:rpm/redhat/bash@5.1-6.el9'],
    [
      'any epoch when it gives none',
      'pkg:rpm/redhat/bind@9.16-1.el9',
      'pkg:rpm/redhat/bind@9.16-1.el9?epoch=32',
    ],
    [
      'its release with or without a point',
      'pkg:deb/debian/libssl3@3.0.11-1?arch=amd64&distro=debian-12',
      'pkg:deb/debian/libssl3@3.0.11-1?arch=amd64&distro=debian-12.5',
    ],
    [
      'its release at a later point',
      'pkg:deb/debian/libssl3@3.0.11-1?distro=debian-12.7',
      'pkg:deb/debian/libssl3@3.0.11-1?distro=debian-12.5',
    ],
    [
      'its release by name',
      'pkg:deb/debian/libssl3?distro=bookworm',
      'pkg:deb/debian/libssl3@3.0.11-1?distro=debian-12.5',
    ],
    [
      'its release without the distribution',
      'pkg:apk/alpine/musl@1.2.4-r2?distro=alpine-3.18.4',
      'pkg:apk/alpine/musl@1.2.4-r2?arch=x86_64&distro=3.18.4',
    ],
    [
      'its release by another name of the distribution',
      'pkg:rpm/redhat/curl@8.0-1.el9?distro=rhel-9.2',
      'pkg:rpm/redhat/curl@8.0-1.el9?distro=redhat-9.2',
    ],
    [
      'what it was built from, which it does not say',
      'pkg:deb/debian/libssl3@3.0.11-1?upstream=openssl',
      'pkg:deb/debian/libssl3@3.0.11-1?arch=amd64',
    ],
    ['a jar, which an artifact is', 'pkg:maven/org.a/b@1?type=jar', 'pkg:maven/org.a/b@1'],
    ['a module, which a path of Go is', 'pkg:golang/a.b/c@v1.0.0?type=module', 'pkg:golang/a.b/c@v1.0.0'],
    [
      'the package at the path of its module',
      'pkg:golang/a.b/c@v1.0.0?type=module',
      'pkg:golang/a.b/c@v1.0.0?type=package',
    ],
    ['a gem for every platform', 'pkg:gem/left@1.0.0?platform=ruby', 'pkg:gem/left@1.0.0'],
    ['every part when it gives no subpath', 'pkg:golang/a.b/c', 'pkg:golang/a.b/c@v1.0.0#cmd/x'],
  ] as const
  it.each(yes)('%s', (_rule, target, component) => {
    expect(names(target, { purl: component })).toBe(true)
  })

  const no = [
    ['another version', 'pkg:npm/left@1.0.0', 'pkg:npm/left@1.0.1'],
    ['another release of the standard library', 'pkg:golang/stdlib@v1.21.3', 'pkg:golang/std@go1.21.4'],
    ['a prerelease of it', 'pkg:golang/stdlib@v1.21.0', 'pkg:golang/std@go1.21rc2'],
    ['the standard library by one of its packages', 'pkg:golang/net/http', 'pkg:golang/std@go1.21.3'],
    [
      'packages of the toolchain by the standard library',
      'pkg:golang/stdlib@v1.21.3',
      'pkg:golang/cmd/go@go1.21.3?type=package',
    ],
    [
      'another package of the standard library',
      'pkg:golang/net/http@go1.21.3',
      'pkg:golang/crypto/x509@go1.21.3',
    ],
    ['the toolchain by the standard library', 'pkg:golang/stdlib', 'pkg:golang/toolchain@go1.21.3'],
    ['a module that ends like the standard library', 'pkg:golang/example.com/std', 'pkg:golang/std@go1.21.3'],
    ['another build of a version', 'pkg:npm/left@1.0.0+a', 'pkg:npm/left@1.0.0+b'],
    ['a component without version', 'pkg:npm/left@1.0.0', 'pkg:npm/left'],
    ['another type', 'pkg:pypi/left', 'pkg:npm/left@1.0.0'],
    ['another namespace', 'pkg:maven/org.a/b', 'pkg:maven/org.c/b@1'],
    ['a package without the namespace', 'pkg:maven/org.a/b', 'pkg:maven/b@1'],
    ['a longer name', 'pkg:npm/left', 'pkg:npm/left-pad@1.0.0'],
    ['another case where the registry knows case', 'pkg:maven/org.a/B', 'pkg:maven/org.a/b@1'],
    ['another architecture', 'pkg:deb/debian/openssl?arch=arm64', 'pkg:deb/debian/openssl@3?arch=amd64'],
    [
      'a component that names no architecture',
      'pkg:deb/debian/openssl?arch=arm64',
      'pkg:deb/debian/openssl@3',
    ],
    ['another distribution', 'pkg:rpm/redhat/curl@8.0-1', 'pkg:rpm/almalinux/curl@8.0-1'],
    ['a vendor that is no distribution', 'pkg:rpm/acme/curl@8.0-1', 'pkg:rpm/amzn/curl@8.0-1'],
    ['a vendor of another registry', 'pkg:golang/ol/curl', 'pkg:golang/oracle/curl@v1.0.0'],
    ['another epoch', 'pkg:deb/debian/git@2.30.2-1?epoch=2', 'pkg:deb/debian/git@1:2.30.2-1'],
    ['an epoch that is not there', 'pkg:deb/debian/git@2.30.2-1?epoch=1', 'pkg:deb/debian/git@2.30.2-1'],
    ['another version of an epoch', 'pkg:deb/debian/git@2.30.3-1?epoch=1', 'pkg:deb/debian/git@1:2.30.2-1'],
    [
      'another release',
      'pkg:deb/debian/libssl3@3.0.11-1?distro=debian-11',
      'pkg:deb/debian/libssl3@3.0.11-1?distro=debian-12',
    ],
    [
      'another point of a release, without a version',
      'pkg:rpm/redhat/curl?distro=rhel-9.2',
      'pkg:rpm/redhat/curl@8.0-1.el9?distro=redhat-9.4',
    ],
    [
      'a component that names no release',
      'pkg:deb/debian/libssl3@3.0.11-1?distro=debian-12',
      'pkg:deb/debian/libssl3@3.0.11-1',
    ],
    [
      'an unknown release by another',
      'pkg:deb/debian/libssl3@3.0.11-1?distro=acme-1',
      'pkg:deb/debian/libssl3@3.0.11-1?distro=acme-2',
    ],
    ['what an unknown type means by it', 'pkg:npm/left?upstream=a', 'pkg:npm/left@1.0.0'],
    ['a module by the package at its path', 'pkg:golang/a.b/c?type=package', 'pkg:golang/a.b/c@v1.0.0'],
    ['another packaging', 'pkg:maven/org.a/b@1?type=war', 'pkg:maven/org.a/b@1'],
    ['a jar where it is something else', 'pkg:maven/org.a/b@1?type=jar', 'pkg:maven/org.a/b@1?type=war'],
    ['what an unknown type means by a jar', 'pkg:npm/left@1.0.0?type=jar', 'pkg:npm/left@1.0.0'],
    ['another part', 'pkg:golang/a.b/c#cmd/x', 'pkg:golang/a.b/c@v1.0.0#cmd/y'],
  ] as const
  it.each(no)('never %s', (_rule, target, component) => {
    expect(names(target, { purl: component })).toBe(false)
  })

  it('the version that the component states beside its purl', () => {
    const beside = { purl: 'pkg:npm/left?vcs_url=x', version: '1.0.0' }
    expect(names('pkg:npm/left@1.0.0', beside)).toBe(true)
    expect(names('pkg:npm/left@2.0.0', beside)).toBe(false)
    expect(names('pkg:npm/left@2.0.0', { purl: 'pkg:npm/left@1.0.0', version: '2.0.0' })).toBe(false)
  })

  it('nothing when it cannot be read', () => {
    expect(names('pkg:', { purl: 'pkg:npm/left@1' })).toBe(false)
  })
})

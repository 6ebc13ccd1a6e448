import { describe, expect, it } from 'vitest'
import { cutPath, cutPurl, cutVersion } from './cut.ts'

describe('a version', () => {
  it.each([
    ['2.14.1', '2.14.1', ''],
    ['10.0.0-M11', '10.0.0-M11', ''],
    ['1:2.36.1-8+deb11u2', '1:2.36.1-8', '+deb11u2'],
    ['7.88.1-10+deb12u14', '7.88.1-10', '+deb12u14'],
    ['v0.0.0-20210101000000-abcdef123456', 'v0.0.0-20210101000000-abcde', 'f123456'],
    ['v2.0.0+incompatible', 'v2.0.0+incom', 'patible'],
    ['3.2.1-SNAPSHOT', '3.2.1', '-SNAPSHOT'],
    ['5.3.39.RELEASE-😀😀😀😀😀😀😀😀', '5.3.39.RELEASE', '-😀😀😀😀😀😀😀😀'],
    ['1'.repeat(20), '1'.repeat(13), '1'.repeat(7)],
  ])('%s is %s and %s', (version, head, tail) => {
    expect(cutVersion(version)).toEqual({ head, tail })
    expect(head + tail).toBe(version)
  })
})

describe('a name', () => {
  it.each([
    ['log4j-core', 'log4j-core', ''],
    ['a-name-without-any-path-in-it', 'a-name-without-any-path-in-it', ''],
    ['github.com/containerd/containerd', 'github.com/containerd', '/containerd'],
    ['github.com/cenkalti/backoff/v4', 'github.com/cenkalti', '/backoff/v4'],
    ['golang.org/x/net', 'golang.org/x', '/net'],
    ['@types/node', '@types/node', ''],
    ['gopkg.in/square/go-jose.v2', 'gopkg.in/square', '/go-jose.v2'],
    ['@angular-devkit/build-angular', '@angular-devkit', '/build-angular'],
    ['https://example.com/', 'https://example.com/', ''],
    ['/usr/lib/libssl.so.3', '/usr/lib', '/libssl.so.3'],
  ])('%s is %s and %s', (name, head, tail) => {
    expect(cutPath(name)).toEqual({ head, tail })
    expect(head + tail).toBe(name)
  })
})

describe('a purl', () => {
  it.each([
    ['pkg:npm/lodash@4.17.21', 'pkg:npm', '/lodash@4.17.21', '/lodash@4.17.21'],
    [
      'pkg:golang/github.com/containerd/containerd@v1.6.8',
      'pkg:golang/github.com/containerd',
      '/containerd@v1.6.8',
      '/containerd@v1.6.8',
    ],
    [
      'pkg:deb/debian/curl@7.88.1?arch=amd64&distro=a/b',
      'pkg:deb/debian',
      '/curl@7.88.1?arch=amd64&distro=a/b',
      '/curl@7.88.1?…',
    ],
  ])('%s is %s and %s, shown as %s', (purl, head, tail, shown) => {
    expect(cutPurl(purl)).toEqual({ head, tail, shown })
    expect(head + tail).toBe(purl)
  })

  it('with a name and version that leave no room for more is cut at its end', () => {
    const purl = 'pkg:golang/github.com/grafana/prometheus@v1.8.2-0.20221205191633-7238d25101e5'
    expect(cutPurl(purl)).toEqual({ head: purl, tail: '' })
  })
})

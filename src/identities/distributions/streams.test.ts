import { describe, expect, it } from 'vitest'
import { extendedSupport, moduleOfLabel, moduleOfTitle, obstacleOf, streamOfVersion } from './streams.ts'

describe('streamOfVersion', () => {
  it.each([
    ['Red Hat', '2.4.37-51.module+el8.7.0+1059+126e9251', 'module'],
    ['AlmaLinux', '0.1.15-2.git2d0b8a3.module_el8.5.0+119+9a9ec082', 'module'],
    ['Red Hat', '6.22.1-1.el8sat', 'el8sat'],
    ['Red Hat', '4.4.1-2.rhaos4.12.el8', 'rhaos4.12'],
    ['Red Hat', '4.4.20-1.el8_4', ''],
    ['Red Hat', '4.4.20-1.el8', ''],
    ['Red Hat', '1.0-1.el8.x86_64', ''],
    ['AlmaLinux', '6.22.1-1.el8sat', ''],
    ['Ubuntu', '7.58.0-2ubuntu3.24+esm1', 'esm'],
    ['Ubuntu', '1.1.1f-1ubuntu2.fips.7', 'fips'],
    ['Ubuntu', '1.1.1-1ubuntu2.1~18.04.23+Fips1', 'fips'],
    ['Ubuntu', '7.58.0-2ubuntu3.24', ''],
    ['Debian', '1.0-1+esm1', ''],
    ['Fedora', '16.14.0-4.module_f36+13945+34ca1b4c', 'fedora module'],
    ['Fedora', '16.14.0-4.fc36', ''],
  ])('%s %s: %j', (ecosystem, version, expected) => {
    expect(streamOfVersion(ecosystem, version)).toBe(expected)
  })
})

describe('module labels', () => {
  it.each([
    ['nodejs:18:8080020230210124431:63b34585', 'nodejs:18'],
    ['nodejs:18', 'nodejs:18'],
    ['container-tools:rhel8:8', 'container-tools:rhel8'],
    ['perl-IO-Socket-SSL:2.066:1:2', 'perl-IO-Socket-SSL:2.066'],
    ['nodejs', null],
    ['', null],
    ['(none)', null],
    ['a b:c', null],
  ])('%j is %j', (label, expected) => {
    expect(moduleOfLabel(label)).toBe(expected)
  })

  it.each([
    ['Important: nodejs:18 security update', 'nodejs:18'],
    ['idm:DL1 bug fix update', 'idm:DL1'],
    [
      'Red Hat Security Advisory: container-tools:rhel8 security, bug fix, and enhancement update',
      'container-tools:rhel8',
    ],
    ['Moderate: perl:5.32 security update', 'perl:5.32'],
    ['Important: varnish security update', null],
    ['satellite-5-client module update', null],
    ['', null],
  ])('the title %j names %j', (title, expected) => {
    expect(moduleOfTitle(title)).toBe(expected)
  })
})

describe('extendedSupport', () => {
  it.each([
    ['rhel-8-for-x86_64-baseos-eus-rpms__8_DOT_4', 'el8_4'],
    ['rhel-9-for-aarch64-appstream-e4s-rpms__9_DOT_0', 'el9_0'],
    ['rhel-8-for-x86_64-baseos-aus-rpms__8_DOT_2', 'el8_2'],
    ['rhel-8-for-x86_64-baseos-rpms', ''],
    ['rhel-8-for-x86_64-baseos-rpms__8', ''],
    ['rhel-8-for-x86_64-baseos-eus-rpms', ''],
  ])('%s: %j', (repository, expected) => {
    expect(extendedSupport(repository)).toBe(expected)
  })
})

describe('obstacleOf', () => {
  it('names an obstacle for unknown epochs and modules of Fedora only', () => {
    const streams = ['module', 'epoch', '', 'esm', 'nodejs:18', 'fedora module']
    expect(streams.filter((stream) => obstacleOf(stream) !== null)).toEqual(['epoch', 'fedora module'])
  })
})

import { expect, test } from 'vitest'
import { isLoopbackAddress, isPublicAddress } from './address.ts'

const publicAddresses = [
  '8.8.8.8',
  '1.1.1.1',
  '93.184.215.14',
  '2606:4700:4700::1111',
  '2a00:1450:400f:80d::200e',
  '2400:cb00::1',
]

const refused: [address: string, why: string][] = [
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['169.254.169.254', 'link local, metadata servers'],
  ['168.63.129.16', 'wire server of a cloud'],
  ['192.0.0.8', 'protocol assignments'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', '6to4 relay'],
  ['198.18.0.1', 'benchmarking'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.9', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'mapped'],
  ['::ffff:7f00:1', 'mapped, hexadecimal'],
  ['::ffff:8.8.8.8', 'mapped, even of a public address'],
  ['::7f00:1', 'IPv4-compatible'],
  ['::ffff:0:127.0.0.1', 'translated (RFC 6145)'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['64:ff9b:1::a00:1', 'NAT64, local use'],
  ['100::1', 'discard'],
  ['100:0:0:1::1', 'dummy prefix'],
  ['1::1', 'not assigned'],
  ['4000::1', 'not assigned'],
  ['2001::1', 'Teredo'],
  ['2001:2::1', 'benchmarking'],
  ['2001:10::1', 'ORCHID'],
  ['2001:20::1', 'ORCHIDv2'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::', '6to4 of loopback'],
  ['3fff::1', 'documentation'],
  ['5f00::1', 'segment routing'],
  ['fc00::1', 'unique local'],
  ['fd12:3456::1', 'unique local'],
  ['fe80::1', 'link local'],
  ['fe80::1%eth0', 'zone'],
  ['2606:4700::1%lo', 'zone'],
  ['fec0::1', 'site local'],
  ['ff02::1', 'multicast'],
  ['', 'empty'],
  ['localhost', 'no address'],
  ['127.1', 'short form'],
  ['0x7f000001', 'hexadecimal form'],
  ['2130706433', 'decimal form'],
  ['0177.0.0.1', 'octal form'],
  ['[::1]', 'brackets'],
]

test.each(publicAddresses)('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each(refused)('%s is not public: %s', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test('only the machine itself is loopback', () => {
  expect(['127.0.0.1', '127.8.8.8', '::1'].map(isLoopbackAddress)).toEqual([true, true, true])
  expect(['8.8.8.8', '10.0.0.1', '::', 'localhost'].map(isLoopbackAddress)).toEqual([
    false,
    false,
    false,
    false,
  ])
})

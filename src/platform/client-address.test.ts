import { expect, it } from 'vitest'
import { canonicalAddress, networkOf, siteOf } from './client-address.ts'

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7'],
  ['2001:DB8:0:0::7', '2001:db8::7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['192.0.2.7:5102', '192.0.2.7'],
  ['[2001:db8::7]:5102', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['unknown', undefined],
  ['', undefined],
  [undefined, undefined],
  ['127.1', undefined],
  ['0x7f000001', undefined],
  ['2130706433', undefined],
  ['192.0.2.7, 192.0.2.8', undefined],
  ["192.0.2.7'--", undefined],
  ['[192.0.2.7', undefined],
])('reads %s as %s', (text, address) => expect(canonicalAddress(text)).toBe(address))

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['::1', '0:0:0:0::/64'],
])('counts %s as %s', (address, network) => expect(networkOf(address)).toBe(network))

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::1', '2001:db8:1::/48'],
  ['2001:db8:2::1', '2001:db8:2::/48'],
])('counts %s with those of %s', (address, site) => expect(siteOf(address)).toBe(site))

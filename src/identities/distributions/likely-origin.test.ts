import { expect, it } from 'vitest'
import { likelyOrigin } from './likely-origin.ts'

it.each([
  ['libcrypto3', 'openssl'],
  ['libssl1.1', 'openssl'],
  ['ssl_client', 'busybox'],
  ['busybox-binsh', 'busybox'],
  ['musl-utils', 'musl'],
  ['ncurses-terminfo-base', 'ncurses'],
  ['openssh-client', 'openssh'],
  ['libstdc++', 'gcc'],
  ['icu-data', 'icu'],
  ['openssl', null],
  ['busybox', null],
  ['-dev', null],
])('%s is of %s', (name, origin) => {
  expect(likelyOrigin(name)).toBe(origin)
})

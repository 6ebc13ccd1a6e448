import { describe, expect, it } from 'vitest'
import { KnownAddresses } from './known-addresses.ts'

const addresses = new KnownAddresses()
addresses.add('/api/v1/sboms', 'POST')
addresses.add('/api/v1/sboms/:id', ['GET', 'HEAD'])
addresses.add('/api/v1/sboms/:id', 'DELETE')
addresses.add('/app/*', 'GET')

describe('methods of an address', () => {
  it.each([
    ['/api/v1/sboms', ['POST']],
    ['/api/v1/sboms/1', ['DELETE', 'GET', 'HEAD']],
    ['/api/v1/sboms/', []],
    ['/api/v1/sboms/1/2', []],
    ['/api/v1', []],
    ['/app/x/y', ['GET']],
    ['/app/', ['GET']],
    ['/app', []],
    ['', []],
  ])('%s', (path, methods) => {
    expect(addresses.methodsOf(path)).toEqual(methods)
  })
})

import type { AddressInfo, Server } from 'node:net'

/** The port of a TCP server. */
export function portOf(server: Pick<Server, 'address'> | null | undefined): number {
  return addressOf(server).port
}

/** Where a TCP server listens. */
export function addressOf(server: Pick<Server, 'address'> | null | undefined): AddressInfo {
  const address = server?.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server listens on no port')
  return address
}

import type { Server } from 'node:net'

/** Of a server that listens on an address of the network. */
export function portOf(server: Pick<Server, 'address'> | null | undefined): number {
  const address = server?.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server listens on no port')
  return address.port
}

import { ConfigError } from '../platform/config/config.ts'

type Door = { variable: 'PORT' | 'METRICS_PORT'; host: string; port: number }

/** Listens; a failure that an operator can fix is reported as a mistake of the configuration. */
export async function listenAt<T>(door: Door, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    const mistake = describe(door, (error as NodeJS.ErrnoException).code)
    throw mistake === null ? error : new ConfigError([mistake])
  }
}

function describe({ variable, host, port }: Door, code: string | undefined): string | null {
  switch (code) {
    case 'EADDRINUSE':
      return `${variable}: expected a free port, and another program listens on ${port} of ${host}`
    case 'EACCES':
      return `${variable}: expected a port this user may listen on, found ${port} (ports below 1024 are for root)`
    case 'EADDRNOTAVAIL':
    case 'EINVAL': // a link-local address without its zone (fe80::1 instead of fe80::1%eth0)
      return `HOST: expected an address of this machine, found "${host}"`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST: expected an address or name of this machine, found "${host}", which cannot be resolved`
    default:
      return null
  }
}

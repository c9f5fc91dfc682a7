// The address at which other nodes reach this one, unless the operator names it.
import { networkInterfaces } from 'node:os'

/** The first IPv4 address that is not a loopback address. */
export function ownAddress(interfaces = networkInterfaces()): string {
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}

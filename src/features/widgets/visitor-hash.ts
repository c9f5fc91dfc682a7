// The stored form of a visitor's address, used to count one visitor's sessions: a keyed hash, different per widget.
// Without the master key, addresses cannot be found by brute force.
import { createHmac, hkdfSync } from 'node:crypto'

export type VisitorHash = ReturnType<typeof visitorHash>

export function visitorHash(masterKey: string) {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'ramal widget visitor', 32))
  return (widgetId: string, network: string): string =>
    createHmac('sha256', key).update(`${widgetId} ${network}`).digest('base64url').slice(0, 22)
}

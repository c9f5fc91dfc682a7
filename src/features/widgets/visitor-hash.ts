// The stored form of a visitor's address, to count the sessions of one visitor: a keyed hash, different for each widget. Without the
// master key the addresses cannot be found by trying them all.
import { createHmac, hkdfSync } from 'node:crypto'

export type VisitorHash = ReturnType<typeof visitorHash>

export function visitorHash(masterKey: string) {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'ramal widget visitor', 32))
  return (widgetId: string, network: string): string =>
    createHmac('sha256', key).update(`${widgetId} ${network}`).digest('base64url').slice(0, 22)
}

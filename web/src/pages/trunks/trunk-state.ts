// A trunk's status tone, direction and address.
import type { Trunk } from '../../../../client/paths.ts'
import type { Tone } from '../../components/status-badge.tsx'

export const toneOf: Readonly<Record<Trunk['status'], Tone>> = {
  unconfigured: 'warn',
  unknown: 'off',
  registering: 'busy',
  registered: 'good',
  reachable: 'good',
  unreachable: 'bad',
  auth_failed: 'bad',
  disabled: 'off',
}

export const directionOf = (directions: readonly string[]): 'inbound' | 'outbound' | 'both' | 'none' => {
  const [inbound, outbound] = [directions.includes('inbound'), directions.includes('outbound')]
  if (inbound && outbound) return 'both'
  return inbound ? 'inbound' : outbound ? 'outbound' : 'none'
}

/** For example "host:port · TLS", without the parts that are defaults. */
export const addressOf = ({ host, port, transport }: Pick<Trunk, 'host' | 'port' | 'transport'>): string | null =>
  host && `${host}${port ? `:${port}` : ''}${transport === 'udp' ? '' : ` · ${transport.toUpperCase()}`}`

// Settings of SIP, RTP and call limits.
import type { Config, PhoneConfig, TlsFiles } from './config.ts'
import type { EnvReader } from './env-reader.ts'

/** Satellite systems, international premium and shared-cost numbers, and premium rate in North America. */
const PREMIUM_AND_SATELLITE = '+870,+878,+881,+882,+883,+888,+979,+1900,+1976'

export function readPhone(env: EnvReader, tls: TlsFiles | null): PhoneConfig {
  if (env.text('SIP_TLS_PORT') !== null && tls === null) env.problems.push('SIP_TLS_PORT needs TLS_CERT and TLS_KEY')
  if (/[^A-Za-z0-9.:_-]/.test(env.text('PUBLIC_ADDRESS') ?? ''))
    env.problems.push('PUBLIC_ADDRESS must be a host name or an IP address')
  return {
    host: env.text('SIP_HOST') ?? env.text('HOST') ?? '127.0.0.1',
    port: env.number('SIP_PORT', 5060, { min: 0, max: 65535 }),
    tlsPort: env.number('SIP_TLS_PORT', null, { min: 1, max: 65535 }),
    tls,
    rtpPorts: env.portRange('RTP_PORTS', '10000-20000'),
    publicAddress: env.text('PUBLIC_ADDRESS'),
    networks: env.networks('SIP_NETWORKS'),
    proxies: env.networks('SIP_PROXIES'),
    maxCalls: env.number('MAX_CALLS', null, { min: 1, max: 100_000 }),
    maxCallsPerUser: env.number('MAX_CALLS_PER_USER', 100, { min: 1, max: 100_000 }),
    maxCallMs: env.number('MAX_CALL_MINUTES', 120, { min: 0.05, max: 10_080, isWhole: false }) * 60_000,
    drainMs: env.number('DRAIN_SECONDS', 600, { min: 0, max: 86_400 }) * 1000,
  }
}

export function readCalls(env: EnvReader): Config['calls'] {
  // An empty value denies nothing; only an unset one means the default.
  const prefixes = (env.raw('DENIED_PREFIXES') ?? PREMIUM_AND_SATELLITE).split(',').map((prefix) => prefix.trim())
  const deniedPrefixes = prefixes.filter((prefix) => prefix !== '')
  if (!deniedPrefixes.every((prefix) => /^\+\d+$/.test(prefix)))
    env.problems.push('DENIED_PREFIXES must be numbers with a plus, separated by commas')
  return {
    perSecond: env.number('CALLS_PER_SECOND', 5, { min: 0.01, max: 1000, isWhole: false }),
    maxWaiting: env.number('MAX_WAITING_CALLS', 1000, { min: 1, max: 1_000_000 }),
    deniedPrefixes,
    campaignShare: env.number('CAMPAIGN_MAX_SHARE', 0.8, { min: 0.01, max: 1, isWhole: false }),
  }
}

// The source of a SIP message: its own, or the one that a trusted proxy in front of the nodes reports (SIP_PROXIES).
import { isIP } from 'node:net'
import type { Flow, SipMessage } from '../sip/message/message.ts'
import { addressSet, plainAddress } from './address-set.ts'

/** Set by the proxy, which removes it from messages from outside: `203.0.113.7 5060 udp`. */
const SOURCE_HEADER = 'x-ramal-source'

export type RequestSource = {
  address: string
  port: number
  /** UDP sources can be spoofed. */
  isConnection: boolean
  isProxied: boolean
}

export type RequestSources = ReturnType<typeof requestSources>

export function requestSources(proxies: readonly string[]) {
  const trusted = addressSet(proxies)
  const isProxy = (address: string): boolean => !trusted.isEmpty && trusted.has(address)

  /** Null for a message of a proxy without a valid source. */
  function sourceOf(message: Pick<SipMessage, 'headers'>, { transport, remote }: Flow): RequestSource | null {
    const address = plainAddress(remote.address)
    if (!isProxy(address)) return { address, port: remote.port, isConnection: transport !== 'udp', isProxied: false }
    // With two headers, one is forged.
    const [value = '', ...others] = message.headers.all(SOURCE_HEADER)
    return others.length === 0 ? readSource(value) : null
  }

  return {
    isProxy,
    sourceOf,
    /** The peer's address behind a proxy; undefined without one. */
    proxiedFrom(message: SipMessage, flow: Flow): string | undefined {
      const source = sourceOf(message, flow)
      return source?.isProxied ? source.address : undefined
    },
  }
}

function readSource(value: string): RequestSource | null {
  const [host = '', port = '', transport, ...more] = value.trim().split(' ')
  const isPort = /^\d{1,5}$/.test(port) && Number(port) <= 65_535
  if (isIP(host) === 0 || !isPort || !transport || more.length > 0) return null
  const isConnection = transport.toLowerCase() !== 'udp'
  return { address: plainAddress(host), port: Number(port), isConnection, isProxied: true }
}

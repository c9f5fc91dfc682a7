// Binds a trunk's password to the server it was set for, so that it is sent nowhere else.
import type { TrunkRow } from '../../db/tables.ts'
import { defaults, type TrunkSettings } from './schema.ts'

type Origin = { host: string | null } & Pick<TrunkSettings, 'port' | 'outboundProxy' | 'transport'>

const originOf = ({ host, settings }: Pick<TrunkRow, 'host' | 'settings'>): Origin => {
  const { port, outboundProxy, transport }: TrunkSettings = { ...defaults, ...JSON.parse(settings) }
  return { host, port, outboundProxy, transport }
}

export const boundTo = (row: Pick<TrunkRow, 'host' | 'settings'>): string => JSON.stringify(originOf(row))

/** False if the trunk has moved to another server or TLS was switched off: then the password must be set again. */
export function isPasswordBound(row: Pick<TrunkRow, 'host' | 'settings' | 'passwordOrigin'>): boolean {
  if (row.passwordOrigin === null) return false
  const bound = JSON.parse(row.passwordOrigin) as Origin
  const now = originOf(row)
  const isSamePlace =
    bound.host?.toLowerCase() === now.host?.toLowerCase() &&
    bound.port === now.port &&
    bound.outboundProxy === now.outboundProxy
  return isSamePlace && (bound.transport !== 'tls' || now.transport === 'tls')
}

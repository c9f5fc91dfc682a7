// The drivers of other networks, where they are set up: each gets what it needs of the house.
import { deviceTexts } from '../../api/gateway/device-texts.ts'
import type { SipAddress } from '../../api/gateway/devices.ts'
import { remoteEventCursors } from '../../api/gateway/remote-event-cursors.ts'
import type { Log } from '../../base/log.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/database.ts'
import type { DriverHost, GatewayDriver } from '../../gateway/ports.ts'
import { remoteDriver } from '../../gateway/remote.ts'
import { type WhatsappSettings, whatsappDriver } from '../../gateway/whatsapp.ts'

export type FarDriverParts = {
  config: Config
  db: Db
  desk: DriverHost
  /** Where calls reach us. */
  sip: SipAddress
  /** Whether a user may use the operator's WhatsApp account. */
  mayUse: (userId: string) => Promise<boolean>
  /** Where our HTTP server is reached, without a slash at the end. */
  publicUrl: () => string
  log: Log
}

export function farDrivers(parts: FarDriverParts): GatewayDriver[] {
  const { whatsapp: settings, remote: service } = parts.config.gateway
  return [...(settings ? [whatsapp(parts, settings)] : []), ...(service ? [remote(parts, service)] : [])]
}

function remote({ db, desk, sip, log }: FarDriverParts, { url }: { url: string }): GatewayDriver {
  const places = remoteEventCursors(db)
  const host = sip.host.includes(':') ? `[${sip.host}]` : sip.host
  return remoteDriver({ url, desk, places, users: places.users, callsTo: `sip:${host}:${sip.port}`, log })
}

function whatsapp({ config, db, desk, sip, mayUse, log }: FarDriverParts, settings: WhatsappSettings): GatewayDriver {
  const { port, tlsPort } = config.phone
  const sipServer = port === 0 || tlsPort === null ? null : { hostname: sip.domain, port: tlsPort }
  return whatsappDriver({ settings, desk, mayUse, delivered: deviceTexts(db).delivered, sipServer, log })
}

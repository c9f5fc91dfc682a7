// Builds the gateway drivers: the embedded one, and those of other networks if configured.
import type { Log } from '../../base/process/log.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/database.ts'
import type { Phone } from '../../phone/phone.ts'
import type { ServiceContext } from '../service.ts'
import { phoneAccount } from './actions.ts'
import type { DriverHost, GatewayDriver } from './driver-port.ts'
import { embeddedDriver } from './linphone/driver.ts'
import { linkTokens } from './linphone/provisioning-link.ts'
import { provisioningLinks } from './provisioning-link-store.ts'
import { remoteDriver } from './remote/driver.ts'
import { remoteEventCursors } from './remote-cursor-store.ts'
import type { SipAddress } from './sip-account-store.ts'
import type { DeviceStore } from './store.ts'
import { deviceTexts } from './text-queue.ts'
import { type WhatsappSettings, whatsappDriver } from './whatsapp/driver.ts'

/** The part of the phone that devices use. */
export type DevicePhone = Pick<Phone, 'sendMessage' | 'registrar' | 'directory' | 'refresh'>

export type EmbeddedGatewayParts = {
  context: Pick<ServiceContext, 'db' | 'masterKey' | 'log'>
  devices: DeviceStore
  /** Null if the phone is off. */
  phone: () => DevicePhone | null
  publicUrl: () => string
  linkLifeMs?: number | undefined
}

/** Phones that register with our own SIP registrar. */
export function embeddedGateway({ context, devices, phone, publicUrl, linkLifeMs }: EmbeddedGatewayParts) {
  const links = provisioningLinks(context.db)
  function registeredIds(): string[] {
    const current = phone()
    if (!current || current.registrar.size === 0) return []
    const { directory, registrar } = current
    return directory.devices().flatMap(({ id, username }) => (registrar.lookup(username).length > 0 ? [id] : []))
  }
  const embedded = embeddedDriver({
    links: {
      ...links,
      async take(hash) {
        const device = await links.take(hash)
        return device && phoneAccount(device, devices.accountOf(device))
      },
    },
    tokens: linkTokens(context.masterKey),
    publicUrl,
    isRegistered: ({ id }) => registeredIds().includes(id),
    async shutOut({ userId, id }) {
      await devices.rotateSipPassword(userId, id)
      await phone()?.refresh()
    },
    sendMessage: async (text) =>
      (await phone()?.sendMessage(text)) ?? { ok: false, detail: 'the phone is switched off' },
    log: context.log,
    ...(linkLifeMs === undefined ? {} : { linkLifeMs }),
  })
  return { ...embedded, registeredIds }
}

export type ExternalDriverParts = {
  config: Config
  db: Db
  host: DriverHost
  /** Address at which calls reach us. */
  sip: SipAddress
  /** Whether a user may use the operator's WhatsApp account. */
  mayUse: (userId: string) => Promise<boolean>
  /** The address of our HTTP server, without a trailing slash. */
  publicUrl: () => string
  log: Log
}

export function externalDrivers(parts: ExternalDriverParts): GatewayDriver[] {
  const { whatsapp: settings, remote: service } = parts.config.gateway
  return [...(settings ? [whatsapp(parts, settings)] : []), ...(service ? [remote(parts, service)] : [])]
}

function remote({ db, host, sip, log }: ExternalDriverParts, { url }: { url: string }): GatewayDriver {
  const places = remoteEventCursors(db)
  const sipHost = sip.host.includes(':') ? `[${sip.host}]` : sip.host
  return remoteDriver({ url, desk: host, places, users: places.users, callsTo: `sip:${sipHost}:${sip.port}`, log })
}

function whatsapp(parts: ExternalDriverParts, settings: WhatsappSettings): GatewayDriver {
  const { config, db, host, sip, mayUse, log } = parts
  const { port, tlsPort } = config.phone
  const sipServer = port === 0 || tlsPort === null ? null : { hostname: sip.domain, port: tlsPort }
  return whatsappDriver({ settings, desk: host, mayUse, delivered: deviceTexts(db).delivered, sipServer, log })
}

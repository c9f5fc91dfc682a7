// The embedded driver: this server is the gateway. A device is an account on our own registrar; its link code
// configures a softphone.

import type { Log } from '../../../base/process/log.ts'
import { nowMs, toIso } from '../../../base/time/clock.ts'
import type { GatewayDevice, GatewayDriver, LinkCode, SentText } from '../driver-port.ts'
import { linphoneConfig, type PhoneAccount } from './config-file.ts'
import { type LinkTokens, tokenHash } from './provisioning-link.ts'

const LINK_LIFE_MS = 10 * 60_000

type Link = { id: string; hash: string; expiresAt: string }

export type EmbeddedParts = {
  links: {
    newId(): string
    of(deviceId: string): Promise<Link | undefined>
    add(link: Link & { userId: string; deviceId: string }): Promise<void>
    removeOf(deviceId: string): Promise<void>
    /** Returns the device's account once, while the link is valid. */
    take(hash: string): Promise<PhoneAccount | undefined>
  }
  tokens: LinkTokens
  /** Where phones reach us over HTTP, without a trailing slash. */
  publicUrl: () => string
  isRegistered(device: GatewayDevice): boolean
  /** Sets a new password and removes registrations made with the old one. */
  shutOut(device: GatewayDevice): Promise<void>
  sendMessage(text: {
    userId: string
    deviceId: string
    text: string
    from: string | null
    to: string | null
  }): Promise<{ ok: boolean; detail: string; isDoubtful?: boolean }>
  log: Log
  linkLifeMs?: number
}

/** Identifies the sender of texts from the phone itself, which has no number. */
export const SELF = 'device'

export function embeddedDriver(parts: EmbeddedParts) {
  const { links, tokens, log } = parts

  async function link({ id: deviceId, userId }: GatewayDevice): Promise<LinkCode> {
    const url = (linkId: string) => `${parts.publicUrl()}/provision/${tokens(linkId)}`
    const held = await links.of(deviceId)
    // After a rotation of the master key, the code differs from the one shown.
    if (held && tokenHash(tokens(held.id)) === held.hash) return { text: url(held.id), expiresAt: held.expiresAt }
    const id = links.newId()
    const expiresAt = toIso(nowMs() + (parts.linkLifeMs ?? LINK_LIFE_MS))
    await links.add({ id, userId, deviceId, hash: tokenHash(tokens(id)), expiresAt })
    return { text: url(id), expiresAt }
  }

  const driver: GatewayDriver = {
    name: 'embedded',
    create: async (device) => ({ status: parts.isRegistered(device) ? 'connected' : 'waiting_qr' }),
    look: async (device) => ({ status: parts.isRegistered(device) ? 'connected' : 'disconnected' }),
    link,
    // Its rows are deleted with the device.
    remove: async () => {},
    trunk: async () => null,

    async sendText(device, to, text, _key, _signal, from): Promise<SentText> {
      const sent = await parts.sendMessage({
        userId: device.userId,
        deviceId: device.id,
        text,
        from: from ?? null,
        to: to === SELF ? null : to,
      })
      if (sent.ok) return { ok: true, externalId: null }
      return { ok: false, error: sent.detail, ...(sent.isDoubtful ? { isDoubtful: true } : {}) }
    },

    async unlink(device) {
      await links.removeOf(device.id)
      await parts.shutOut(device)
      return { status: 'disconnected' }
    },
  }

  return {
    driver,
    /** The response to a provisioning URL, once; undefined for any other URL. */
    async configOf(token: string): Promise<string | undefined> {
      const account = await links.take(tokenHash(token))
      if (account) log.info({ username: account.username }, 'phone provisioned by link')
      return account && linphoneConfig(account)
    },
    /** The sender of a text if the phone sends no number. */
    senderOf: (from: string | null): string => from ?? SELF,
  }
}

/** The account itself, for phones that do not support provisioning URLs. */
export const sipText = ({
  username,
  password,
  host,
  port,
  transport,
}: Omit<PhoneAccount, 'displayName' | 'expires' | 'domain'>): string => {
  const place = host.includes(':') ? `[${host}]` : host
  return `sip:${username}:${encodeURIComponent(password)}@${place}:${port};transport=${transport}`
}

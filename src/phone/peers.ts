// The peers of the phone: trunks and devices, their addresses, registrations and authentication, joined.
import type { Log } from '../base/log.ts'
import { digestServer } from '../sip/auth/digest-server.ts'
import type { Flow } from '../sip/message/message.ts'
import { Registrar } from '../sip/registrar/registrar.ts'
import { createResolver } from '../sip/transport/resolver.ts'
import { createAuthenticator } from './authenticate.ts'
import { createBanList } from './ban-list.ts'
import { createDirectory } from './directory.ts'
import { createOwnership } from './ownership.ts'
import type { Device, PhoneRepository } from './ports.ts'
import { requestSources } from './request-source.ts'

export type Peers = ReturnType<typeof openPeers>

export type PeerSettings = {
  /** The realm of device registrations. */
  domain: string
  secret: string
  networks: readonly string[]
  /** SIP proxies that say where a request came from. */
  proxies: readonly string[]
  port: number
  tlsPort: number | null
  publicAddress: string | null
}

type PeersParts = { repository: PhoneRepository; log: Log; onAuthenticated: (flow: Flow) => void }

export function openPeers(settings: PeerSettings, { repository, log, onAuthenticated }: PeersParts) {
  const resolver = createResolver()
  const { secret, networks, domain, port, tlsPort } = settings
  const directory = createDirectory({ repository, resolve: (target) => resolver.resolve(target), secret, log })
  const banList = createBanList()
  const sources = requestSources(settings.proxies)
  const registrar = new Registrar()
  let publicAddresses: readonly string[] = []
  const ownership = createOwnership({
    directory,
    networks,
    isProxy: sources.isProxy,
    ports: [port, ...(tlsPort === null ? [] : [tlsPort])],
    publicAddresses: () => publicAddresses,
  })
  const authenticator = createAuthenticator({
    directory,
    ownership,
    banList,
    digest: digestServer({ realm: domain }),
    sources,
    hasPhoneAt: (address) => registrar.hasAddress(address),
    onAuthenticated,
  })
  async function resolvePublicAddress(): Promise<void> {
    const { publicAddress: host } = settings
    if (host) publicAddresses = (await resolver.resolve({ host, port })).map(({ address }) => address)
  }
  directory.onChange(() => void resolvePublicAddress())
  endRevokedRegistrations()
  storeRegistrations()

  /** A device whose password changed, or that was disabled, must register again. */
  function endRevokedRegistrations(): void {
    let passwords = new Map<string, string>()
    directory.onChange(() => {
      const current = new Map(directory.devices().flatMap((d) => (d.isDisabled ? [] : [[d.username, d.password]])))
      for (const [username, password] of passwords) if (current.get(username) !== password) registrar.remove(username)
      passwords = current
    })
  }

  /** Stored one after the other, or an older state could overwrite a newer one. */
  function storeRegistrations(): void {
    let writing: Promise<void> = Promise.resolve()
    registrar.onChange((username, isRegistered) => {
      const device = directory.device(username)
      if (!device) return
      writing = writing
        .then(() => repository.saveDeviceState(device.id, isRegistered))
        .catch((err) => log.warn({ err, deviceId: device.id }, 'failed to store device state'))
    })
  }

  return {
    resolver,
    directory,
    banList,
    registrar,
    ownership,
    sources,
    authenticator,
    bindingsOf: (device: Device) =>
      registrar.lookup(device.username).map(({ target, flow }) => ({ contact: target, flow })),
  }
}

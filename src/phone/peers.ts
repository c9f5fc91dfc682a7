// The peers of the phone: trunks and devices with their addresses, registrations and authentication.
import { hkdfSync } from 'node:crypto'
import type { Log } from '../base/process/log.ts'
import { digestServer } from '../sip/auth/digest-server.ts'
import type { Flow } from '../sip/message/message.ts'
import { type Binding, Registrar } from '../sip/registration/registrar.ts'
import { createBanList } from '../sip/transport/ban-list.ts'
import { createResolver } from '../sip/transport/resolver.ts'
import { createAuthenticator } from './authenticate.ts'
import { deviceBindings } from './device-bindings.ts'
import { createDirectory } from './directory.ts'
import { createOwnership } from './ownership.ts'
import type { PhoneSettings } from './phone-parts.ts'
import type { Device, PhoneRepository } from './ports.ts'
import { requestSources } from './request-source.ts'
import type { Binding as CallBinding } from './route.ts'

export type Peers = ReturnType<typeof openPeers>

type PeerSettings = Pick<
  PhoneSettings,
  'domain' | 'secret' | 'networks' | 'proxies' | 'port' | 'tlsPort' | 'publicAddress'
>

type PeersParts = {
  repository: PhoneRepository
  log: Log
  onAuthenticated: (flow: Flow, owner: string) => void
  /** The flow of a phone that is connected to another node. */
  borrow: (node: string, flow: Flow) => Flow | undefined
}

export function openPeers(settings: PeerSettings, { repository, log, onAuthenticated, borrow }: PeersParts) {
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
    sources,
    // A shared secret: a proxy may send the answer to a challenge to another node.
    digest: digestServer({ realm: domain, secret: Buffer.from(hkdfSync('sha256', secret, '', 'ramal nonce', 32)) }),
    hasPhoneAt: (address) => registrar.hasAddress(address),
    onAuthenticated,
  })
  async function resolvePublicAddress(host: string): Promise<void> {
    publicAddresses = (await resolver.resolve({ host, port })).map(({ address }) => address)
  }
  const { publicAddress } = settings
  if (publicAddress) directory.onChange(() => void resolvePublicAddress(publicAddress))
  const bindings = deviceBindings({ registrar, directory, repository, secret, log })
  storeRegistrations()

  /** Stored one after the other, or an older state could overwrite a newer one. */
  function storeRegistrations(): void {
    let writing: Promise<void> = Promise.resolve()
    registrar.onChange((username, isRegistered) => {
      const device = directory.device(username)
      if (!device) return
      // Another node stores what was registered there.
      if (isRegistered && registrar.lookup(username).every(({ origin }) => origin !== undefined)) return
      writing = writing
        .then(async () => {
          const isStored = !isRegistered && (await repository.isRegistered(device.id, bindings.credentialOf(device)))
          // Registered again, on another node: its rows have not been read yet.
          if (!isStored) await repository.saveDeviceState(device.id, isRegistered)
        })
        .catch((err) => log.warn({ err, deviceId: device.id }, 'failed to store device state'))
    })
  }

  /** Over TCP and TLS a phone is reached by its own connection only: to this node, or borrowed from another. */
  function flowOf({ flow, origin }: Binding): Flow | undefined {
    if (flow.transport === 'udp' || flow.connection !== undefined) return flow
    return origin === undefined ? undefined : borrow(origin, flow)
  }

  /** Through the proxies of its Path, else over its flow. */
  const bindingsOf = (device: Device): CallBinding[] =>
    registrar.lookup(device.username).flatMap((binding): CallBinding[] => {
      const { target: contact, path } = binding
      if (path.length > 0)
        return [{ contact, path, refusal: ownership.pathRefusal(device, binding.flow.remote.address) }]
      const flow = flowOf(binding)
      return flow ? [{ contact, flow }] : []
    })

  return { resolver, directory, banList, registrar, ownership, sources, authenticator, bindings, bindingsOf }
}

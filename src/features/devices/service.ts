// The devices service: drivers, device states, texts and the routes. app.ts and `ramal device link` build it.

import { appError } from '../../base/errors/errors.ts'
import { now } from '../../base/time/clock.ts'
import { publicUrl, sipAddress } from '../../config/addresses.ts'
import { auditor } from '../../db/audit.ts'
import { knownAtOnce } from '../../http/after-writes.ts'
import type { OnMessage } from '../../phone/ports.ts'
import type { FindAnswerer } from '../conversations/port.ts'
import type { ConversationStore } from '../conversations/store.ts'
import type { ServiceContext } from '../service.ts'
import { isAdminOrListed, userIdentities } from '../users/rows.ts'
import { gatewayAccount } from './account-store.ts'
import { deviceActions, deviceLinking } from './actions.ts'
import { deviceEvents } from './device-events.ts'
import { type DriverHost, type DriverName, driverNames, type GatewayDriver } from './driver-port.ts'
import { type DevicePhone, embeddedGateway, externalDrivers } from './drivers.ts'
import { gatewayService } from './gateways.ts'
import { deviceMessaging } from './messaging.ts'
import type { Paces } from './polling.ts'
import { publicGatewayRoutes } from './public-routes.ts'
import { gatewayRoutes } from './routes.ts'
import { deviceStates } from './state-store.ts'
import { deviceStore } from './store.ts'
import { deviceTexts } from './text-queue.ts'

export type DeviceServiceContext = Pick<
  ServiceContext,
  'config' | 'db' | 'secrets' | 'masterKey' | 'limiter' | 'listening' | 'log'
>
export type DeviceServiceParts = {
  conversations: ConversationStore
  spendText: (userId: string) => Promise<void>
  times?: GatewayTimes | undefined
}
export type GatewayTimes = Partial<Paces> & { linkLifeMs?: number; heartbeatMs?: number; textPauseMs?: number }

/** Dependencies created after this service, because they need devices themselves. */
type Connections = { phone: DevicePhone | null; answererOf: FindAnswerer }

const unanswered: FindAnswerer = async () => {
  throw appError('texts_unanswered')
}

/** A registration that no node has confirmed for this long is over, even if its row says otherwise. */
const REGISTRATION_LOST_MS = 30_000
const REGISTRATION_CONFIRM_MS = 10_000

export function deviceService(context: DeviceServiceContext, parts: DeviceServiceParts) {
  const { config, db, secrets, log, listening } = context
  const { times = {} } = parts
  const connected: Connections = { phone: null, answererOf: unanswered }
  const sip = sipAddress(config)
  const devices = deviceStore(db, secrets, sip)
  const states = deviceStates(db, secrets)
  const account = gatewayAccount(db, secrets)
  const drivers = new Map<DriverName, GatewayDriver>()
  const gateway = gatewayService({ drivers, states, log, paces: times })
  const events = deviceEvents(states, times.heartbeatMs)
  const texts = deviceMessaging({
    db,
    states,
    texts: deviceTexts(db),
    service: gateway,
    conversations: parts.conversations,
    answererOf: (...request) => connected.answererOf(...request),
    spendText: parts.spendText,
    log,
    pauseMs: times.textPauseMs,
  })
  const access = driverAccess(context, drivers, gateway.mustHave)
  const ownUrl = () => publicUrl(config, listening.address)
  const embedded = embeddedGateway({
    context,
    devices,
    phone: () => connected.phone,
    publicUrl: ownUrl,
    linkLifeMs: times.linkLifeMs,
  })
  const host = driverHost({ states, gateway, texts, account })
  const external = externalDrivers({ config, db, host, sip, mayUse: access.mayUseWhatsapp, publicUrl: ownUrl, log })
  for (const driver of [embedded.driver, ...external]) drivers.set(driver.name, driver)

  const actionParts = { config, devices, states, account, gateway, checkDriver: access.checkDriver, log }
  const actions = deviceActions(actionParts)

  /** A text from one of our phones is stored before it is acknowledged. */
  const onMessage: OnMessage = ({ deviceId, from, to, text, key }) =>
    texts.received({ deviceId, from: embedded.senderOf(from), to, text, key, at: now() })

  async function close(): Promise<void> {
    events.close()
    gateway.close()
    await texts.close()
    for (const driver of drivers.values()) await driver.close?.()
  }

  return {
    sip,
    devices,
    states,
    actions,
    linkCode: deviceLinking(actionParts).linkCode,
    driversFor: access.driversFor,
    onMessage,
    sendText: texts.send,
    connect: (connections: Connections): void => void Object.assign(connected, connections),
    routes: [
      knownAtOnce(gatewayRoutes({ devices, account, events, actions, note: auditor(context.db) }), () =>
        connected.phone?.refresh(),
      ),
    ],
    publicRoutes: [
      publicGatewayRoutes({
        limiter: context.limiter,
        configOf: embedded.configOf,
        hook: async (name, request) => drivers.get(name as DriverName)?.hook?.(request),
      }),
    ],
    jobs: deviceJobs({ gateway, texts, states, registeredIds: embedded.registeredIds }),
    start(): void {
      for (const driver of drivers.values()) driver.start?.()
    },
    stop: close,
    [Symbol.asyncDispose]: close,
  }
}

type HostParts = {
  states: ReturnType<typeof deviceStates>
  gateway: ReturnType<typeof gatewayService>
  texts: ReturnType<typeof deviceMessaging>
  account: ReturnType<typeof gatewayAccount>
}

/** What drivers of other networks use from this service. */
const driverHost = ({ states, gateway, texts, account }: HostParts): DriverHost => ({
  device: states.byExternalId,
  claim: states.claim,
  release: states.release,
  told: gateway.told,
  received: texts.received,
  account: account.account,
  accountChecked: account.checked,
})

type JobParts = Omit<HostParts, 'account'> & Pick<ReturnType<typeof embeddedGateway>, 'registeredIds'>

const deviceJobs = ({ gateway, texts, states, registeredIds }: JobParts) => [
  { name: 'devices', everyMs: 1000, task: () => gateway.work() },
  { name: 'device messages', everyMs: 1000, task: async () => texts.wake() },
  { name: 'device messages in doubt', everyMs: REGISTRATION_CONFIRM_MS, task: () => texts.tick() },
  {
    name: 'device registrations',
    everyMs: REGISTRATION_CONFIRM_MS,
    task: () => states.stillThere(registeredIds(), REGISTRATION_LOST_MS),
  },
]

/**
 * Who may use which driver: the operator's WhatsApp account is for administrators and the members named in
 * WHATSAPP_USERS.
 */
function driverAccess(
  { config, db }: DeviceServiceContext,
  drivers: ReadonlyMap<DriverName, GatewayDriver>,
  mustHave: (name: DriverName) => void,
) {
  const standing = userIdentities(db)
  const mayUseWhatsapp = async (userId: string) =>
    isAdminOrListed(await standing(userId), config.gateway.whatsapp?.users ?? [])
  return {
    mayUseWhatsapp,

    async checkDriver(userId: string, driver: DriverName): Promise<void> {
      mustHave(driver)
      if (driver === 'whatsapp' && !(await mayUseWhatsapp(userId))) throw appError('whatsapp_forbidden')
    },

    async driversFor(userId: string): Promise<DriverName[]> {
      const names = driverNames.filter((name) => drivers.has(name))
      return (await mayUseWhatsapp(userId)) ? names : names.filter((name) => name !== 'whatsapp')
    },
  }
}

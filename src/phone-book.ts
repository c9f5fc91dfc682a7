// Between the stores and the phone: trunks, devices, numbers and agents as the phone asks for them. Only app.ts builds it.
import type { AgentSettings } from './api/agents/settings.ts'
import type { AgentStore } from './api/agents/store.ts'
import type { DidStore } from './api/dids/store.ts'
import type { DeviceStore } from './api/gateway/devices.ts'
import type { TrunkLinks } from './api/trunks/links.ts'
import type { TrunkStore } from './api/trunks/store.ts'
import { AppError } from './base/errors.ts'
import type { Db } from './db/database.ts'
import type { Agent, PhoneBook } from './phone/ports.ts'

export type PhoneBookParts = {
  db: Db
  agents: AgentStore
  dids: DidStore
  trunks: TrunkStore
  links: TrunkLinks
  devices: DeviceStore
}

export function phoneBook({ db, agents, dids, trunks, links, devices }: PhoneBookParts): PhoneBook {
  const latest = (table: 'trunks' | 'devices') =>
    db
      .selectFrom(table)
      .select((c) => [c.fn.countAll().as('rows'), c.fn.max('updatedAt').as('at')])
      .executeTakeFirstOrThrow()
  return {
    async version() {
      const [a, b] = [await latest('trunks'), await latest('devices')]
      return `${a.rows} ${a.at} ${b.rows} ${b.at}`
    },
    trunks: () => trunks.all(),
    devices: async () =>
      (await devices.all()).map((device) => ({
        ...device,
        username: device.sipUsername,
        inboundEnabled: device.inboundEnabled === 1,
        outboundEnabled: device.outboundEnabled === 1,
        recordCalls: device.recordCalls === 1,
        isDisabled: device.status === 'disabled',
      })),
    async number(userId, dialled) {
      const did = await dids.dialled(userId, dialled)
      return did && { phoneNumber: did.phoneNumber, isActive: did.status === 'active', agentId: did.agentId }
    },
    async agent(userId, agentId) {
      const agent = await agents.get(userId, agentId).catch(nobody)
      return agent && forPhone(userId, agent)
    },
    outboundTrunks: (userId, agentId) => links.outboundOf(userId, agentId),
    trunkState: (userId, trunkId, state) => trunks.found(userId, trunkId, state),
    deviceState: (deviceId, isRegistered) => devices.seen(deviceId, isRegistered),
  }
}

function nobody(error: unknown): undefined {
  if (error instanceof AppError && error.kind === 'not_found') return undefined
  throw error
}

function forPhone(userId: string, agent: Awaited<ReturnType<AgentStore['get']>>): Agent {
  const { id, name, isActive, direction } = agent
  const { recording, turn } = (agent.settings ?? {}) as AgentSettings
  const records = recording?.enabled !== false
  return {
    id,
    userId,
    name,
    isActive,
    direction,
    recording: records ? { consentNotice: recording?.consentNotice ?? null } : null,
    maxDurationMs: turn?.maxDurationMs ?? null,
  }
}

// Between the stores and the phone: trunks, devices, numbers and agents as the phone asks for them. Only app.ts builds it.

import { sql } from 'kysely'
import type { AgentSettings } from './api/agents/settings.ts'
import type { AgentStore } from './api/agents/store.ts'
import type { DidStore } from './api/dids/store.ts'
import type { DeviceStore } from './api/gateway/devices.ts'
import type { TrunkLinks } from './api/trunks/links.ts'
import type { TrunkStore } from './api/trunks/store.ts'
import { now, nowMs, toIso } from './base/clock.ts'
import { AppError } from './base/errors.ts'
import type { Db } from './db/database.ts'
import type { Agent, PhoneBook, Trunk } from './phone/ports.ts'

/** Who keeps the trunks of all processes, and until when. */
const KEEPER = 'trunk-keeper'

export type PhoneBookParts = {
  db: Db
  agents: AgentStore
  dids: DidStore
  trunks: TrunkStore
  links: TrunkLinks
  devices: DeviceStore
}

export function phoneBook({ db, agents, dids, trunks, links, devices }: PhoneBookParts): PhoneBook {
  /** The latest change alone is not enough: the clock of another process may be behind. So the seconds of all are added up. */
  const latest = async (table: 'trunks' | 'devices') => {
    const at = sql.ref('updatedAt')
    const seconds = sql<number>`sum(cast(substr(${at}, 18, 2) || substr(${at}, 21, 3) as integer))`.as('seconds')
    const rows = db
      .selectFrom(table)
      .select((c) => [c.fn.countAll().as('rows'), c.fn.max('updatedAt').as('at'), seconds])
    return Object.values(await rows.executeTakeFirstOrThrow()).join(' ')
  }
  return {
    async version() {
      return `${await latest('trunks')} ${await latest('devices')}`
    },
    trunks: async () => (await trunks.all()).map(trunkForPhone),
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
    async keepsTrunks(holder, forMs) {
      const value = `${toIso(nowMs() + forMs)} ${holder}`
      const mine = sql<boolean>`${sql.ref('meta.value')} like ${`% ${holder}`}`
      const taken = await db
        .insertInto('meta')
        .values({ name: KEEPER, value })
        .onConflict((c) =>
          c
            .column('name')
            .doUpdateSet({ value })
            .where((where) => where.or([where('meta.value', '<', now()), mine])),
        )
        .returning('name')
        .executeTakeFirst()
      return taken !== undefined
    },
    async leavesTrunks(holder) {
      await db
        .deleteFrom('meta')
        .where('name', '=', KEEPER)
        .where(sql<boolean>`value like ${`% ${holder}`}`)
        .execute()
    },
    deviceState: (deviceId, isRegistered) => devices.seen(deviceId, isRegistered),
  }
}

/** Without what changes by itself (status, when it was seen): else every registration would look like a new trunk. */
function trunkForPhone(trunk: Awaited<ReturnType<TrunkStore['all']>>[number]): Trunk {
  const { status, statusDetail, lastSeenAt, createdAt, updatedAt, hasPassword, provider, numbers, ...settings } = trunk
  return settings
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

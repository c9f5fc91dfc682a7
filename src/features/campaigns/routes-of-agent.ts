// Whether an outbound call has a route: the trunks and devices of a campaign or its agent.
import type { Db, Trx } from '../../db/database.ts'
import type { DeviceRow, TrunkRow } from '../../db/tables.ts'
import type { TrunkSettings } from '../trunks/schema.ts'

/** `isOutbound`: meant for outbound calls; `canCall`: also configured and enabled. */
export type Outbound = { isOutbound: boolean; canCall: boolean }

const ofTrunk = ({ settings, host, isActive }: Pick<TrunkRow, 'settings' | 'host' | 'isActive'>): Outbound => {
  const { directions } = JSON.parse(settings) as Partial<TrunkSettings>
  const isOutbound = directions === undefined || directions.includes('outbound')
  return { isOutbound, canCall: isOutbound && host !== null && isActive === 1 }
}

const ofDevice = ({ outboundEnabled, status }: Pick<DeviceRow, 'outboundEnabled' | 'status'>): Outbound => ({
  isOutbound: outboundEnabled === 1,
  canCall: outboundEnabled === 1 && status !== 'disabled',
})

const trunkColumns = ['settings', 'host', 'isActive'] as const
const deviceColumns = ['outboundEnabled', 'status'] as const

export async function outboundTrunk(on: Db | Trx, userId: string, id: string): Promise<Outbound | undefined> {
  const own = on.selectFrom('trunks').select(trunkColumns).where('userId', '=', userId).where('id', '=', id)
  const trunk = await own.executeTakeFirst()
  return trunk && ofTrunk(trunk)
}

export async function outboundDevice(on: Db | Trx, userId: string, id: string): Promise<Outbound | undefined> {
  const own = on.selectFrom('devices').select(deviceColumns).where('userId', '=', userId).where('id', '=', id)
  const device = await own.executeTakeFirst()
  return device && ofDevice(device)
}

/** Checks the agent's own routes: an outbound trunk linked to it, or a device bound to it. */
export async function hasRoute(on: Db | Trx, userId: string, agentId: string): Promise<boolean> {
  const links = on
    .selectFrom('trunkLinks')
    .select('trunkId')
    .where('userId', '=', userId)
    .where('agentId', '=', agentId)
    .where('trunkType', '=', 'outbound')
  const trunks = on.selectFrom('trunks').select(trunkColumns).where('userId', '=', userId).where('id', 'in', links)
  if ((await trunks.execute()).some((trunk) => ofTrunk(trunk).canCall)) return true
  const devices = on.selectFrom('devices').select(deviceColumns).where('userId', '=', userId)
  return (await devices.where('agentId', '=', agentId).execute()).some((device) => ofDevice(device).canCall)
}

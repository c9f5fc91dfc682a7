// The nodes of the service, as shown to administrators.
import type { Role } from '../../base/domain/role.ts'
import type { Node } from '../../db/nodes.ts'
import type { ServiceContext } from '../service.ts'
import type { ServiceNode } from './schema.ts'

export const nodesFor =
  ({ nodes }: Pick<ServiceContext, 'nodes'>) =>
  async (role: Role): Promise<ServiceNode[]> =>
    role === 'admin' ? (await nodes.list()).map(view) : []

const view = ({ name, isAlive, isDraining, calls, maxCalls, busy, release, startedAt }: Node): ServiceNode => ({
  name,
  state: isAlive ? (isDraining ? 'draining' : 'up') : 'down',
  calls: isAlive ? calls : 0,
  maxCalls,
  cpuPercent: isAlive ? Math.round(busy * 100) : 0,
  version: release,
  startedAt,
})

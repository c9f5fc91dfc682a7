// Connections to the servers of provider accounts. Members reach the public internet; administrators' accounts also
// reach private networks, where a model server often runs. Link-local addresses, and so cloud metadata, are blocked for
// both.
import type { Agent, Dispatcher } from 'undici'
import type { Role } from '../../base/domain/role.ts'
import { type GuardedAgent, guardedAgent } from '../../base/outside/guarded-agent.ts'
import type { OwnListeners } from '../../base/outside/own-listeners.ts'
import { keepAliveAgent } from '../../base/outside/upstream-http.ts'
import { modelTimeouts } from '../../llm/model-http.ts'

const privateNetworks = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  '::1/128',
]

export type AccountConnections = {
  /** Keyed by the role of the account's owner. */
  of: Readonly<Record<Role, GuardedAgent>>
  /** For servers named in the environment, which belong to the operator. */
  readonly environment: Dispatcher
  close(): Promise<void>
}

export function accountConnections(parts: {
  allowedNetworks: readonly string[]
  own: OwnListeners
}): AccountConnections {
  const { connectMs } = modelTimeouts
  const shared = { own: parts.own, connectMs, who: 'provider accounts' }
  const member = guardedAgent({ ...shared, allowedNetworks: parts.allowedNetworks })
  const admin = guardedAgent({ ...shared, allowedNetworks: [...parts.allowedNetworks, ...privateNetworks] })
  let environment: Agent | undefined
  return {
    of: { member, admin },
    get environment() {
      environment ??= keepAliveAgent(connectMs)
      return environment
    },
    async close() {
      await Promise.all([member.close(), admin.close(), environment?.destroy()])
    },
  }
}

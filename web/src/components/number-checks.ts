// What happens to a call to a number, step by step, following the server's routing. Pure.
type Trunk = { id: string; name: string; status: string; isActive: boolean; directions: readonly string[] }
type Agent = { id: string; name: string; isActive: boolean; direction: string }

export type NumberCheck = {
  isGood: boolean
  key:
    | 'number'
    | 'numberOff'
    | 'trunk'
    | 'trunkNone'
    | 'trunkOff'
    | 'trunkOutbound'
    | 'trunkBad'
    | 'agent'
    | 'agentNone'
    | 'agentOff'
    | 'agentOutbound'
  name: string
}

const connected = ['registered', 'reachable', 'unknown', 'registering']

function trunkCheck(trunk: Trunk | undefined): NumberCheck {
  if (!trunk) return { isGood: false, key: 'trunkNone', name: '' }
  const { name } = trunk
  if (!trunk.isActive) return { isGood: false, key: 'trunkOff', name }
  if (!trunk.directions.includes('inbound')) return { isGood: false, key: 'trunkOutbound', name }
  return connected.includes(trunk.status)
    ? { isGood: true, key: 'trunk', name }
    : { isGood: false, key: 'trunkBad', name }
}

function agentCheck(agent: Agent | undefined): NumberCheck {
  if (!agent) return { isGood: false, key: 'agentNone', name: '' }
  const { name } = agent
  if (!agent.isActive) return { isGood: false, key: 'agentOff', name }
  if (agent.direction === 'outbound') return { isGood: false, key: 'agentOutbound', name }
  return { isGood: true, key: 'agent', name }
}

/** In the order in which the server applies them. */
export const numberChecks = (isActive: boolean, trunk: Trunk | undefined, agent: Agent | undefined): NumberCheck[] => [
  trunkCheck(trunk),
  { isGood: isActive, key: isActive ? 'number' : 'numberOff', name: '' },
  agentCheck(agent),
]

// The service of agent records; service.ts runs the agents.
import type { Service } from '../service.ts'
import { type AgentParts, agentRoutes } from './routes.ts'

export const agentRecordService = (parts: AgentParts): Service => ({ routes: [agentRoutes(parts)] })

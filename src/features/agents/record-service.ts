// The service of agents as records; service.ts runs them.
import type { Service } from '../service.ts'
import { type AgentParts, agentRoutes } from './routes.ts'

export const agentRecordService = (parts: AgentParts): Service => ({ routes: [agentRoutes(parts)] })

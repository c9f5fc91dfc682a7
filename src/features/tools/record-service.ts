// The service of tool records; service.ts has the tool types that run them.
import type { Service, ServiceContext } from '../service.ts'
import { type ToolParts, toolRoutes } from './routes.ts'
import { toolUses } from './use-store.ts'

export const toolRecordService = ({ db }: ServiceContext, parts: Omit<ToolParts, 'uses'>): Service => ({
  routes: [toolRoutes({ ...parts, uses: toolUses(db) })],
})

// The service of phone numbers.
import type { Service } from '../service.ts'
import { didRoutes } from './routes.ts'
import type { DidStore } from './store.ts'

export const numberService = (dids: DidStore): Service => ({ routes: [didRoutes(dids)] })

// The service of call-back requests.
import type { Service } from '../service.ts'
import { callbackRoutes } from './routes.ts'
import type { CallbackStore } from './store.ts'

export const callbackService = (callbacks: CallbackStore): Service => ({ routes: [callbackRoutes({ callbacks })] })

// The rehearsal service: simulations, saved rehearsals and their routes.
import { compareTurns } from '../../simulation/compare.ts'
import type { ToolCallStore } from '../conversations/tool-call-store.ts'
import type { ServiceContext } from '../service.ts'
import { type RehearsalsParts, simulationService } from './rehearsal-runs.ts'
import { rehearsalRoutes } from './routes.ts'
import { scriptOfCall } from './script-of-call.ts'
import { scriptRoutes } from './script-routes.ts'
import { scriptStore } from './script-store.ts'
import { rehearsalStore } from './store.ts'

type Parts = Omit<RehearsalsParts, 'rehearsals' | 'log'> & { toolCalls: Pick<ToolCallStore, 'page'> }

export function rehearsalService({ db, log }: ServiceContext, parts: Parts) {
  const rehearsals = rehearsalStore(db)
  const simulation = simulationService({ ...parts, rehearsals, log })
  return {
    stopRehearsalsOf: simulation.stopAllOf,
    routes: [
      rehearsalRoutes({ rehearsals, rehearse: simulation.run, stop: simulation.stop, compare: compareTurns }),
      scriptRoutes({ scripts: scriptStore(db), begin: simulation.begin, scriptOfCall: scriptOfCall(parts) }),
    ],
    stop: simulation.close,
    [Symbol.asyncDispose]: simulation.close,
  }
}

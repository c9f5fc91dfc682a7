// The rehearsal service: simulations, saved rehearsals and their routes.
import type { ToolCallStore } from '../../api/conversations/tool-call-store.ts'
import { rehearsalRoutes } from '../../api/rehearsals/routes.ts'
import { scriptRoutes } from '../../api/rehearsals/script-routes.ts'
import { scriptStore } from '../../api/rehearsals/script-store.ts'
import { rehearsalStore } from '../../api/rehearsals/store.ts'
import { compareTurns } from '../../simulation/compare.ts'
import type { ServiceContext } from '../service.ts'
import { scriptOfCall } from './script-of-call.ts'
import { type RehearsalsParts, simulationService } from './service.ts'

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

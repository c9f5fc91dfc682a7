// The rehearsal service: simulations and their routes.
import { rehearsalRoutes } from '../../api/rehearsals/routes.ts'
import { rehearsalStore } from '../../api/rehearsals/store.ts'
import type { ServiceContext } from '../service.ts'
import { type RehearsalsParts, simulationService } from './service.ts'

export function rehearsalService({ db, log }: ServiceContext, parts: Omit<RehearsalsParts, 'rehearsals' | 'log'>) {
  const rehearsals = rehearsalStore(db)
  const simulation = simulationService({ ...parts, rehearsals, log })
  return {
    routes: [rehearsalRoutes({ rehearsals, rehearse: simulation.run, stop: simulation.stop })],
    stop: simulation.close,
    [Symbol.asyncDispose]: simulation.close,
  }
}

// The trunk service: a change is acknowledged only once the phone knows about it.
import { knownAtOnce } from '../../http/after-writes.ts'
import type { Service } from '../service.ts'
import { type TrunkParts, trunkRoutes } from './routes.ts'

export function trunkService(parts: TrunkParts, refreshPhone: () => Promise<void> | undefined): Service {
  return { routes: [knownAtOnce(trunkRoutes(parts), refreshPhone)] }
}

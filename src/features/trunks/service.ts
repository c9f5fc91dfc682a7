// The trunk service: the phone knows a change before it is acknowledged.
import { knownAtOnce } from '../../http/after-writes.ts'
import type { Service } from '../service.ts'
import { type TrunkParts, trunkRoutes } from './routes.ts'

export function trunkService(parts: TrunkParts, refreshPhone: () => Promise<void> | undefined): Service {
  return { routes: [knownAtOnce(trunkRoutes(parts), refreshPhone)] }
}

// The calling rules service: the rule packs that campaigns follow, and their routes.
import type { HashNumber } from '../../db/number-hash.ts'
import { builtInPacks, packTexts, readPack } from '../../rule-packs/packs.ts'
import type { ServiceContext } from '../service.ts'
import { askRules } from './ask-rules.ts'
import { callingRuleRoutes } from './routes.ts'
import { callingRulesStore } from './store.ts'

export function callingRulesService({ db }: Pick<ServiceContext, 'db'>, hashNumber: HashNumber) {
  const rules = callingRulesStore(db, { builtInPacks, readPack, packTexts, ask: askRules(db, hashNumber) })
  return { packOf: rules.packOf, routes: [callingRuleRoutes({ rules })] }
}

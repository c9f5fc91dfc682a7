// The campaigns service: campaigns, contacts, suppressions and calling rules, and what dials.
import { callingRuleRoutes } from '../../api/calling-rules/routes.ts'
import { attemptReader } from '../../api/campaigns/attempts.ts'
import { contactRoutes } from '../../api/campaigns/contact-routes.ts'
import { campaignProgress } from '../../api/campaigns/progress.ts'
import { type CampaignActions, campaignRoutes } from '../../api/campaigns/routes.ts'
import { campaignStore } from '../../api/campaigns/store.ts'
import { suppressionRoutes } from '../../api/suppressions/routes.ts'
import { suppressionStore } from '../../api/suppressions/store.ts'
import { calleeOf } from '../../calling-rules/number.ts'
import type { RulePack } from '../../calling-rules/pack.ts'
import { openNumberHash } from '../../db/number-hash.ts'
import type { DialPolicy } from '../../phone/dial-policy.ts'
import type { GuardedClient } from '../../tools/http/guarded-http.ts'
import type { ServiceContext } from '../service.ts'
import type { Stores } from '../stores.ts'
import { campaignChecks, type RuleParts } from './checks.ts'
import { contactLists } from './contact-lists.ts'
import { campaignPreview } from './preview.ts'
import { campaignTransitions } from './transitions.ts'

// biome-ignore lint/suspicious/noExplicitAny: replaced part by part on this branch
const missing: any = new Proxy(
  {},
  { get: (_, name) => () => Promise.reject(new Error(`not built yet: ${String(name)}`)) },
)

// Until the rule packs are here, nothing is refused by them.
const rules: RuleParts = {
  packOf: async () => ({ pack: { windows: [], monthly: null, disclosure: {} } as unknown as RulePack }),
  nextAttempt: ({ fromMs, callee }) => ({
    atMs: fromMs,
    trace: { ...callee, pack: '', version: 1, rules: [], window: null, movedBy: [] },
  }),
  calleeOf,
}

export type CampaignServiceParts = {
  stores: Pick<Stores, 'spreadsheets'>
  dialPolicy: DialPolicy
  http: Pick<GuardedClient, 'refusalFor'>
}

export async function campaignService(context: ServiceContext, { stores, dialPolicy, http }: CampaignServiceParts) {
  const { db, secrets, config } = context
  const hashNumber = await openNumberHash(db, secrets)
  const { find: findSuppressed } = suppressionStore(db, hashNumber)
  const stopped = new AbortController()
  const checks = campaignChecks({ rules, refusalFor: http.refusalFor })
  const campaigns = campaignStore(db, secrets, checks.checkChange)
  const transitions = campaignTransitions({ db, checks, wake: () => {}, signal: stopped.signal })
  const actions: CampaignActions = {
    ...transitions.actions,
    preview: campaignPreview({
      ...{ db, campaigns, checks, rules },
      findSuppressed,
      disclosureOf: ({ isOn, text }) => (isOn ? (text ?? null) : null),
    }),
    progress: async (userId, id) => campaignProgress(db, await campaigns.row(userId, id)),
  }
  const lists = contactLists(context, {
    ...{ campaigns, hashNumber, findSuppressed, mayDial: dialPolicy.allows, spreadsheets: stores.spreadsheets },
  })
  return {
    jobs: [...transitions.jobs, ...lists.jobs],
    stop: () => {
      stopped.abort()
      return lists.stop()
    },
    routes: [
      campaignRoutes({ campaigns, actions }),
      contactRoutes({
        ...{ check: campaigns.row, maxListBytes: config.maxListBytes },
        contacts: { ...lists.contacts, resolve: missing.resolve },
        attempts: attemptReader(db),
        imports: lists.imports,
        results: lists.results,
      }),
      suppressionRoutes({ suppressions: missing, lists: missing }),
      callingRuleRoutes({ rules: missing }),
    ],
  }
}

// The campaigns service: campaigns, their contacts, and dialing.
import { disclosureSentence } from '../../base/domain/disclosure.ts'
import type { GuardedClient } from '../../base/outside/guarded-http.ts'
import { auditor } from '../../db/audit.ts'
import type { HashNumber } from '../../db/number-hash.ts'
import type { DialPolicy } from '../../phone/dial-policy.ts'
import { nextAttempt, partOfDay } from '../../rule-packs/next-attempt.ts'
import { calleeOf, isServiceNumber } from '../../rule-packs/number.ts'
import type { SessionParts } from '../agents/port.ts'
import type { ServiceContext } from '../service.ts'
import type { Stores } from '../stores.ts'
import type { SuppressionStore } from '../suppressions/store.ts'
import { attemptReader } from './attempt-store.ts'
import { campaignChecks, type PackOf, type RuleParts } from './checks.ts'
import { contactLists } from './contact-lists.ts'
import { contactRoutes } from './contact-routes.ts'
import { campaignDialing, type DialingParts } from './dialing.ts'
import { campaignPreview } from './preview.ts'
import { campaignProgress } from './progress-store.ts'
import { type CampaignActions, campaignRoutes } from './routes.ts'
import { campaignStore } from './store.ts'
import { campaignTransitions } from './transitions.ts'

export type CampaignServiceParts = {
  stores: Pick<Stores, 'agents' | 'spreadsheets' | 'callbacks'>
  dialPolicy: DialPolicy
  http: Pick<GuardedClient, 'refusalFor' | 'request'>
  hashNumber: HashNumber
  suppressions: { store: SuppressionStore }
  callingRules: { packOf: PackOf }
  session: Pick<SessionParts, 'sessionOptions'>
  storage: { calls: DialingParts['calls'] }
  /** Null if the phone is off. */
  phone: object | null
} & Pick<DialingParts, 'live' | 'queue' | 'callBudget'>

export function campaignService(context: ServiceContext, parts: CampaignServiceParts) {
  const { stores, dialPolicy, http, hashNumber } = parts
  const { db, secrets, config } = context
  const stopped = new AbortController()
  const suppressions = parts.suppressions.store
  const { find: findSuppressed } = suppressions
  const rules: RuleParts = { packOf: parts.callingRules.packOf, nextAttempt, calleeOf }
  const checks = campaignChecks({ rules, refusalFor: http.refusalFor })
  const campaigns = campaignStore(db, secrets, checks.checkChange)
  const dialing = campaignDialing(context, {
    live: parts.live,
    queue: parts.queue,
    callBudget: parts.callBudget,
    calls: parts.storage.calls,
    hasPhone: parts.phone !== null,
    dialPolicy,
    http,
    callbacks: stores.callbacks,
    suppressions,
    rules: { ...rules, partOfDay, isService: isServiceNumber },
    predialSecret: campaigns.predialSecret,
  })
  const transitions = campaignTransitions({
    db,
    checks,
    callBudget: parts.callBudget,
    wake: dialing.wake,
    signal: stopped.signal,
  })
  const actions: CampaignActions = {
    ...transitions.actions,
    preview: campaignPreview({
      db,
      campaigns,
      checks,
      rules: { ...rules, isService: isServiceNumber },
      findSuppressed,
      findAgent: stores.agents.find,
      sessionOptions: parts.session.sessionOptions,
      disclosureOf: disclosureSentence,
    }),
    progress: async (userId, id) => campaignProgress(db, await campaigns.row(userId, id)),
  }
  const lists = contactLists(context, {
    campaigns,
    hashNumber,
    findSuppressed,
    mayDial: dialPolicy.allows,
    spreadsheets: stores.spreadsheets,
    onImported: dialing.wake,
  })
  return {
    jobs: [...transitions.jobs, ...lists.jobs, ...dialing.jobs],
    start: dialing.start,
    drain: dialing.drain,
    [Symbol.asyncDispose]: dialing[Symbol.asyncDispose],
    stop: () => {
      stopped.abort()
      return lists.stop()
    },
    routes: [
      campaignRoutes({ campaigns, actions }),
      contactRoutes({
        note: auditor(db),
        check: campaigns.row,
        maxListBytes: config.maxListBytes,
        contacts: {
          ...lists.contacts,
          async resolve(userId, id, contactId, resolution) {
            await dialing.resolve(userId, id, { contactId, ...resolution })
            dialing.wake(id)
            return lists.contacts.get(userId, id, contactId)
          },
        },
        attempts: attemptReader(db),
        imports: lists.imports,
        results: lists.results,
      }),
    ],
  }
}

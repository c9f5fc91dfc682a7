// Dials campaigns on this node: wires claims, calls and settlement to the rules, the suppression lists and the dial
// queue.

import type { GuardedHttp } from '../../base/outside/http-port.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { CallCapacity } from '../../phone/capacity.ts'
import type { CallbackStore } from '../callbacks/store.ts'
import type { DialQueue } from '../calls/dial-queue.ts'
import type { CallStore } from '../calls/store.ts'
import type { ServiceContext } from '../service.ts'
import type { SuppressionStore } from '../suppressions/store.ts'
import type { CallBudget } from './call-budget.ts'
import { claimer, type RuleParts } from './claim.ts'
import { dialer } from './dialer.ts'
import { campaignRunner } from './runner.ts'
import { settlement } from './settlement-store.ts'

export type DialingParts = {
  rules: RuleParts
  suppressions: Pick<SuppressionStore, 'find' | 'versions'>
  callbacks: Pick<CallbackStore, 'closeIn'>
  dialPolicy: { allows(number: string): boolean }
  /** False if the phone is off; then nothing is claimed here. */
  hasPhone: boolean
  live: Pick<CallCapacity, 'hasRoom'>
  queue: Pick<DialQueue, 'add' | 'isOpen'>
  calls: Pick<CallStore, 'insertOutbound'>
  callBudget: CallBudget
  http: Pick<GuardedHttp, 'request'>
  predialSecret: (campaign: CampaignRow) => string | null
}

export function campaignDialing({ db, database, nodeName, config, log }: ServiceContext, parts: DialingParts) {
  const { rules, suppressions, callbacks, dialPolicy, callBudget, live, queue } = parts
  const stopping = new AbortController()
  const share = config.calls.campaignShare
  const userPace = {
    maxConcurrentCalls: Math.max(1, Math.floor(config.phone.maxCallsPerUser * share)),
    callsPerSecond: config.calls.perSecond,
  }
  const { settle, resolve } = settlement(db, {
    suppressions,
    callbacks,
    shortCallsOf: async (trx, { userId, rulesId }) => {
      const read = await rules.packOf(userId, rulesId, trx)
      return 'pack' in read ? read.pack.shortCalls : null
    },
  })
  const runner = campaignRunner({
    db,
    log,
    settle,
    lastOutageMs: database.lastOutageMs,
    claim: claimer({ db, nodeId: nodeName, rules, suppressions, dialPolicy, callBudget, userPace, share }),
    dial: dialer({
      db,
      http: parts.http,
      queue,
      callBudget,
      packOf: rules.packOf,
      insertCall: parts.calls.insertOutbound,
      predialSecret: parts.predialSecret,
      signal: stopping.signal,
    }),
    hasCapacity: async (userId) => parts.hasPhone && queue.isOpen && (await live.hasRoom(userId, share)),
  })
  return {
    ...runner,
    resolve,
    async [Symbol.asyncDispose](): Promise<void> {
      stopping.abort()
      await runner[Symbol.asyncDispose]()
    },
  }
}

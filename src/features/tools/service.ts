// The tool types, and the guarded HTTP client that they share with webhooks.
import { readWav } from '../../audio/wav.ts'
import { guardedHttp } from '../../base/outside/guarded-http.ts'
import { ownAddresses, ownListeners } from '../../base/outside/own-listeners.ts'
import { DAY_MS } from '../../base/time/clock.ts'
import type { DialPolicy } from '../../phone/dial-policy.ts'
import { tracedHttp } from '../../tool-types/http/traced-http.ts'
import type { FindPassages } from '../../tool-types/query.ts'
import type { TextParts } from '../../tool-types/send-text.ts'
import { toolTypes } from '../../tool-types/tool-types.ts'
import type { ServiceContext } from '../service.ts'
import type { Stores } from '../stores.ts'
import { testRuns } from './test-run-store.ts'

const HOUR_MS = 3_600_000
const TEST_RUNS_KEPT_MS = 30 * DAY_MS

export type ToolServiceParts = {
  stores: Pick<Stores, 'agents' | 'spreadsheets'>
  findPassages: FindPassages
  dialPolicy: DialPolicy
  spendText: TextParts['spendText']
  sendMessage: TextParts['sendMessage']
}

export function toolService({ config, db, listening }: ServiceContext, parts: ToolServiceParts) {
  const { stores, findPassages, dialPolicy, spendText, sendMessage } = parts
  const own = ownListeners(ownAddresses(config, () => listening.address))
  const guarded = guardedHttp({ allowedNetworks: config.allowedNetworks, own })
  const http = tracedHttp(guarded)
  const types = toolTypes({
    http,
    findPassages,
    sheets: stores.spreadsheets,
    calls: {
      dialPolicy,
      sms: config.sms,
      spendText,
      readSound: readWav,
      agentsOf: stores.agents.existing,
      sendMessage,
    },
  })
  const runs = testRuns(db)
  return {
    types,
    /** Records the requests of a tool run. */
    http,
    guarded,
    testRuns: runs,
    jobs: [{ name: 'old tool test runs', everyMs: HOUR_MS, task: () => runs.removeOlderThan(TEST_RUNS_KEPT_MS) }],
    async [Symbol.asyncDispose](): Promise<void> {
      for (const type of Object.values(types)) await type.close?.()
      await guarded.close()
    },
  }
}

// A real phone in conversations while the agent's vendors are cut off: the caller hears the agent go on, and the
// transcript says what was heard. The long run with every fault at every moment is `npm run test:outage`. `npm run
// bench:outage` measures the silence; the chain tests show on a virtual clock when a vendor is given up (src/llm,
// src/speech).
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Cut, type Line, nameOf, runCut } from '../outage/cuts.ts'
import { judge } from '../outage/judge.ts'
import { nameAccounts, newVendors, type OutageApp, openLine, startOutageApp } from '../outage/line.ts'
import type { Vendors } from '../outage/vendors.ts'
import { until } from '../until.ts'

type Lane = { line: Line & { agentId: string }; second: Vendors }
let app: OutageApp
const lanes: Lane[] = []

before(async () => {
  app = await startOutageApp('small')
  for (const name of ['ana', 'bia', 'eva']) {
    const [vendors, second] = [await newVendors(), await newVendors('second')]
    lanes.push({ line: await openLine(app, vendors, name), second })
  }
})

/** Resolves with a call's event of this type and kind. */
const eventOf = (callId: string, type: string, kind?: string) =>
  until(`${type} is stored`, async () => {
    const all = app.database.db
      .selectFrom('events')
      .select('data')
      .where('callId', '=', callId)
      .where('type', '=', type)
    const events = (await all.execute()).map(({ data }) => JSON.parse(data))
    return events.find((event) => kind === undefined || event.kind === kind)
  })

async function check(lane: Lane, cut: Cut, report: (text: string) => void): Promise<void> {
  const { line, second } = lane
  await nameAccounts(line, cut.hasSecond ? second : undefined)
  const result = await runCut(line, cut)
  const { problems } = judge(result)
  report(`${nameOf(cut)}: silent for ${result.silenceMs} ms`)
  assert.deepEqual(problems, [], nameOf(cut))
  // On a busy machine another vendor may be late too.
  await eventOf(result.callId, 'call.degraded', cut.target)
}

/** The cuts of a phone run one after another; the two phones run in parallel. */
const cuts: [Cut[], Cut[]] = [
  [
    { target: 'tts', moment: 'speaking', outage: 'reset', hasSecond: true },
    { target: 'stt', moment: 'listening', outage: 'reset', hasSecond: false },
  ],
  [
    { target: 'llm', moment: 'speaking', outage: 'garbage', hasSecond: true },
    { target: 'tts', moment: 'thinking', outage: '401', hasSecond: false },
  ],
]

describe('a real phone, and the vendors fail', { concurrency: true }, () => {
  test('vendors are cut off in mid-sentence, while thinking and while listening: no call is lost and sentences are continued', async (t) => {
    const run = async (i: 0 | 1) => {
      for (const cut of cuts[i]) await check(lanes[i] as Lane, cut, (text) => t.diagnostic(text))
    }
    await Promise.all([run(0), run(1)])
  })

  test('all vendors are gone: the agent says so and takes a message, which is stored with its event', async (t) => {
    const { line } = lanes[2] as Lane
    await nameAccounts(line)
    const result = await runCut(line, { target: 'all', moment: 'thinking', outage: 'refuse', hasSecond: false })
    const said = result.messages.filter(({ type }) => type === 'agent').map(({ content }) => content)
    t.diagnostic(`silent for ${result.silenceMs} ms, then: ${said.slice(1).join(' ')}`)
    assert.ok(!result.isLost, result.endReason)
    assert.match(said.join(' '), /não está disponível/)
    const { json } = await until('the request is stored', async () => {
      const answer = await line.client.get('/api/callbacks')
      return answer.json.length > 0 && answer
    })
    assert.equal(json[0].callId, result.callId)
    await eventOf(result.callId, 'callback.requested')
  })
})

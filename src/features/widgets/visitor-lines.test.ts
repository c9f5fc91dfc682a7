// Which lines a widget's visitors can hold, and for how long: never more than the widget has, and never those of
// others.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { anAgent, startTestApp } from '../../../test/app.ts'
import { toneAgent } from '../../../test/phone/talks.ts'
import { until } from '../../../test/until.ts'
import { visitorsOf } from '../../../test/visitors.ts'
import { orderOf, webCaller } from '../../../test/web-caller.ts'
import { openWebServer, sendJson } from '../../../test/web-server.ts'

const agent = toneAgent()
const LINES = 6
const app = await startTestApp(
  { MAX_CALLS: String(LINES), ALLOWED_NETWORKS: '127.0.0.0/8' },
  { converse: agent.converse },
)
const { widgetOf, callOf, opened } = visitorsOf(app)

/** A widget whose agent has an answer hook that answers when `answer` is called. */
async function hookedWidget(t: TestContext, limits: object) {
  const widget = await widgetOf({ limits })
  const released = Promise.withResolvers<void>()
  const server = await openWebServer(t, async (_, response) => {
    await released.promise
    sendJson(response, {})
  })
  const hook = { kind: 'url', url: server.url, timeoutMs: 5000 }
  await widget.owner.put(`/api/agents/${widget.agentId}/answer-hook`, hook)
  return { ...widget, server, answer: () => released.resolve() }
}
type Hooked = Awaited<ReturnType<typeof hookedWidget>>

/** A call of the widget's owner, with another agent, gets a line. */
async function assertOwnerCalls({ owner }: Hooked): Promise<void> {
  const { json } = await owner.post('/api/agents', anAgent)
  const caller = await webCaller(app, await orderOf(owner, json.id))
  const talk = await Promise.race([agent.next(), caller.closed.then(({ reason }) => assert.fail(reason))])
  assert.equal(talk.call.agent.id, json.id)
  await talk.transport.act({ do: 'hangup', reason: 'agent_ended' })
  await caller.closed
}

test('one token that is opened many times at once holds one line', async (t) => {
  const hooked = await hookedWidget(t, { maxConcurrent: 5 })
  const token = await callOf(hooked.id)
  const callers = await Promise.all(Array.from({ length: 4 * LINES }, () => opened(token)))
  const refusals: unknown[] = []
  for (const { closed } of callers) void closed.then((refusal) => refusals.push(refusal))
  await until('all but one are refused', () => refusals.length === callers.length - 1)
  for (const refusal of refusals) assert.deepEqual(refusal, { code: 4409, reason: 'This token was used before' })
  await until('the hook is asked', () => hooked.server.asked.length > 0)
  await assertOwnerCalls(hooked)
  assert.equal(hooked.server.asked.length, 1)

  hooked.answer()
  const talk = await agent.next()
  assert.equal(talk.call.agent.id, hooked.agentId, 'the call that came first is answered')
  await talk.transport.act({ do: 'hangup', reason: 'agent_ended' })
})

test('calls that are being opened are sessions of their widget, and a refused token can be used later', async (t) => {
  const hooked = await hookedWidget(t, { maxConcurrent: 2 })
  const tokens = await Promise.all(Array.from({ length: LINES }, () => callOf(hooked.id)))
  const callers = await Promise.all(tokens.map((token) => opened(token)))
  const refused: string[] = []
  for (const [i, { closed }] of callers.entries())
    void closed.then(({ code, reason }) => {
      if (code === 4429 && reason === 'All lines of this widget are busy') refused.push(tokens[i] as string)
    })
  await until('all but two are refused', () => refused.length === tokens.length - 2)
  await until('the hook is asked', () => hooked.server.asked.length === 2)
  await assertOwnerCalls(hooked)
  const usage = async () => (await hooked.owner.get(`/api/widgets/${hooked.id}/usage`)).json
  assert.equal((await usage()).calls.used, 2, 'refused calls are free')

  hooked.answer()
  const talks = [await agent.next(), await agent.next()]
  for (const { transport } of talks) await transport.act({ do: 'hangup', reason: 'agent_ended' })
  await until('the lines are free', async () => (await usage()).concurrent.used === 0)
  const caller = await opened(refused[0] as string)
  await caller.until('started')
  await agent.next() // a caller who hangs up at once may be gone before the agent starts
  caller.tell({ type: 'hangup' })
  await caller.closed
})

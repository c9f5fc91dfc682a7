// A whole conversation in a web call: the caller asks aloud over a WebSocket, a real recognizer transcribes them, a
// fake model replies, and the agent's small voice is heard; the browser is told what was said, and clears its playout
// at once on barge-in.
// @run rest, real-time
import assert from 'node:assert/strict'
import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { levelDb } from '../../src/audio/pcm.ts'
import type { Turn } from '../../src/features/calls/schema.ts'
import { atEnd, startTestApp } from '../app.ts'
import { recordingOf } from '../phone/talks.ts'
import { robotSpeech } from '../sounds.ts'
import { until } from '../until.ts'
import { lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { orderOf, UP_HZ, webCaller } from '../web-caller.ts'
import { models } from './hearing.ts'
import { makePatient } from './patience.ts'

const OPENING = 'Hello, this is the flower shop. How can I help you today?'
const STORY =
  'The shop was founded thirty years ago by two sisters who loved roses, and since then it has grown and grown, and now there are gardens in three towns, and a school, and a small museum of old watering cans.'

async function startApp() {
  const llm = await startLlm({ answer: (request) => ({ say: lastSaid(request) === '' ? OPENING : STORY }) })
  atEnd(() => llm.stop())
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-web-'))
  symlinkSync(models, join(dataDir, 'models'))
  return startTestApp({
    DATA_DIR: dataDir,
    EMBEDDED_VOICE: 'small',
    LLM_BASE_URL: `${llm.url}/v1`,
    LLM_API_KEY: KEY,
    LLM_MODEL: 'stand-in',
  })
}

test('a caller in a browser asks, gets a reply and interrupts, and all of it is reported and recorded', async () => {
  const app = await startApp()
  const agent = { name: 'Rose', systemPrompt: 'You sell flowers.', language: 'en-US', initialSpeech: OPENING }
  const { id } = (await app.ana.post('/api/agents', agent)).json
  await makePatient(app, app.ana, id)
  const question = await robotSpeech('Please tell me the story of your flower shop.', 'en-us', UP_HZ)
  const protest = await robotSpeech('Stop, please stop, I would like to buy red roses.', 'en-us', UP_HZ)
  const caller = await webCaller(app, await orderOf(app.ana, id))
  const { callId } = await caller.until('started')
  const isBy = (who: string) => (message: Record<string, unknown>) => message.who === who
  const saidBy = (who: string) => caller.told.filter((one) => one.type === 'said' && one.who === who)

  const opening = await caller.until('said', isBy('agent'))
  assert.equal(opening.text, OPENING)
  const live = caller.told.slice(0, caller.told.indexOf(opening)).filter(({ type }) => type === 'speaking')
  assert.deepEqual(
    live.map(({ who, text, startsAt }) => [who, text, startsAt]),
    [['agent', OPENING, 0]],
  )
  const greeting = caller.heard()
  const seconds = greeting.pcm.length / greeting.rateHz
  assert.ok(seconds > 2 && seconds < 8, `the greeting takes ${seconds} s`)
  assert.ok(levelDb(greeting.pcm) > -35, `the greeting has ${levelDb(greeting.pcm)} dB`)

  caller.says(question)
  const asked = await caller.until('said', isBy('caller'))
  assert.match(String(asked.text), /story|flower|shop/i)
  const before = greeting.pcm.length
  await until('the story is being told', () => caller.heard().pcm.length > before + 24_000 * 1.5, 20_000)

  const cleared = () => caller.told.filter(({ type }) => type === 'clear').length
  const clearsBefore = cleared()
  caller.says(protest)
  await until('the agent makes room', () => cleared() > clearsBefore, 20_000)
  const cut = await caller.until('turn', ({ turn }) => (turn as Turn).isCut)
  const { agent: told, latency } = cut.turn as Turn & { agent: string }
  assert.ok(STORY.startsWith(told) && told.length < STORY.length, told)
  assert.ok((latency.totalMs ?? 0) > 0, JSON.stringify(latency))
  await until('he is heard to protest', () => saidBy('caller').length > 1, 20_000)

  caller.tell({ type: 'hangup' })
  await caller.closed
  const turns: Turn[] = (await app.ana.get(`/api/calls/${callId}/turns`)).json
  const kept = turns.find(({ isCut }) => isCut) as Turn
  assert.deepEqual(kept, cut.turn, 'the turn that was told is the one that is kept')
  const record = (await app.ana.get(`/api/calls/${callId}`)).json
  const messages = (await app.ana.get(`/api/conversations/messages/${record.conversationId}`)).json
  assert.equal(messages[0].content, OPENING)
  const { left, right } = await recordingOf(app as never, app.ana, String(callId))
  const part = ({ pcm }: { pcm: Int16Array }, from: number | null, to: number | null) =>
    levelDb(pcm.subarray(((from ?? 0) * UP_HZ) / 1000, ((to ?? 0) * UP_HZ) / 1000))
  assert.ok(part(left, kept.callerFromMs, kept.callerToMs) > -35, 'the caller is where his turn says')
  assert.ok(part(right, kept.agentFromMs, kept.agentToMs) > -35, 'the agent is where its turn says')
})

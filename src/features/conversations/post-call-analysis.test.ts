// Post-call analysis with a real database and a model behind a real socket: failures, a stop during an analysis, two
// workers.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { atEnd, testConfig } from '../../../test/app.ts'
import { putConversation } from '../../../test/call-rows.ts'
import { until } from '../../../test/until.ts'
import { startLlm } from '../../../test/vendors/llm.ts'
import { readConfig } from '../../config/load.ts'
import { openDatabase } from '../../db/database.ts'
import { type LlmSet, openLlm } from '../../llm/open.ts'
import { agentStore } from '../agents/store.ts'
import { analysisQueue } from '../conversations/analysis-queue.ts'
import { conversationStore } from '../conversations/store.ts'
import { userStore } from '../users/store.ts'
import { analysisRequestOf, type PostCallAnalysisParts, postCallAnalysis } from './post-call-analysis.ts'

const server = await startLlm({ isOpen: true, answer: () => ({ say: '{"summary":"Tudo bem."}' }) })
const database = await openDatabase((await testConfig()).database, () => {})
const { db } = database
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const brain = await openLlm(readConfig({ LLM_BASE_URL: `${server.url}/v1`, LLM_MODEL: 'm' }).llm, log)
const model = brain.main as LlmSet
atEnd(async () => {
  await brain.close()
  await database.close()
  await server.stop()
})
const agents = agentStore(db)
const conversations = conversationStore(db)
const analyses = analysisQueue(db)
const { id: userId } = await userStore(db).create('ana')
const { id: agentId } = await agents.create(userId, { name: 'a', systemPrompt: 'x' })
const open = (more: Partial<PostCallAnalysisParts> = {}) =>
  postCallAnalysis({ agents, analyses, llmsOf: async () => model, log, backoffMs: [0, 0], ...more })
const aTalk = async () => {
  const row = { userId, agentId, status: 'ended', analysisStatus: 'pending', analysisDueAt: '2026-01-01' } as const
  return (await putConversation(db, row, ['Olá!', 'Quero uma mesa.'])).id
}
const read = (id: string) => conversations.get(userId, id)

test('a call gets a summary unless its agent wants none', async () => {
  assert.deepEqual(analysisRequestOf(null), { summary: true, success: null, fields: null })
  assert.equal(analysisRequestOf({ analysis: { summary: false } }), null)
  assert.equal(analysisRequestOf({ analysis: { summary: false, success: '', fields: null } }), null)
  assert.deepEqual(analysisRequestOf({ analysis: { summary: false, success: 'x' } }), {
    summary: false,
    success: 'x',
    fields: null,
  })
  const id = await aTalk()
  await open().work()
  const { analysis, analysisStatus } = await read(id)
  assert.deepEqual([analysisStatus, analysis?.summary, analysis?.by], ['done', 'Tudo bem.', 'm'])
})

test('a failing model is tried three times, then the analysis has failed', async () => {
  server.fail('unauthorized')
  const id = await aTalk()
  await open().work()
  assert.deepEqual([(await read(id)).analysisStatus, server.asked.length], ['failed', 3])
  server.heal()
  await analyses.request(userId, id)
  await open().work()
  assert.equal((await read(id)).analysisStatus, 'done')
})

test('between two tries time passes', async () => {
  server.fail('unauthorized')
  const id = await aTalk()
  await open({ backoffMs: [60_000, 60_000] }).work()
  assert.deepEqual([(await read(id)).analysisStatus, server.asked.length], ['pending', 1])
  await db.deleteFrom('conversations').where('id', '=', id).execute()
})

test('an analysis that does not end is stopped', async () => {
  server.fail('stall')
  const id = await aTalk()
  await open({ limitMs: 50 }).work()
  assert.equal((await read(id)).analysisStatus, 'failed')
  await until('no connection is left', () => server.busy() === 0)
})

test('a stopped analysis is released at once and done by the next process', async () => {
  server.fail('stall')
  const id = await aTalk()
  const first = open()
  const working = first.work()
  await until('it was asked', () => server.asked.length === 1)
  first.stop()
  await working
  const { analysisStatus } = await read(id)
  assert.equal(analysisStatus, 'pending')
  server.heal()
  await open().work()
  assert.equal((await read(id)).analysisStatus, 'done')
})

test('an analysis during which three processes died has failed', async () => {
  const id = await aTalk()
  await db.updateTable('conversations').set({ analysisTries: 3 }).where('id', '=', id).execute()
  server.heal()
  await open().work()
  assert.deepEqual([(await read(id)).analysisStatus, server.asked.length], ['failed', 0])
})

test('two workers never analyse the same conversation', async () => {
  server.heal()
  const ids = await Promise.all(Array.from({ length: 6 }, aTalk))
  const both = open()
  await Promise.all([both.work(), both.work()])
  await both.work() // one worker may have stopped because the other was faster
  for (const id of ids) assert.equal((await read(id)).analysisStatus, 'done')
  assert.equal(server.asked.length, 6)
})

test('the transcript is never logged', () => {
  assert.ok(lines.some((line) => line.includes('post-call analysis failed')))
  assert.ok(!/Quero uma mesa|Tudo bem/.test(lines.join('')))
})

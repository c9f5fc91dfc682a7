// The limits of a written reply, with the app's own stores and a model that takes too long.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, testApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { startLlm } from '../../../test/vendors/llm.ts'
import { type Fault, KEY } from '../../../test/vendors/server.ts'
import type { AppError } from '../../base/errors/errors.ts'
import { createLog } from '../../base/process/log.ts'
import { openAiChat } from '../../llm/openai-chat.ts'
import { conversationStore } from '../conversations/store.ts'
import { toolCallStore } from '../conversations/tool-call-store.ts'
import { chatAgent } from './chat-agent.ts'
import { agentStore } from './store.ts'

const never = new AbortController().signal

type Limits = { idleMs: number; limitMs: number; onWord?: () => void }

async function failureWith(fault: Fault, { idleMs, limitMs, onWord }: Limits) {
  const { ana, database } = await testApp()
  const server = await startLlm({ answer: () => ({ say: 'word '.repeat(200) }) })
  const timeouts = { firstByteMs: idleMs, idleMs }
  const llm = openAiChat({ baseUrl: `${server.url}/v1`, apiKey: KEY, model: 'small', timeouts })
  try {
    const agents = agentStore(database.db)
    const conversations = conversationStore(database.db)
    const agent = await agents.create(ana.userId, anAgent)
    const { id } = await conversations.start(ana.userId, { agentId: agent.id })
    const message = await conversations.send(ana.userId, id, { type: 'user', content: 'Hi' })
    const llmsOf = async () => ({ llmFor: () => llm, backgroundLlm: () => llm })
    const toolCalls = toolCallStore(database.db)
    const none = { tools: [], arrivals: [], unknown: () => {}, refused: () => {}, variables: () => ({}) }
    const tools = { forMessage: async () => none }
    const find = chatAgent({ agents, conversations, toolCalls, tools, llmsOf, log: createLog('silent'), limitMs })
    const answerer = await find(ana.userId, id)
    server.fail(fault)
    const words: string[] = []
    const error = await (async () => {
      for await (const text of answerer.words(message, never)) {
        words.push(text)
        onWord?.()
      }
    })().then(
      () => assert.fail('it should have failed'),
      (reason: AppError) => reason,
    )
    await until('the model is left', () => server.busy() === 0)
    return { error, words }
  } finally {
    await llm.close()
    await server.stop()
  }
}

test('a model that never answers or falls silent is a 504', async () => {
  for (const fault of ['silent', 'stall'] as const) {
    const { error } = await failureWith(fault, { idleMs: 200, limitMs: 60_000 })
    assert.equal(error.status, 504)
    assert.match(error.message, /did not answer in time/)
  }
})

test('a reply that does not end is stopped with a 504', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  // The first word pushes the reply past its time limit, however long that word took.
  const onWord = () => t.mock.timers.tick(50_000)
  const { error, words } = await failureWith('drip', { idleMs: 3_600_000, limitMs: 50_000, onWord })
  assert.equal(error.status, 504)
  assert.ok(words.length > 0)
})

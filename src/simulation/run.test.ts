// The simulation runner: limits, abort, tools and a failing model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ruleAgent } from '../llm/rule-agent.ts'
import type { Llm } from '../voice/ports.ts'
import { defaultTurnRules } from '../voice/turn/rules.ts'
import type { RehearsedTurn } from './outcome.ts'
import { MAX_CALL_MS, type RehearsalParts, runRehearsal } from './run.ts'
import type { Script } from './script.ts'
import type { OfferedTool } from './scripted-tools.ts'

const never = new AbortController().signal

async function* sentences(words: AsyncIterable<string>): AsyncGenerator<string> {
  let text = ''
  for await (const word of words) text += word
  yield text
}

function parts(more: Partial<RehearsalParts<RehearsedTurn>> = {}): RehearsalParts<RehearsedTurn> {
  const rules = { ...defaultTurnRules, silenceHangupMs: 3_600_000, idleReminderMs: 600_000 }
  const options = { language: 'pt-BR', systemPrompt: 'Você é a Ana.', rules, opening: 'Olá.' }
  return { llm: ruleAgent(), sentences, tools: [], options, metrics: { add() {}, turns: [] }, ...more }
}

test('no rehearsed call is longer than fifteen minutes', async () => {
  const { endReason, durationMs, stepsPlayed } = await runRehearsal(
    { steps: [{ waits: 600_000 }, { waits: 600_000 }] },
    parts(),
    never,
  )
  assert.deepEqual([endReason, stepsPlayed], ['rehearsal_limit', 1])
  assert.ok(durationMs >= MAX_CALL_MS && durationMs < MAX_CALL_MS + 10_000)
})

test('a rehearsal aborted before its start ends at once', async () => {
  const { transcript, endReason } = await runRehearsal({ steps: [{ says: 'Oi.' }] }, parts(), AbortSignal.abort())
  assert.deepEqual([transcript, endReason], [[], 'caller_hangup'])
})

test('a failing model does not fail the rehearsal: the agent behaves as in a call', async () => {
  const llm: Llm = {
    name: 'broken',
    isModel: true,
    // biome-ignore lint/correctness/useYield: it fails before its first word
    async *reply() {
      throw new Error('no model today')
    },
  }
  const { transcript } = await runRehearsal({ steps: [{ says: 'Qual é o preço?' }] }, parts({ llm }), never)
  assert.ok(transcript.length >= 3, JSON.stringify(transcript))
})

test('an abort also ends the wait for a model that never replies', async () => {
  const llm: Llm = {
    name: 'mute',
    isModel: true,
    async *reply(_history, _tools, _options, signal) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      yield* []
    },
  }
  const script: Script = { steps: [{ says: 'Alô?' }, { hangsUp: true, afterMs: 2000 }], timing: { modelMs: 100_000 } }
  const running = runRehearsal(script, parts({ llm }), AbortSignal.timeout(500))
  assert.equal((await running).endReason, 'caller_hangup')
})

const book: OfferedTool = {
  name: 'book_visit',
  description: 'Books',
  parameters: { type: 'object' },
  refusal: (args) => ((args as { day?: string }).day ? null : 'day is missing'),
}
const caller = (args: object): Llm => ({
  name: 'script',
  isModel: true,
  async *reply(history) {
    const last = history.at(-1)
    if (last?.role === 'tool') yield { say: `Resultado: ${last.content}` }
    else yield { call: { id: 'one', name: 'book_visit', args } }
  },
})

test('arguments that a call would refuse are refused, and a tool may end the call', async () => {
  const script = (tools: Script['tools']): Script => ({
    steps: [{ says: 'Marque uma visita.' }, { says: 'Obrigado.' }],
    tools: tools ?? {},
    timing: { modelMs: 100 },
  })
  const refused = await runRehearsal(script({}), parts({ llm: caller({}), tools: [book] }), never)
  assert.deepEqual(
    refused.toolCalls.map(({ result, failed }) => [result, failed]),
    [
      ['day is missing', true],
      ['day is missing', true],
    ],
  )
  const ends = { 'book visit': { result: 'feito', endsCall: 'agent_ended' } }
  const ended = await runRehearsal(script(ends), parts({ llm: caller({ day: '1' }), tools: [book] }), never)
  assert.deepEqual([ended.endReason, ended.stepsPlayed, ended.toolCalls[0]?.isScripted], ['agent_ended', 1, true])
})

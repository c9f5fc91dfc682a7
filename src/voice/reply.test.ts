// Replies with tools in between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../test/voice/manual-clock.ts'
import type { Llm, LlmPart, Message, Tool } from './ports.ts'
import { replyWords } from './reply.ts'

const question: Message[] = [{ role: 'user', content: 'Tem horário?' }]
const uses = (id: string, name = 'agenda'): LlmPart => ({ call: { id, name, args: {} } })
const agenda = (run: Tool['run'] = async () => 'às nove'): Tool => ({
  name: 'agenda',
  description: '',
  parameters: {},
  run,
})

function reply(steps: LlmPart[][], tools: Tool[] = [agenda()]) {
  const clock = new ManualClock()
  const stop = new AbortController()
  const added: Message[] = []
  const given: { history: Message[]; tools: number }[] = []
  const work: boolean[] = []
  const words: string[] = []
  const llm: Llm = {
    name: 'script',
    isModel: true,
    async *reply(history, offered) {
      given.push({ history: [...history], tools: offered.length })
      yield* steps[given.length - 1] ?? steps.at(-1) ?? []
    },
  }
  const parts = { llm, tools, act: async () => {}, clock, onWork: (on: boolean) => void work.push(on) }
  const done = (async () => {
    for await (const word of replyWords(parts, question, { language: 'pt-BR' }, added, stop.signal)) words.push(word)
  })()
  return { clock, stop, added, given, work, words, done }
}

test('without tools a reply is what the model says', async () => {
  const { words, added, done } = reply([[{ say: 'Às ' }, { say: 'oito.' }]])
  await done
  assert.deepEqual([words, added], [['Às ', 'oito.'], []])
})

test('calls and results are added in their order, and the model goes on with them', async () => {
  const { added, given, work, words, done } = reply([[uses('a'), uses('b')], [{ say: 'Às nove.' }]])
  await done
  assert.deepEqual(
    added.map(({ role, callId, content }) => [role, callId, content]),
    [
      ['agent', undefined, ''],
      ['tool', 'a', 'às nove'],
      ['tool', 'b', 'às nove'],
    ],
  )
  assert.deepEqual(given[1]?.history.slice(1), added)
  assert.deepEqual([words, work], [['Às nove.'], [true, false]])
})

test('what was said before a tool is known to the model, and ends its sentence', async () => {
  const { given, words, added, done } = reply([[{ say: 'Vou ver' }, uses('a')], [{ say: 'Às nove.' }]])
  await done
  assert.deepEqual(words, ['Vou ver', '\n', 'Às nove.'])
  assert.equal(given[1]?.history[1]?.content, 'Vou ver')
  assert.equal(added[0]?.content, '', 'the history has it as it was heard')
})

test('five steps at most, and none of them offers a tool in the last', async () => {
  const { given, done } = reply([[uses('a')]])
  await done
  assert.deepEqual(
    given.map(({ tools }) => tools),
    [1, 1, 1, 1, 0],
  )
})

test('an interruption leaves every call with an answer', async () => {
  const { clock, stop, added, work, done } = reply(
    [[uses('a'), uses('b')]],
    [agenda((_args, _context, signal) => clock.sleep(5000, signal).then(() => 'às nove'))],
  )
  await clock.pass(6000)
  stop.abort()
  await done
  assert.deepEqual(
    added.slice(1).map(({ callId, content }) => [callId, content]),
    [
      ['a', 'às nove'],
      ['b', 'Interrupted: the result is not known.'],
    ],
  )
  assert.deepEqual(work, [true])
})

test('a tool that throws at once is a result', async () => {
  const broken = agenda(() => {
    throw new Error('closed')
  })
  const { added, done } = reply([[uses('a')], [{ say: 'Pena.' }]], [broken])
  await done
  assert.equal(added[1]?.content, 'The tool failed: closed')
})

test('a tool that never ends is given up after 15 s, and told so', async () => {
  const signals: AbortSignal[] = []
  const stuck = agenda((_args, _context, signal) => {
    signals.push(signal)
    return new Promise(() => {})
  })
  const { clock, added, done } = reply([[uses('a')], [{ say: 'Pena.' }]], [stuck])
  await clock.pass(14_900)
  assert.equal(signals[0]?.aborted, false)
  await clock.pass(200)
  await done
  assert.equal(signals[0]?.aborted, true)
  assert.equal(added[1]?.content, 'The tool took too long.')
})

// Replies with tool calls in between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../test/voice/manual-clock.ts'
import type { Llm, LlmPart, Message, Tool } from './ports.ts'
import { replyWords } from './reply.ts'
import { toolCalls } from './tool-calls.ts'

const question: Message[] = [{ role: 'user', content: 'Tem horário?' }]
const uses = (id: string, args: object = { day: id }): LlmPart => ({ call: { id, name: 'agenda', args } })
const found = { text: 'às nove', failed: false }
const agenda = (run: Tool['run'] = async () => found): Tool => ({
  name: 'agenda',
  description: '',
  parameters: {},
  run,
})

function reply(steps: LlmPart[][], tools: Tool[] = [agenda()]) {
  const clock = new ManualClock()
  const stop = new AbortController()
  const added: Message[] = []
  const given: { history: Message[]; tools: number; mayCall: boolean }[] = []
  const refused: string[] = []
  const waits: (number | null)[] = []
  const words: string[] = []
  const hangups: string[] = []
  const llm: Llm = {
    name: 'script',
    isModel: true,
    async *reply(history, offered, { mayCallTools = true }) {
      given.push({ history: [...history], tools: offered.length, mayCall: mayCallTools })
      yield* steps[given.length - 1] ?? steps.at(-1) ?? []
    },
  }
  const onRefused = (call: { id: string }) => void refused.push(call.id)
  const work = toolCalls({ tools, act: async () => ({ status: 'done' }), clock, onRefused })
  const parts = {
    llm,
    toolCalls: work,
    history: () => question,
    options: { language: 'pt-BR' },
    toolMessages: added,
    onToolWait: (timeoutMs: number | null) => void waits.push(timeoutMs),
    onHangup: (reason: string) => void hangups.push(reason),
  }
  const done = (async () => {
    for await (const word of replyWords(parts, stop.signal)) words.push(word)
  })()
  return {
    clock,
    stop,
    work,
    given,
    refused,
    waits,
    words,
    hangups,
    done,
    answered: () => work.withResults(added),
    added,
  }
}

test("without tools a reply is the model's text", async () => {
  const { words, added, done } = reply([[{ say: 'Às ' }, { say: 'oito.' }]])
  await done
  assert.deepEqual([words, added], [['Às ', 'oito.'], []])
})

test('words that end the call are followed by hanging up', async () => {
  const { words, hangups, done } = reply([[{ say: 'Obrigado. ' }, { say: 'Até logo!', endsCall: 'agent_ended' }]])
  await done
  assert.deepEqual([words, hangups], [['Obrigado. ', 'Até logo!'], ['agent_ended']])
})

test('calls and results are appended in order, and the model continues with them', async () => {
  const { answered, given, waits, words, done } = reply([[uses('a'), uses('b')], [{ say: 'Às nove.' }]])
  await done
  assert.deepEqual(
    answered().map(({ role, callId, content }) => [role, callId, content]),
    [
      ['agent', undefined, ''],
      ['tool', 'a', 'às nove'],
      ['tool', 'b', 'às nove'],
    ],
  )
  assert.deepEqual(given[1]?.history.slice(1), answered())
  assert.deepEqual([words, waits], [['Às nove.'], [15_000, null, 15_000, null]])
})

test('text before a tool call is known to the model, and ends its sentence', async () => {
  const { given, words, added, done } = reply([[{ say: 'Vou ver' }, uses('a')], [{ say: 'Às nove.' }]])
  await done
  assert.deepEqual(words, ['Vou ver', '\n', 'Às nove.'])
  assert.equal(given[1]?.history[1]?.content, 'Vou ver')
  assert.equal(added[0]?.content, '', 'the history has it as it was heard')
})

test('in the fifth step the tools are sent but may not be called, and the model speaks', async () => {
  const { given, refused, words, done } = reply([...Array(4).fill([uses('a')]), [{ say: 'Pronto.' }]])
  await done
  assert.deepEqual(
    given.map(({ tools, mayCall }) => [tools, mayCall]),
    [...Array(4).fill([1, true]), [1, false]],
  )
  assert.deepEqual([words, refused], [['Pronto.'], []])
})

test('a model that calls a tool where it may not is refused, and still replies', async () => {
  const once = reply([...Array(5).fill([uses('a')]), [{ say: 'Pronto.' }]])
  await once.done
  assert.deepEqual([once.words, once.refused], [['Pronto.'], ['a-5']])
  assert.match(once.given[5]?.history.at(-1)?.content ?? '', /^Not executed: no more tool calls/)

  const spoken = reply([...Array(4).fill([uses('a')]), [{ say: 'Já sei.' }, uses('b')]])
  await spoken.done
  assert.deepEqual([spoken.words, spoken.refused], [['Já sei.'], ['b']])

  const always = reply([[uses('a')]])
  await always.done
  assert.deepEqual(
    always.given.map(({ tools, mayCall }) => [tools, mayCall]),
    [...Array(4).fill([1, true]), [1, false], [1, false], [0, false]],
  )
  assert.deepEqual(always.refused, ['a-5', 'a-6', 'a-7'])
  assert.deepEqual(always.words, ['Desculpe, tive um problema. Pode repetir, por favor?'])
})

test('repeated call ids are made unique', async () => {
  const { given, done } = reply([[uses('a')], [uses('a')], [{ say: 'Pronto.' }]])
  await done
  const ids = given[2]?.history.flatMap(({ calls }) => calls?.map(({ id }) => id) ?? [])
  assert.deepEqual(ids, ['a', 'a-2'])
})

test('the same call twice in one step runs once, and gets two results', async () => {
  let runs = 0
  const once = agenda(async () => ({ text: `run ${++runs}`, failed: false }))
  const { answered, done } = reply(
    [[uses('a', { x: 1, y: 2 }), uses('b', { y: 2, x: 1 })], [{ say: 'Pronto.' }]],
    [once],
  )
  await done
  assert.deepEqual(
    answered().map(({ content }) => content),
    ['', 'run 1', 'run 1'],
  )
})

test('after an interruption every call has a result: one still runs, one never started', async () => {
  const { clock, stop, answered, done } = reply(
    [[uses('a'), uses('b')]],
    [agenda((_call, _context, signal) => clock.sleep(5000, signal).then(() => found))],
  )
  await clock.pass(1000)
  stop.abort()
  await done
  const contents = () =>
    answered()
      .slice(1)
      .map(({ content }) => content)
  assert.match(contents().join('|'), /Still running.*\|Not executed/)
  await clock.pass(10_000)
  assert.match(contents().join('|'), /às nove\|Not executed/)
})

/** Records when each call starts and ends; a call takes one second. */
function timedTool(name: string, isConcurrent: boolean, clock: () => ManualClock, noted: string[]): Tool {
  return {
    name,
    description: '',
    parameters: {},
    isConcurrent,
    async run({ id }) {
      noted.push(`${id} begins`)
      await clock().sleep(1000, new AbortController().signal)
      noted.push(`${id} ends`)
      return { text: `${id} found`, failed: false }
    },
  }
}

test('read-only tools of one step run in parallel, four at once; the others keep their order', async () => {
  const noted: string[] = []
  const tools = [timedTool('read', true, () => run.clock, noted), timedTool('write', false, () => run.clock, noted)]
  const call = (id: string, name: string): LlmPart => ({ call: { id, name, args: { id } } })
  const round = [
    ...['r1', 'r2', 'r3', 'r4', 'r5'].map((id) => call(id, 'read')),
    call('w1', 'write'),
    call('w2', 'write'),
  ]
  const run = reply([[...round, call('r6', 'read')], [{ say: 'Pronto.' }]], tools)
  await run.clock.pass(1000)
  assert.deepEqual(noted.slice(0, 4), ['r1 begins', 'r2 begins', 'r3 begins', 'r4 begins'])
  await run.clock.pass(5000)
  await run.done
  assert.ok(noted.indexOf('r5 begins') > noted.indexOf('r1 ends'), 'no more than four at once')
  const rest = ['r5 ends', 'w1 begins', 'w1 ends', 'w2 begins', 'w2 ends', 'r6 begins', 'r6 ends']
  assert.deepEqual(noted.slice(-7), rest)
  assert.deepEqual(
    run
      .answered()
      .slice(1)
      .map(({ content }) => content),
    ['r1', 'r2', 'r3', 'r4', 'r5', 'w1', 'w2', 'r6'].map((id) => `${id} found`),
  )
  assert.deepEqual(run.words, ['Pronto.'])
})

test('an interruption lets parallel tools finish, and each result is reported later', async () => {
  const noted: string[] = []
  const run = reply(
    [['r1', 'r2'].map((id) => ({ call: { id, name: 'read', args: { id } } }))],
    [timedTool('read', true, () => run.clock, noted)],
  )
  await run.clock.pass(500)
  run.stop.abort()
  await run.done
  await run.clock.pass(1000)
  assert.deepEqual(
    run.work
      .late()
      .map(({ call }) => call.id)
      .sort(),
    ['r1', 'r2'],
  )
})

test('a tool that throws synchronously is a result', async () => {
  const broken = agenda(() => {
    throw new Error('closed')
  })
  const { answered, done } = reply([[uses('a')], [{ say: 'Pena.' }]], [broken])
  await done
  assert.equal(answered()[1]?.content, 'The tool failed: closed')
})

test('a tool that never ends times out after 15 s or its own limit, and the model is told', async () => {
  for (const [timeoutMs, limitMs] of [
    [undefined, 15_000],
    [4000, 4000],
  ] as const) {
    const signals: AbortSignal[] = []
    const stuck = agenda((_call, _context, signal) => {
      signals.push(signal)
      return new Promise(() => {})
    })
    const { clock, answered, done } = reply([[uses('a')], [{ say: 'Pena.' }]], [{ ...stuck, timeoutMs }])
    await clock.pass(limitMs - 100)
    assert.equal(signals[0]?.aborted, false)
    await clock.pass(200)
    await done
    assert.equal(signals[0]?.aborted, true)
    assert.equal(answered()[1]?.content, 'The tool timed out.')
  }
})

test('results are passed to the model without control characters, and truncated', async () => {
  const long = agenda(async () => ({ text: `a\u0000\u001b[31mb\n${'x'.repeat(20_000)}`, failed: false }))
  const { answered, done } = reply([[uses('a')], [{ say: 'Pronto.' }]], [long])
  await done
  const text = answered()[1]?.content ?? ''
  assert.ok(text.startsWith('a[31mb\nxxx'), text.slice(0, 20))
  assert.ok(text.length > 8000 && text.length < 8100 && text.endsWith('(truncated)'))
})

test('a tool knows what was said before it was called', async () => {
  const histories: (readonly Message[])[] = []
  const asks = agenda(async (_call, { history }) => {
    histories.push(history)
    return found
  })
  const { done } = reply([[uses('a')], [{ say: 'Mais um.' }, uses('b')], [{ say: 'Pronto.' }]], [asks])
  await done
  assert.deepEqual(
    histories.map((history) => history.map(({ role }) => role).join(' ')),
    ['user', 'user agent tool'],
  )
})

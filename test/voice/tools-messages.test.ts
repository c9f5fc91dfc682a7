// The messages about a tool: when it starts, while it takes long, and when it is done. And never a long silence.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedFor, heardOf, longestGap, ok, slowTool, uses, usesOnce } from './scripted-tool.ts'

const moment = 'Deixe-me ver a agenda.'
const noteIn = (history: readonly { role: string; note?: string }[] = []) =>
  history.findLast(({ role }) => role === 'tool')?.note ?? ''

test('a start message is played while the tool runs', async () => {
  const { call, agenda } = await askedFor({ ms: 2000, start: { text: moment } })
  await call.pass(7000)
  assert.deepEqual(heardOf(call), [moment, 'Achei: às nove.'])
  assert.equal(call.heard[1]?.from, agenda.runs[0]?.at, 'both begin at once')
  assert.equal(call.lines.at(-1)?.text, `${moment} Achei: às nove.`)
  assert.equal(call.asked[1]?.findLast(({ calls }) => calls)?.content, moment, 'the model knows what was said')
  await call.leaves()
})

test('a blocking start message is played before the tool starts', async () => {
  const { call, agenda } = await askedFor({ ms: 500, typicalMs: () => 100, start: { text: moment, isBlocking: true } })
  await call.pass(7000)
  assert.deepEqual(heardOf(call), [moment, 'Achei: às nove.'])
  assert.equal(agenda.runs[0]?.at, call.heard[1]?.to)
  await call.leaves()
})

test('an interrupted blocking start message prevents the tool from starting', async () => {
  const { call, agenda } = await askedFor(
    { start: { text: `${moment} Isso pode levar algum tempo, tudo bem?`, isBlocking: true } },
    { reply: usesOnce(() => 'Então não.') },
  )
  await call.pass(1800)
  await call.says('Não precisa, obrigado.', 1200)
  await call.pass(6000)
  assert.equal(agenda.runs.length, 0)
  assert.match(call.asked.at(-1)?.findLast(({ role }) => role === 'tool')?.content ?? '', /^Not executed/)
  assert.equal(call.lines.at(-1)?.text, 'Então não.')
  await call.leaves()
})

test('noise over a blocking start message only delays the tool', async () => {
  const { call, agenda } = await askedFor({ start: { text: moment, isBlocking: true } })
  await call.pass(1300)
  await call.says('', 600)
  await call.pass(8000)
  assert.equal(agenda.runs.length, 1)
  assert.equal(call.lines.at(-1)?.text, `${moment} Achei: às nove.`)
  await call.leaves()
})

test('a typically quick tool has no start message; a slow or new one has', async () => {
  for (const [typicalMs, heard] of [
    [300, ['Achei: às nove.']],
    [700, ['Achei: às nove.']],
    [701, [moment, 'Achei: às nove.']],
    [null, [moment, 'Achei: às nove.']],
  ] as const) {
    const { call } = await askedFor({ ms: 300, start: { text: moment }, typicalMs: () => typicalMs })
    await call.pass(7000)
    assert.deepEqual(heardOf(call), heard, `usually ${typicalMs}`)
    await call.leaves()
  }
})

test('a model that announces the tool itself needs no start message', async () => {
  const { call } = await askedFor(
    { ms: 1500, start: { text: moment } },
    {
      reply: (_to, _turn, history) =>
        history.some(({ calls }) => calls) ? 'Às nove.' : [{ say: 'Vou ver.' }, uses('agenda')],
    },
  )
  await call.pass(7000)
  assert.deepEqual(heardOf(call), ['Vou ver.', 'Às nove.'])
  await call.leaves()
})

test('delayed messages are said at their times, in place of fillers', async () => {
  const delayed = [
    { text: 'Ainda estou consultando.', atMs: 2000 },
    { text: 'A agenda está lenta hoje.', atMs: 5500 },
    { text: 'Só mais um pouco.', atMs: 9000 },
  ]
  const { call, agenda } = await askedFor({ ms: 11_500, start: { text: moment }, delayed })
  await call.pass(17_000)
  assert.deepEqual(heardOf(call), [moment, ...delayed.map(({ text }) => text), 'Achei: às nove.'])
  const began = agenda.runs[0]?.at ?? 0
  const times = call.heard.slice(2, 5).map(({ from }) => from - began)
  assert.deepEqual(times, [2000, 5500, 9000])
  assert.ok(longestGap(call) <= 3000, `${longestGap(call)} ms`)
  await call.leaves()
})

test('a delayed message that is due while another is heard is said after it, not lost', async () => {
  const delayed = [
    { text: 'Ainda estou consultando, a agenda desta clínica é mesmo bem comprida.', atMs: 2000 },
    { text: 'Só mais um pouco.', atMs: 4000 },
  ]
  const { call } = await askedFor({ ms: 12_000, delayed })
  await call.pass(17_000)
  assert.deepEqual(
    heardOf(call).slice(0, 2),
    delayed.map(({ text }) => text),
  )
  assert.equal(call.heard.at(-1)?.text, 'Achei: às nove.')
  assert.ok(longestGap(call) <= 3000, `${longestGap(call)} ms`)
  await call.leaves()
})

test('fillers are played between distant delayed messages', async () => {
  const { call } = await askedFor({ ms: 14_000, delayed: [{ text: 'Está demorando, desculpe.', atMs: 11_000 }] })
  await call.pass(20_000)
  const heard = heardOf(call)
  assert.equal(heard.filter((text) => text.startsWith('Está demorando')).length, 1)
  assert.ok(heard.includes('Um momento, por favor.'))
  assert.ok(longestGap(call) <= 3000, `${longestGap(call)} ms`)
  await call.leaves()
})

test('no silence is longer than 3 s while a tool without messages runs for 12 s', async () => {
  const { call } = await askedFor({ ms: 12_000 })
  const quietAt = call.now
  await call.pass(17_000)
  assert.equal(call.heard.at(-1)?.text, 'Achei: às nove.')
  assert.ok((call.heard[1]?.from ?? 0) - quietAt <= 3500, 'the pause and 3 s before the first sound')
  assert.ok(longestGap(call) <= 3000, `${longestGap(call)} ms`)
  await call.leaves()
})

test('no silence is longer than 3 s while tools run one after the other', async () => {
  let n = 0
  const { call, agenda } = await askedFor(
    { ms: 4000, timeoutMs: 30_000, start: { text: moment } },
    { reply: () => (n++ < 3 ? [uses('agenda', { n })] : 'Pronto.'), rules: { speculate: false } },
  )
  await call.pass(19_000)
  assert.equal(agenda.runs.length, 3)
  assert.equal(call.heard.at(-1)?.text, 'Pronto.')
  assert.ok(longestGap(call) <= 3000, `${longestGap(call)} ms`)
  await call.leaves()
})

test('a tool with a time-out of a minute is waited for, with fillers', async () => {
  const { call } = await askedFor({ ms: 50_000, timeoutMs: 60_000 })
  await call.pass(56_000)
  assert.equal(call.heard.at(-1)?.text, 'Achei: às nove.')
  assert.ok(longestGap(call) <= 3000, `${longestGap(call)} ms`)
  assert.equal(call.lastHeard('Desculpe'), undefined)
  await call.leaves()
})

test('a complete message is said, and the model knows it', async () => {
  const { call } = await askedFor(
    { ms: 500, complete: { text: 'Consultei.' } },
    { reply: usesOnce(() => 'Tem às nove.') },
  )
  await call.pass(6000)
  assert.deepEqual(heardOf(call), ['Consultei.', 'Tem às nove.'])
  assert.match(noteIn(call.asked[1]), /Already said to the caller: Consultei\./)
  await call.says('Que bom, e depois?', 900)
  await call.pass(4000)
  assert.equal(noteIn(call.asked.at(-1)), '', 'later the history itself holds what was heard')
  await call.leaves()
})

test('a model that has nothing to add to a complete message need not speak', async () => {
  const { call } = await askedFor({ complete: { text: 'Está marcado.' } }, { reply: usesOnce(() => '') })
  await call.pass(6000)
  assert.deepEqual(heardOf(call), ['Está marcado.'])
  await call.leaves()
})

test('a failed message is said when the tool fails or takes too long, and the complete one is not', async () => {
  for (const broken of [
    { result: new Error('closed') },
    { result: { text: 'full', failed: true } },
    { ms: 5000, timeoutMs: 1000 },
  ]) {
    const messages = { complete: { text: 'Consultei.' }, failed: { text: 'Não consegui ver a agenda.' } }
    const { call } = await askedFor({ ...broken, ...messages }, { reply: usesOnce(() => 'Quer deixar recado?') })
    await call.pass(9000)
    assert.deepEqual(heardOf(call), ['Não consegui ver a agenda.', 'Quer deixar recado?'])
    assert.equal(call.events.find((event) => event.type === 'tool')?.failed, true)
    await call.leaves()
  }
})

test('a system message is not said but given to the model with the result', async () => {
  const { call } = await askedFor({ complete: { text: 'Ofereça também a quarta.', role: 'system' } })
  await call.pass(6000)
  assert.deepEqual(heardOf(call), ['Achei: às nove.'])
  const answer = call.asked[1]?.at(-1)
  assert.deepEqual([answer?.content, answer?.note], ['às nove', 'Ofereça também a quarta.'])
  await call.leaves()
})

test("a tool's own text is said verbatim before the model goes on", async () => {
  const { call } = await askedFor(
    { result: { ...ok('x'), say: 'Enviei o código.' } },
    { reply: usesOnce(() => 'Chegou?') },
  )
  await call.pass(6000)
  assert.deepEqual(heardOf(call), ['Enviei o código.', 'Chegou?'])
  await call.leaves()
})

test('two tools at once are announced each, but not with the same words', async () => {
  const made = (name: string, text: string) => slowTool(() => call.clock, { name, ms: 900, start: { text } })
  const tools = [made('agenda', moment), made('preços', moment), made('marcar', 'Agora vou marcar.')]
  const { call } = await askedFor(
    {},
    {
      tools,
      reply: (_to, _turn, history) =>
        history.some(({ calls }) => calls) ? 'Pronto.' : [uses('agenda'), uses('preços'), uses('marcar')],
    },
  )
  await call.pass(9000)
  assert.deepEqual(heardOf(call), [moment, 'Agora vou marcar.', 'Pronto.'])
  await call.leaves()
})

test('speech interrupts the start message, and the tool goes on', async () => {
  const { call, agenda } = await askedFor({ ms: 3000, start: { text: `${moment} Isso leva um instante, está bem?` } })
  await call.pass(1500)
  await call.says('Pode ser de manhã?', 1000)
  await call.pass(6000)
  assert.equal(call.heard[1]?.isCut, true)
  assert.equal(agenda.runs.length, 1)
  assert.equal(call.heard.at(-1)?.text, 'Achei: às nove.')
  await call.leaves()
})

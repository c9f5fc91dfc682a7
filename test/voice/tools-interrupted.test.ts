// A tool outlives the turn that called it: it runs once, and its result is used no matter who speaks meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '../../src/voice/ports.ts'
import type { ScriptedCall } from './scripted-call.ts'
import { askedFor, heardOf, ok, slowTool, uses, usesOnce } from './scripted-tool.ts'

const resultIn = (history: readonly Message[] = []) => history.findLast(({ role }) => role === 'tool')?.content ?? ''
const toolEvents = (call: ScriptedCall) => call.events.flatMap((event) => (event.type === 'tool' ? [event] : []))

test('an interruption while a tool runs is answered with its result, and it runs once', async () => {
  const { call, agenda } = await askedFor({ ms: 4000 })
  await call.pass(1500)
  await call.says('De preferência de manhã.', 1200)
  await call.pass(6000)
  assert.equal(agenda.runs.length, 1)
  assert.equal(call.asked.length, 2, 'nor was the model asked in vain')
  assert.deepEqual(heardOf(call), ['Achei: às nove.'])
  assert.deepEqual(
    call.asked[1]?.map(({ role }) => role),
    ['system', 'agent', 'user', 'agent', 'tool', 'user'],
  )
  await call.leaves()
})

test('the next reply waits 3 s for a running tool', async () => {
  const { call, agenda } = await askedFor(
    { ms: 9000 },
    { reply: usesOnce((_to, _turn, history) => (/Still/.test(resultIn(history)) ? 'Ainda vejo.' : 'Às nove.')) },
  )
  await call.pass(1500)
  await call.says('E na quarta?', 900)
  const quietAt = call.now
  await call.pass(5000)
  const answer = call.lastHeard('Ainda vejo.')
  // 400 ms of pause, 3 s of waiting for the tool, 300 ms of the model; a filler may be heard to its end.
  assert.ok(answer && answer.from - quietAt >= 3600 && answer.from - quietAt < 5000, `${(answer?.from ?? 0) - quietAt}`)
  assert.match(resultIn(call.asked[1]), /Still running/)
  await call.pass(6000)
  assert.equal(call.heard.at(-1)?.text, 'Às nove.')
  assert.equal(agenda.runs.length, 1)
  await call.leaves()
})

/**
 * A call in which the agent has replied without the result and a tool is still running, until 9 s after it was called.
 */
async function toldToWait(rest: { ms?: number; result?: Error } = {}) {
  const made = await askedFor(
    { ms: 9000, ...rest },
    {
      reply: usesOnce((to, _turn, history) =>
        /Still/.test(resultIn(history)) ? 'Vejo.' : `Sobre ${to.replace('? ', ' ')}: ${resultIn(history)}`,
      ),
    },
  )
  const began = made.agenda
  await made.call.pass(1000)
  await made.call.says('E na quarta?', 900)
  await made.call.pass(5000)
  assert.ok(made.call.lastHeard('Vejo.'))
  return { ...made, doneAt: (began.runs[0]?.at ?? 0) + (rest.ms ?? 9000) }
}

test('a late result is told while nobody speaks', async () => {
  const { call, agenda, doneAt } = await toldToWait()
  await call.pass(6000)
  const told = call.lastHeard('Sobre Tem horário amanhã E na quarta?: às nove')
  assert.ok(told && told.from >= doneAt && told.from - doneAt < 2500, `${(told?.from ?? 0) - doneAt} ms later`)
  assert.equal(agenda.runs.length, 1)
  // The model continues from the result as if it had just called the tool.
  assert.deepEqual(
    call.asked
      .at(-1)
      ?.map(({ role }) => role)
      .slice(-2),
    ['agent', 'tool'],
  )
  const before = call.heard.length
  await call.pass(3000)
  assert.equal(call.heard.length, before, 'it is told once')
  await call.leaves()
})

test('a complete message is said first, also for a late result', async () => {
  for (const says of ['De preferência de manhã.', null]) {
    const { call } = await askedFor(
      { ms: says ? 4000 : 9000, complete: { text: 'Consultei.' } },
      { reply: usesOnce((_to, _turn, history) => (/Still/.test(resultIn(history)) ? 'Vejo.' : 'Às nove.')) },
    )
    await call.pass(1500)
    await call.says(says ?? 'E na quarta?', 1200)
    await call.pass(11_000)
    assert.deepEqual(heardOf(call).slice(-2), ['Consultei.', 'Às nove.'])
    await call.leaves()
  }
})

test('a late failure is told too', async () => {
  const { call } = await toldToWait({ result: new Error('fora do ar') })
  await call.pass(6000)
  assert.ok(call.lastHeard('Sobre Tem horário amanhã E na quarta?: The tool failed: fora do ar'))
  await call.leaves()
})

test('a late result is not told over the caller but with the next answer', async () => {
  const { call, doneAt } = await toldToWait()
  await call.pass(doneAt - 600 - call.now)
  await call.says('Pode ser à tarde também?', 2000)
  const quietAt = call.now
  assert.ok(quietAt > doneAt)
  await call.pass(4000)
  const told = call.heard.filter(({ text }) => text.includes('às nove'))
  assert.deepEqual(
    told.map(({ text }) => text),
    ['Sobre Pode ser à tarde também?: às nove'],
  )
  assert.ok((told[0]?.from ?? 0) > quietAt)
  await call.leaves()
})

test('noise delays a late result', async () => {
  const { call, doneAt } = await toldToWait()
  await call.pass(doneAt - 300 - call.now)
  await call.says('', 700)
  await call.pass(4000)
  assert.ok(call.lastHeard('Sobre Tem horário amanhã E na quarta?: às nove'))
  await call.leaves()
})

test('a result that arrives while the agent speaks is told when it has finished', async () => {
  const long = 'Um momento, estou consultando a agenda da clínica inteira, isso demora um pouco mesmo, já volto.'
  const { call } = await askedFor(
    { ms: 7000 },
    { reply: usesOnce((_to, _turn, history) => (/Still/.test(resultIn(history)) ? long : 'Às nove.')) },
  )
  await call.pass(1000)
  await call.says('E na quarta?', 900)
  await call.pass(14_000)
  const spoken = call.lastHeard(long)
  const told = call.lastHeard('Às nove.')
  assert.equal(spoken?.isCut, false)
  assert.ok(told && spoken && told.from >= spoken.to && told.from - spoken.to <= 400)
  await call.leaves()
})

test('an equal call joins the running one', async () => {
  const { call, agenda } = await askedFor(
    { ms: 8000 },
    {
      reply: (_to, _turn, history) =>
        /Still|^$/.test(resultIn(history)) ? [uses('agenda', { a: 1, b: [2] })] : resultIn(history),
    },
  )
  await call.pass(1000)
  await call.says('Alô, tem ou não?', 900)
  await call.pass(10_000)
  assert.equal(agenda.runs.length, 1)
  assert.equal(call.lines.at(-1)?.text.endsWith('às nove'), true)
  assert.equal(call.heard.filter(({ text }) => text === 'às nove').length, 1)
  await call.leaves()
})

test('other arguments are another call', async () => {
  let asked = 0
  const { call, agenda } = await askedFor(
    { ms: 6000 },
    {
      reply: (_to, _turn, history) => (resultIn(history) === 'às nove' ? 'Pronto.' : [uses('agenda', { n: ++asked })]),
    },
  )
  await call.pass(1000)
  await call.says('Quero na quarta.', 900)
  await call.pass(16_000)
  assert.equal(agenda.runs.length, 2)
  await call.leaves()
})

test('a false interruption while a tool runs changes nothing', async () => {
  const { call, agenda } = await askedFor({ ms: 2500 })
  await call.pass(1200)
  await call.says('', 500)
  await call.pass(5000)
  assert.deepEqual([agenda.runs.length, call.asked.length], [1, 2])
  assert.deepEqual(heardOf(call), ['Achei: às nove.'])
  await call.leaves()
})

test('a call that had not started when the caller interrupted is not executed, and the model knows', async () => {
  const second = slowTool(() => call.clock, { name: 'marcar' })
  const first = slowTool(() => call.clock, { ms: 2000 })
  const { call } = await askedFor(
    {},
    {
      tools: [first, second],
      reply: (_to, _turn, history) =>
        history.some(({ calls }) => calls) ? 'Certo.' : [uses('agenda'), uses('marcar', { at: 9 })],
    },
  )
  await call.pass(1000)
  await call.says('Não marque nada ainda.', 1200)
  await call.pass(6000)
  assert.deepEqual([first.runs.length, second.runs.length], [1, 0])
  const answers = call.asked.at(-1)?.filter(({ role }) => role === 'tool')
  assert.deepEqual(
    answers?.map(({ content }) => content.slice(0, 8)),
    ['às nove', 'Not exec'],
  )
  await call.leaves()
})

test('while a tool runs after its turn the caller hears fillers instead of reminders', async () => {
  const { call } = await askedFor(
    { ms: 40_000, timeoutMs: 60_000 },
    { reply: usesOnce((_to, _turn, history) => (/Still/.test(resultIn(history)) ? 'Estou vendo.' : 'Às nove.')) },
  )
  await call.pass(1000)
  await call.says('E na quarta?', 900)
  await call.pass(45_000)
  const sounds = call.heard.filter(({ from }) => from > 4000)
  const gaps = sounds.slice(1).map(({ from }, i) => from - (sounds[i]?.to ?? 0))
  assert.ok(Math.max(...gaps) <= 3000, `${Math.max(...gaps)} ms`)
  assert.equal(call.lastHeard('Você ainda'), undefined)
  assert.ok(call.lastHeard('Às nove.'))
  assert.equal(call.ended, undefined)
  await call.leaves()
})

test('a tool that finishes after the call is not stopped, and nothing is reported', async () => {
  const signals: AbortSignal[] = []
  const acts: string[] = []
  const { call } = await askedFor(
    {},
    {
      tools: [
        {
          name: 'agenda',
          description: '',
          parameters: {},
          async run(_call, { act }, signal) {
            signals.push(signal)
            await call.clock.sleep(6000, signal)
            acts.push((await act({ do: 'digits', digits: '1' })).status)
            return ok('às nove')
          },
        },
      ],
    },
  )
  await call.pass(1500)
  const { endReason } = await call.leaves()
  assert.equal(endReason, 'caller_hangup')
  assert.equal(call.ended?.at, call.now, 'the end does not wait for it')
  const before = [call.heard.length, call.events.length, call.asked.length]
  await call.pass(20_000)
  assert.deepEqual([acts, signals[0]?.aborted], [['canceled'], false], 'it came to its end')
  assert.deepEqual([call.heard.length, call.events.length, call.asked.length], before)
  assert.deepEqual(call.acts, [])
})

test('a tool that no reply waits for still has its time-out', async () => {
  const signals: AbortSignal[] = []
  const { call } = await askedFor(
    {},
    {
      tools: [
        {
          name: 'agenda',
          description: '',
          parameters: {},
          timeoutMs: 5000,
          run: (_call, _context, signal) => {
            signals.push(signal)
            return new Promise(() => {})
          },
        },
      ],
    },
  )
  await call.pass(1500)
  await call.leaves()
  await call.pass(3000)
  assert.equal(signals[0]?.aborted, false)
  await call.pass(3000)
  assert.equal(signals[0]?.aborted, true)
})

test('the duration of a tool is reported with the call and with the turn', async () => {
  const { call } = await askedFor({ ms: 1200 })
  await call.pass(6000)
  const [done] = toolEvents(call)
  assert.deepEqual(
    [done?.call.name, done?.failed, (done?.endedAt ?? 0) - (done?.startedAt ?? 0)],
    ['agenda', false, 1200],
  )
  const turn = call.events.find((event) => event.type === 'turn')
  assert.equal(turn?.toolMs, 1200)
  assert.ok(turn && turn.firstWordAt - turn.repliedAt >= turn.toolMs + 300)
  await call.leaves()
})

// Preemptive generation: the model is asked before it is certain that the caller has finished; its benefits, and what
// it must never do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tool } from '../../src/voice/ports.ts'
import { type Script, scriptedCall } from './scripted-call.ts'
import type { ModelStep } from './scripted-edges.ts'

const unfinished = 'Eu queria marcar'

async function answeredAfter(script: Script): Promise<number> {
  const call = scriptedCall({ reply: () => 'Certo.', modelMs: 300, ...script })
  await call.pass(2000)
  await call.says(unfinished, 1000)
  const quietAt = call.now
  await call.pass(5000)
  const answer = call.lastHeard('Certo.')
  assert.ok(answer)
  assert.equal(call.asked.length, 1, 'the model was asked once')
  await call.leaves()
  return answer.from - quietAt
}

test('preemptive generation saves one model delay', async () => {
  const [sooner, later] = [await answeredAfter({}), await answeredAfter({ rules: { speculate: false } })]
  assert.equal(later - sooner, 300)
})

test('a model slower than the pause is heard one pause earlier', async () => {
  const slow = { modelMs: 2000, rules: { fillerMs: 0 } }
  const [sooner, later] = [
    await answeredAfter(slow),
    await answeredAfter({ ...slow, rules: { ...slow.rules, speculate: false } }),
  ]
  // The pause of 1.5 s begins with the last sound; 450 ms of it pass until the words are recognized.
  assert.ok(Math.abs(later - sooner - 1050) <= 60, `${later - sooner} ms`)
})

test('there is no preemptive generation when STT takes longer than the pause', async () => {
  const call = scriptedCall({ reply: () => 'Certo.', recognitionMs: 600 })
  await call.pass(2000)
  await call.says('Que horas abre?', 1000)
  await call.pass(3000)
  const turn = call.events.find((event) => event.type === 'turn')
  assert.equal(turn && turn.firstWordAt - turn.repliedAt, 300)
  assert.equal(call.asked.length, 1)
  await call.leaves()
})

test('model latency counts from the start of the turn: an early reply that was ready took none', async () => {
  const call = scriptedCall({ reply: () => 'Certo.', modelMs: 300 })
  await call.pass(2000)
  await call.says(unfinished, 1000)
  await call.pass(3000)
  const turn = call.events.find((event) => event.type === 'turn')
  assert.ok(turn)
  assert.equal(turn.firstWordAt, turn.repliedAt)
  assert.equal(turn.synthesizedAt, call.lastHeard('Certo.')?.from)
  await call.leaves()
})

test('an early reply is discarded when the caller goes on, and everything is answered', async () => {
  const call = scriptedCall({ modelMs: 100 })
  await call.pass(2000)
  await call.says(unfinished, 1000)
  await call.pass(900)
  await call.says('uma consulta.', 800)
  await call.pass(6000)
  const whole = 'Eu queria marcar uma consulta.'
  assert.deepEqual(call.questions(), [unfinished, whole])
  assert.deepEqual(call.turns(), [whole])
  assert.deepEqual(
    call.heard.slice(1).map(({ text }) => text),
    [`Resposta a: ${whole}`],
  )
  await call.leaves()
})

test('digits cancel the early reply', async () => {
  const call = scriptedCall({ modelMs: 100, reply: (to) => `Anotei ${to}.` })
  await call.pass(2000)
  await call.says('Meu número é', 900)
  await call.pass(700)
  await call.presses('99#')
  await call.pass(4000)
  assert.deepEqual(call.questions(), ['Meu número é', 'Meu número é 99'])
  assert.equal(call.lines.at(-1)?.text, 'Anotei Meu número é 99.')
  await call.leaves()
})

function agenda(): { tool: Tool; runs: number[]; at: (now: () => number) => void } {
  const runs: number[] = []
  let now = () => 0
  const tool: Tool = {
    name: 'agenda',
    description: 'agenda',
    parameters: {},
    async run() {
      runs.push(now())
      return { text: 'às nove', failed: false }
    },
  }
  return {
    tool,
    runs,
    at: (given) => {
      now = given
    },
  }
}
const uses = { call: { id: 'a', name: 'agenda', args: {} } }
const usesOnce: Script['reply'] = (_to, _turn, history) =>
  history.some(({ role }) => role === 'tool') ? 'Às nove.' : [uses]

test('tools of an early reply run only when the turn is taken', async () => {
  const { tool, runs, at } = agenda()
  const call = scriptedCall({ reply: usesOnce, modelMs: 100, tools: [tool] })
  at(() => call.now)
  await call.pass(2000)
  await call.says(unfinished, 1000)
  const quietAt = call.now
  await call.pass(1000)
  assert.equal(call.asked.length, 1, 'the model has been asked')
  assert.equal(runs.length, 0)
  await call.pass(4000)
  assert.equal(runs.length, 1)
  const waitedMs = (runs[0] ?? 0) - quietAt
  assert.ok(waitedMs >= 1150, `${waitedMs} ms after the last sound`)
  assert.equal(call.lines.at(-1)?.text, 'Às nove.')
  await call.leaves()
})

test('tools of a discarded early reply never run', async () => {
  const { tool, runs } = agenda()
  const call = scriptedCall({
    reply: (to) => (to === unfinished ? [uses] : 'Para quando?'),
    modelMs: 100,
    tools: [tool],
  })
  await call.pass(2000)
  await call.says(unfinished, 1000)
  await call.pass(900)
  await call.says('uma consulta.', 800)
  await call.pass(5000)
  assert.deepEqual(runs, [])
  assert.equal(call.lines.at(-1)?.text, 'Para quando?')
  await call.leaves()
})

test('nothing of an early reply is played or stored before the turn is taken', async () => {
  const call = scriptedCall({ reply: () => 'Certo.', modelMs: 0 })
  await call.pass(2000)
  await call.says(unfinished, 1000)
  await call.pass(1000)
  assert.equal(call.asked.length, 1)
  assert.deepEqual(call.record(), ['agent: Olá, sou a Ana.'])
  assert.equal(call.heard.length, 1)
  await call.leaves()
})

test('at most three early replies are generated per turn', async () => {
  const call = scriptedCall({ reply: () => 'Certo.', modelMs: 100 })
  await call.pass(2000)
  for (const part of ['quero', 'saber', 'se', 'tem', 'horário']) {
    await call.says(part, 400)
    await call.pass(800)
  }
  await call.pass(4000)
  assert.deepEqual(call.questions(), ['quero', 'quero saber', 'quero saber se', 'quero saber se tem horário'])
  assert.deepEqual(call.turns(), ['quero saber se tem horário'])
  await call.says('Sim, amanhã', 700)
  await call.pass(600)
  assert.equal(call.asked.length, 5, 'the next turn has its own')
  await call.leaves()
})

test('there is no early reply after more than ten seconds of speech', async () => {
  const call = scriptedCall({ reply: () => 'Certo.', modelMs: 300 })
  await call.pass(2000)
  await call.says('Palavra '.repeat(12).trim(), 7000)
  await call.pass(500)
  await call.says('e mais palavras', 4000)
  await call.pass(900)
  assert.equal(call.asked.length, 1, 'one guess, after the first seven seconds')
  await call.pass(3000)
  const turn = call.events.find((event) => event.type === 'turn')
  assert.equal(turn && turn.firstWordAt - turn.repliedAt, 300)
  await call.leaves()
})

test('a failed early reply is generated anew when the turn is taken', async () => {
  const call = scriptedCall({ reply: (_to, turn) => (turn === 0 ? new Error('busy') : 'Certo.'), modelMs: 100 })
  await call.pass(2000)
  await call.says(unfinished, 1000)
  await call.pass(4000)
  assert.equal(call.asked.length, 2)
  assert.deepEqual(call.record().slice(1), [`caller: ${unfinished}`, 'agent: Certo.'])
  assert.deepEqual(
    call.events.filter(({ type }) => type === 'error'),
    [],
  )
  await call.leaves()
})

test('an early reply that fails after the turn was taken is a failure', async () => {
  const reply: Script['reply'] = () => [{ say: 'Temos horário. ' }, 2000, new Error('gone')]
  const call = scriptedCall({ reply, modelMs: 0 })
  await call.pass(2000)
  await call.says(unfinished, 1000)
  await call.pass(8000)
  assert.match(call.record().at(-1) ?? '', /Pode repetir/)
  assert.ok(call.heard.some(({ text }) => text === 'Temos horário.'))
  await call.leaves()
})

test('a word said over the agent gets an early reply during the pause after it', async () => {
  const long = 'Temos horários na segunda, na terça e na quarta, de manhã.'
  const call = scriptedCall({ reply: (_to, turn) => (turn === 0 ? long : 'Terça, então.'), modelMs: 300 })
  await call.pass(2000)
  await call.says('Quais horários?', 1000)
  await call.pass(2500)
  await call.says('Terça.', 200)
  await call.pass(10_000)
  const [first, second] = call.heard.slice(1)
  assert.ok(first && second?.text === 'Terça, então.')
  assert.ok(Math.abs(second.from - first.to - 400) <= 20, `${second.from - first.to} ms after the agent's last word`)
  await call.leaves()
})

test('an endless early reply is stopped when the call ends', async () => {
  let words = 0
  const endless = function* () {
    for (;;) {
      words++
      yield { say: 'palavra ' }
      yield 10
    }
  }
  const call = scriptedCall({ reply: () => endless() as unknown as ModelStep[], modelMs: 0 })
  await call.pass(2000)
  await call.says(unfinished, 1000)
  await call.pass(900)
  assert.ok(words > 0)
  await call.leaves()
  const before = words
  await call.pass(1000)
  assert.equal(words, before)
})

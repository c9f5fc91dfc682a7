// The endpointing delay adapts to this caller, and to the end-of-turn model if there is one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TurnModel } from '../../src/voice/ports.ts'
import { type Script, type ScriptedCall, scriptedCall } from './scripted-call.ts'

const unfinished = 'Eu queria marcar'

/** Time from the caller's last sound until the agent takes its turn. */
async function takesTurnAfter(call: ScriptedCall, text: string): Promise<number> {
  const before = call.events.length
  await call.says(text, 1000)
  const quietAt = call.now
  await call.pass(8000)
  const turn = call.events.slice(before).find((event) => event.type === 'turn')
  assert.ok(turn)
  return turn.repliedAt - quietAt
}

function near(ms: number, expected: number, what: string): void {
  // VAD works in steps of 32 ms on frames of 20 ms.
  assert.ok(Math.abs(ms - expected) <= 60, `${what}: ${ms} ms instead of ${expected}`)
}

/** Speaks a turn of this many parts with this pause between them. */
async function speaksWithPauses(call: ScriptedCall, parts: number, pauseMs: number): Promise<void> {
  for (let i = 0; i < parts - 1; i++) {
    await call.says('eu queria', 500)
    await call.pass(pauseMs)
  }
  await call.says('saber o preço.', 700)
  await call.pass(5000)
}

const plain: Script = { reply: () => 'Certo.', modelMs: 0 }

test('the endpointing delay grows with the first long pause of a caller', async () => {
  const call = scriptedCall(plain)
  await call.pass(2000)
  near(await takesTurnAfter(call, unfinished), 1500, 'at first')
  await call.says('eu queria', 500)
  await call.pass(1300)
  // 1.5 times the only pause.
  near(await takesTurnAfter(call, 'marcar'), 1950, 'after a pause of 1.3 s')
  await call.leaves()
})

test('a whole sentence waits longer after a hesitation, and less with each turn without one', async () => {
  const call = scriptedCall(plain)
  await call.pass(2000)
  await speaksWithPauses(call, 3, 1000)
  const whole = 'Quero marcar uma consulta.'
  for (const [i, ms] of [1000, 780, 618].entries()) near(await takesTurnAfter(call, whole), ms, `turn ${i}`)
  await call.leaves()
})

test('pauses shorter than the minimum do not change the average pause', async () => {
  const call = scriptedCall(plain)
  await call.pass(2000)
  for (let i = 0; i < 4; i++) await speaksWithPauses(call, 5, 340)
  near(await takesTurnAfter(call, unfinished), 1500, 'then')
  await call.leaves()
})

test('a caller who goes on just after the agent took its turn is given more time', async () => {
  const call = scriptedCall({ reply: () => 'Certo.', modelMs: 1500, rules: { speculate: false } })
  await call.pass(2000)
  for (let i = 0; i < 3; i++) {
    await call.says(unfinished, 1000)
    await call.pass(1600)
    await call.says('uma consulta.', 700)
    await call.pass(5000)
  }
  // Pauses of 1.6 s, after which the agent had not been heard.
  near(await takesTurnAfter(call, unfinished), 1697, 'then')
  await call.leaves()
})

test('a pause before the next question does not count as one within a turn', async () => {
  const call = scriptedCall(plain)
  await call.pass(2000)
  for (let i = 0; i < 5; i++) {
    await call.says('Que horas abre?', 1000)
    await call.pass(2400)
  }
  near(await takesTurnAfter(call, unfinished), 1500, 'then')
  await call.leaves()
})

test('the endpointing delay never exceeds the maximum pause', async () => {
  const call = scriptedCall({ ...plain, rules: { maxPauseMs: 1300 } })
  await call.pass(2000)
  for (let i = 0; i < 3; i++) await speaksWithPauses(call, 5, 1000)
  near(await takesTurnAfter(call, unfinished), 1300, 'then')
  await call.leaves()
})

type Heard = Parameters<TurnModel['endOfTurn']>[0]

/** A turn model that returns this probability that the caller has finished, and records its input. */
function sure(finished: number, heard: Heard[] = []): TurnModel {
  return {
    async endOfTurn(given) {
      heard.push(given)
      return finished
    },
  }
}

async function withModel(turnModel: TurnModel, text: string, script: Script = {}) {
  const call = scriptedCall({ ...plain, recognitionMs: 50, turnModel, ...script })
  await call.pass(2000)
  const ms = await takesTurnAfter(call, text)
  const troubles = call.events.flatMap((event) => (event.type === 'error' ? [event.stage] : []))
  await call.leaves()
  return { ms, troubles }
}

test('a confident turn model ends the turn after the minimum pause, whatever the transcript', async () => {
  near((await withModel(sure(0.98), unfinished)).ms, 400, 'no full stop')
})

test('a doubtful turn model makes the agent wait', async () => {
  near((await withModel(sure(0.5), 'Que horas abre?')).ms, 20 + 500 * Math.SQRT1_2 + 312.5, 'half sure')
  near((await withModel(sure(0.05), 'Que horas abre?')).ms, 2500, 'nearly sure that not')
})

test('a turn model slower than 150 ms is ignored', async () => {
  const late: TurnModel = {
    endOfTurn: (_heard, signal) => new Promise((_, no) => signal.addEventListener('abort', no)),
  }
  const { ms, troubles } = await withModel(late, 'Que horas abre?')
  near(ms, 450, 'by the words, and 150 ms after them at the earliest')
  assert.deepEqual(troubles, [])
  near((await withModel(late, unfinished)).ms, 1500, 'no full stop')
})

test('a failed turn model is reported, and the transcript decides', async () => {
  const broken: TurnModel = { endOfTurn: () => Promise.reject(new Error('no such file')) }
  const { ms, troubles } = await withModel(broken, unfinished)
  near(ms, 1500, 'no full stop')
  assert.deepEqual(troubles, ['turn'])
})

test('dictated digits wait even if the turn model is confident', async () => {
  near((await withModel(sure(1), 'Meu CPF é 1 2 3 4 5.')).ms, 1500, 'digits')
})

test("the turn model gets the transcript and at most 8 s of the turn's audio", async () => {
  const heard: Heard[] = []
  const call = scriptedCall({ ...plain, turnModel: sure(0, heard) })
  await call.pass(2000)
  await call.says('Eu queria', 1000)
  await call.pass(1000)
  await call.says('marcar', 800)
  await call.pass(4000)
  assert.deepEqual(
    heard.map(({ text }) => text),
    ['Eu queria', 'Eu queria marcar'],
  )
  const seconds = heard.map(({ pcm, rateHz }) => pcm.length / rateHz)
  // The utterance, 250 ms until VAD reports its end, and 200 ms of recognition.
  for (const [i, expected] of [1.45, 3.25].entries())
    assert.ok(Math.abs((seconds[i] ?? 0) - expected) < 0.1, `${seconds[i]} s instead of ${expected}`)
  await call.says('palavra '.repeat(20).trim(), 12_000)
  await call.pass(4000)
  assert.ok(Math.abs((heard.at(-1)?.pcm.length ?? 0) / 8000 - 8) < 0.05)
  await call.leaves()
})

test('a prediction for an outdated transcript is ignored', async () => {
  let answers = 0
  const slow: TurnModel = {
    endOfTurn: (_heard, signal) => call.clock.sleep(120, signal).then(() => (answers++ === 0 ? 1 : 0.5)),
  }
  const call: ScriptedCall = scriptedCall({ ...plain, turnModel: slow, recognitionMs: 200 })
  await call.pass(2000)
  await call.says(unfinished, 1000)
  await call.pass(440)
  await call.says('uma consulta', 800)
  await call.pass(5000)
  assert.equal(call.turns().length, 1)
  await call.leaves()
})

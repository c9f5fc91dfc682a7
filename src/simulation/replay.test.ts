// A call converted to a script, and the comparison of the two calls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pcmBytes, wavHeader } from '../audio/wav.ts'
import { compareTurns, similarityOf } from './compare.ts'
import { channelsOf, stepsOfRecording, stepsOfTurns } from './replay.ts'
import { scriptedVad } from './scripted-stt.ts'

const turn = (
  number: number,
  caller: string | null,
  agent: string | null,
  totalMs: number | null = null,
  isCut = false,
) => ({
  number,
  caller,
  agent,
  isCut,
  latency: { totalMs },
})

test("the caller's utterances become steps, and their interruptions are repeated", () => {
  const turns = [turn(1, null, 'Olá.'), turn(2, 'Planos?', 'Temos três', 800, true), turn(3, 'Só um.', 'Certo.', 700)]
  assert.deepEqual(stepsOfTurns(turns), [{ says: 'Planos?' }, { says: 'Só um.', interruptsAfterMs: 600 }])
  assert.deepEqual(stepsOfTurns([turn(1, 'Alô?', 'Oi.')]), [{ says: 'Alô?', afterMs: 0 }])
})

test("a recording's channels become steps: the caller's speech, pauses and interruptions", async () => {
  const samples = 8 * 20_000
  const stereo = new Int16Array(samples * 2)
  const put = (channel: number, fromMs: number, toMs: number) => {
    for (let i = fromMs * 8; i < toMs * 8; i++) stereo[2 * i + channel] = 8000
  }
  put(1, 500, 2500) // the agent opens
  put(0, 4000, 5000) // a question
  put(0, 5700, 6500) // continued after a pause
  put(1, 8000, 12_000)
  put(0, 10_000, 11_000) // an interruption
  const wav = Buffer.concat([wavHeader(8000, samples, 2), pcmBytes(stereo)])
  const steps = await stepsOfRecording(await channelsOf(wav), scriptedVad)
  assert.equal(steps.length, 3)
  const [question, more, over] = steps
  assert.deepEqual([question?.afterMs, question?.interruptsAfterMs], [undefined, undefined])
  assert.ok(Math.abs((question?.pcm?.length ?? 0) / 8 - 1400) < 100, 'his voice, a little before and after')
  assert.ok((more?.afterMs ?? 0) < 700)
  assert.ok(Math.abs((over?.interruptsAfterMs ?? 0) - 1700) < 100)
})

test('a recording with one channel cannot be replayed', async () => {
  await assert.rejects(channelsOf(Buffer.concat([wavHeader(8000, 10), Buffer.alloc(20)])))
})

test("turns are compared by the caller's words, even if one was split in two", () => {
  const before = [
    turn(1, null, 'Olá.'),
    turn(2, 'Que horas abrem?', 'Às nove.', 900),
    turn(3, 'E o endereço?', 'Rua A.', 800),
  ]
  const after = [
    turn(1, null, 'Olá.'),
    turn(2, 'Que horas', null),
    turn(3, 'abrem?', 'Às oito.', 700),
    turn(4, null, 'Mais alguma coisa?'),
    turn(5, 'E o endereço?', 'Rua A.', 600),
  ]
  const [opening, hours, place] = compareTurns(before, after)
  assert.deepEqual([opening?.isSame, opening?.similarity], [true, 1])
  assert.deepEqual([hours?.before, hours?.after, hours?.afterMs], ['Às nove.', 'Às oito. Mais alguma coisa?', 700])
  assert.ok(hours && !hours.isSame && hours.similarity > 0 && hours.similarity < 1)
  assert.deepEqual(place, {
    turn: 3,
    caller: 'E o endereço?',
    before: 'Rua A.',
    after: 'Rua A.',
    beforeMs: 800,
    afterMs: 600,
    isSame: true,
    similarity: 1,
  })
})

test('similarity is between 0 and 1', () => {
  assert.equal(similarityOf('Às nove horas.', 'as NOVE horas'), 1)
  assert.equal(similarityOf('sim', 'não'), 0)
  assert.equal(similarityOf('um dois', 'um três'), 0.5)
  assert.equal(similarityOf('', ''), 1)
})

// A rehearsal with audio: a real voice speaks the caller over a noisy line, a real recognizer transcribes it, in
// virtual time; and the replay of a recording.
// @run rest
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { joinPcm } from '../../src/audio/pcm.ts'
import { pcmBytes, wavFile, wavHeader } from '../../src/audio/wav.ts'
import { callTurns } from '../../src/features/calls/turn-store.ts'
import { assertError, startTestApp, type TestApp } from '../app.ts'
import { putCall } from '../call-rows.ts'
import { testVoices } from '../prepared-kokoro.ts'
import { models, preparedWhisper } from './hearing.ts'
import { naturalVoiceReady, openNaturalSpeech } from './natural-voice.ts'

const question = 'Que horas vocês abrem no sábado?'
const agent = {
  name: 'Clínica',
  systemPrompt: 'Você atende a clínica Vida.\n\nNo sábado abrimos das oito ao meio-dia.',
  initialSpeech: 'Clínica Vida, bom dia.',
  ttsProvider: 'provider_b',
}
/** Fixed, because the real durations depend on the machine's load. */
const timing = { recognitionMs: 300, synthesisMs: 200 }
/** Offset of the sample rate in a WAV header. */
const RATE_AT = 24
let app: TestApp
let asked: Int16Array

before(async () => {
  const voice = await openNaturalSpeech()
  asked = await voice.says(question)
  await voice.close()
  await preparedWhisper()
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-rehearsal-'))
  symlinkSync(models, join(dataDir, 'models'))
  app = await startTestApp(
    { DATA_DIR: dataDir, EMBEDDED_VOICE: 'natural' },
    { speechCache: voice.cache, naturalVoices: testVoices },
  )
  await naturalVoiceReady(app)
})

test('a caller is synthesised and recognised over noise, in virtual time', async () => {
  const { ana } = app
  const { json } = await ana.post('/api/agents', agent)
  const sound = wavFile(asked, 8000).toString('base64')
  const rehearsal = await ana.post('/api/rehearsals', {
    agentId: json.id,
    mode: 'audio',
    noiseDb: -55,
    timing,
    agentVoice: 'real',
    steps: [{ says: question }, { noise: 400 }, { says: 'the same from a file', audio: sound }, { waits: 6000 }],
    expect: [
      { heard: { contains: 'sábado', turn: 2 } },
      { said: { contains: 'ao meio-dia', turn: 2 } },
      { heard: { contains: 'sábado', turn: 3 } },
      { turnUnderMs: 2000 },
      { endReason: 'caller_hangup' },
    ],
  })
  assert.equal(rehearsal.json.status, 'passed', JSON.stringify(rehearsal.json, null, 1))
  assert.ok(rehearsal.json.turns[1].latency.totalMs > 300)
})

test('audio at an unsupported sample rate is refused at once, and at a usual one accepted', async () => {
  const { json } = await app.ana.post('/api/agents', agent)
  const rehearsed = (rateHz: number) => {
    const wav = wavFile(new Int16Array(800), 8000)
    wav.writeUInt32LE(rateHz, RATE_AT)
    const audio = wav.toString('base64')
    return app.ana.post('/api/rehearsals', { agentId: json.id, mode: 'audio', timing, steps: [{ says: 'x', audio }] })
  }
  for (const rateHz of [1, 399_999, 799_999, 7_999_999, 0xffffffff, 11_026])
    assertError(
      await rehearsed(rateHz),
      400,
      `steps[].audio must be a base64-encoded WAV file: a sample rate of ${rateHz} Hz is not supported (4000 to 192000, a multiple of 25)`,
    )
  for (const rateHz of [8000, 44_100, 191_975]) assert.equal((await rehearsed(rateHz)).status, 201)
})

test("the caller's channel of a recording is replayed", async () => {
  const { ana, database, config } = app
  const { json } = await ana.post('/api/agents', agent)
  const caller = joinPcm([new Int16Array(8000 * 3), asked, new Int16Array(8000 * 4)])
  const stereo = new Int16Array(caller.length * 2)
  for (let i = 0; i < caller.length; i++) stereo[2 * i] = caller[i] as number
  for (let i = 8000; i < 16_000; i++) stereo[2 * i + 1] = 6000 * Math.sin(i) // the agent's opening
  const call = await putCall(database.db, {
    userId: ana.userId,
    agentId: json.id,
    direction: 'inbound',
    recording: 'replayed.wav',
  })
  mkdirSync(join(config.dataDir, 'recordings'), { recursive: true })
  writeFileSync(
    join(config.dataDir, 'recordings', 'replayed.wav'),
    Buffer.concat([wavHeader(8000, caller.length, 2), pcmBytes(stereo)]),
  )
  const latency = { endOfTurnMs: 0, recognitionMs: 0, modelMs: 0, synthesisMs: 0, totalMs: 900 }
  const opening = { number: 1, at: call.startedAt, caller: null, agent: agent.initialSpeech, isCut: false, latency }
  const next = { ...opening, number: 2, caller: question, agent: 'No sábado abrimos das nove ao meio-dia.' }
  await callTurns(database.db).save(call.id, [opening, next] as never)
  const { json: replay } = await ana.post('/api/rehearsals', { replayOf: call.id, mode: 'audio', timing })
  assert.equal(replay.status, 'passed', JSON.stringify(replay))
  const [first, second] = replay.comparison
  assert.equal(first.isSame, true)
  assert.match(second.after, /das oito ao meio-dia/)
  assert.ok(second.similarity > 0.4 && second.afterMs > 300)
})

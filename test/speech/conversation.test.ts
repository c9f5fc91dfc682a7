// A whole conversation on the telephone: a real phone asks aloud, twice, the agent hears, a model stand-in answers over its real protocol,
// and what the caller heard is found in the recording.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { joinPcm } from '../../src/audio/pcm.ts'
import { resample } from '../../src/audio/resample.ts'
import { parseWavHeader, pcmBytes, pcmOf, wavHeader } from '../../src/audio/wav.ts'
import { type KokoroTts, openKokoroTts } from '../../src/speech/tts/kokoro.ts'
import { preparedKokoro } from '../../src/speech/tts/kokoro-testing.ts'
import { startTestApp } from '../app.ts'
import { smallVoice } from '../phone/likeness.ts'
import { agentOnTrunk, ended } from '../phone-app.ts'
import { startBaresip } from '../phones/baresip.ts'
import { freeSipPort } from '../phones/ports.ts'
import { until } from '../until.ts'
import { lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'

const models = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'ramal-models')
const never = new AbortController().signal
const silence = (seconds: number) => new Int16Array(8000 * seconds)
const SATURDAY = 'No sábado abrimos das oito ao meio-dia.'
const PLACE = 'Ficamos na rua das Flores, perto da praça.'
let voice: KokoroTts
let small: Awaited<ReturnType<typeof smallVoice>>

before(async () => {
  voice = await openKokoroTts(await preparedKokoro())
  small = await smallVoice()
})
after(async () => {
  await voice.close?.()
  await small.close()
})

async function spoken(text: string): Promise<Int16Array> {
  const parts: Int16Array[] = []
  for await (const { pcm, rateHz } of voice.speak(text, { voiceId: 'pm_alex', language: 'pt-BR' }, never))
    parts.push(resample(pcm, rateHz, 8000))
  return joinPcm(parts)
}

test('90 two questions by telephone get two right answers, and the record says so', async () => {
  const llm = await startLlm({
    answer: (request) => {
      const asked = lastSaid(request).toLowerCase()
      if (asked.includes('sábado')) return { say: SATURDAY }
      if (asked.includes('fica')) return { say: PLACE }
      return { say: 'Não entendi.' }
    },
  })
  after(() => llm.stop())
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-talk-'))
  symlinkSync(models, join(dataDir, 'models'))
  const sipPort = await freeSipPort()
  const env = {
    DATA_DIR: dataDir,
    SIP_PORT: String(sipPort),
    EMBEDDED_VOICE: 'small',
    LLM_BASE_URL: `${llm.url}/v1`,
    LLM_API_KEY: KEY,
    LLM_MODEL: 'stand-in',
  }
  const app = { ...(await startTestApp(env)), sipPort }

  const questions = ['Que horas vocês abrem no sábado?', 'E onde fica a clínica?']
  const [first, second] = (await Promise.all(questions.map(spoken))) as [Int16Array, Int16Array]
  const wav = joinPcm([silence(5), first, silence(8), second, silence(60)])
  const file = join(dataDir, 'caller.wav')
  writeFileSync(file, Buffer.concat([wavHeader(8000, wav.length), pcmBytes(wav)]))
  const phone = await startBaresip({ user: 'caller', says: { wav: file }, codecs: ['pcma'] })
  after(phone.stop)
  const agent = { initialSpeech: 'Clínica Vida, bom dia.', ttsProvider: 'provider_b' }
  const { number } = await agentOnTrunk(app, app.ana, phone.port, { agent })
  await phone.dial(`sip:${number}@127.0.0.1:${sipPort}`)
  await phone.next('CALL_ESTABLISHED')
  const [{ callId, conversationId }] = (await app.ana.get('/api/calls')).json
  const messages = async () => (await app.ana.get(`/api/conversations/messages/${conversationId}`)).json
  await until('the second answer was heard', async () => (await messages()).length >= 5, 60_000)
  await phone.hangUp()
  const call = await ended(app.ana, callId)
  assert.deepEqual([call.status, call.endReason], ['completed', 'caller_hangup'])

  const said = (await messages()).map(({ type, content }: { type: string; content: string }) => [type, content])
  assert.deepEqual(
    said.map(([type]: string[]) => type),
    ['agent', 'user', 'agent', 'user', 'agent'],
  )
  assert.match(said[1][1], /s[áa]bado/i)
  assert.match(said[3][1], /onde fica/i)
  assert.match(said[2][1], /oito ao meio-dia/)
  assert.match(said[4][1], /rua das Flores/)

  const agentSaid = rightChannel(readFileSync(join(dataDir, 'recordings', `${callId}.wav`)))
  const stretches = stretchesOf(agentSaid)
  assert.equal(stretches.length, 3, 'the opening and two answers')
  for (const [i, text] of [agent.initialSpeech, SATURDAY, PLACE].entries()) {
    const wanted = stretchesOf(await small.spoken(text)).reduce((sum, seconds) => sum + seconds, 0)
    const ratio = (stretches[i] ?? 0) / wanted
    assert.ok(ratio > 0.8 && ratio < 1.6, `${text}: ${stretches[i]} s instead of ${wanted} s`)
  }

  const { json: turns } = await app.ana.get(`/api/calls/${callId}/turns`)
  assert.equal(turns.length, 3)
  for (const turn of turns.slice(1)) {
    const { totalMs, recognitionMs, endOfTurnMs, modelMs, synthesisMs } = turn.latency
    const sum = recognitionMs + endOfTurnMs + modelMs + synthesisMs
    assert.ok(totalMs > 0 && Math.abs(totalMs - sum) <= 4, `${totalMs} is not the sum of its stages, ${sum}`)
  }
})

/** What the agent said, of a stereo recording. */
function rightChannel(bytes: Buffer): { pcm: Int16Array; rateHz: number } {
  const { rateHz, channels, dataAt } = parseWavHeader(bytes) ?? assert.fail('no WAV')
  assert.equal(channels, 2)
  return { pcm: pcmOf(bytes.subarray(dataAt)).filter((_, i) => i % 2 === 1), rateHz }
}

/** Seconds of sound that at least a second of quiet parts. */
function stretchesOf({ pcm, rateHz }: { pcm: Int16Array; rateHz: number }): number[] {
  const step = rateHz / 50
  const found: { from: number; to: number }[] = []
  for (let at = 0; at + step <= pcm.length; at += step) {
    if (!pcm.subarray(at, at + step).some((sample) => Math.abs(sample) > 500)) continue
    const last = found.at(-1)
    if (last && at - last.to < rateHz) last.to = at + step
    else found.push({ from: at, to: at + step })
  }
  return found.map(({ from, to }) => (to - from) / rateHz)
}

// A real call to a mailbox: a phone nobody here wrote greets at length and gives a tone; the agent leaves its message after that and hangs up.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { joinPcm } from '../../src/audio/pcm.ts'
import { parseWavHeader, pcmBytes, pcmOf, wavHeader } from '../../src/audio/wav.ts'
import { startTestApp } from '../app.ts'
import { agentOnTrunk, ended, newNumber } from '../phone-app.ts'
import { startBaresip } from '../phones/baresip.ts'
import { freeSipPort } from '../phones/ports.ts'
import { tone } from '../phones/spectrum.ts'
import { robotSpeech } from '../sounds.ts'

const RATE_HZ = 8000
const quiet = (seconds: number) => new Int16Array(RATE_HZ * seconds)
const text =
  'Você ligou para o João Carlos e eu não posso falar agora mas ligue de novo amanhã ou deixe seu recado aqui'

test('a mailbox is found out, told the message after its tone, and the record says so', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-mailbox-'))
  const sipPort = await freeSipPort()
  const app = {
    // Its words are not needed: how long it speaks tells enough.
    ...(await startTestApp({
      DATA_DIR: dataDir,
      SIP_PORT: String(sipPort),
      EMBEDDED_VOICE: 'small',
      STT_PROVIDER: 'deepgram',
      DEEPGRAM_API_KEY: 'none',
      DEEPGRAM_BASE_URL: 'http://127.0.0.1:9',
    })),
    sipPort,
  }
  const greeting = await robotSpeech(text, 'pt-br', RATE_HZ)
  const beep = tone(1000, 0.4, RATE_HZ).pcm
  const file = join(dataDir, 'mailbox.wav')
  const wav = joinPcm([quiet(0.3), greeting, quiet(0.6), beep, quiet(60)])
  writeFileSync(file, Buffer.concat([wavHeader(RATE_HZ, wav.length), pcmBytes(wav)]))
  const toNumber = newNumber()
  const phone = await startBaresip({ user: toNumber.slice(1), says: { wav: file }, codecs: ['pcma'], answer: 'auto' })
  t.after(phone.stop)
  const agent = {
    initialSpeech: 'Olá, aqui é a Ana.',
    ttsProvider: 'provider_b',
    settings: { voicemail: { action: 'message', message: 'Oi {{nome}}, ligo amanhã.' } },
  }
  const { agentId } = await agentOnTrunk(app, app.ana, phone.port, {
    agent,
    trunk: { numberFormat: { leadingPlus: false } },
    type: 'outbound',
  })
  const { json } = await app.ana.post('/api/calls/outbound', { toNumber, agentId, variables: { nome: 'João' } })
  const call = await ended(app.ana, json.callId, 40_000)
  assert.deepEqual(
    [call.status, call.endReason, call.hangupBy, call.answeredBy],
    ['completed', 'voicemail', 'agent', 'machine'],
  )
  const { json: messages } = await app.ana.get(`/api/conversations/messages/${call.conversationId}`)
  assert.deepEqual(
    messages.map(({ type, content }: { type: string; content: string }) => [type, content]),
    [['agent', 'Oi João, ligo amanhã.']],
  )
  const bytes = readFileSync(join(dataDir, 'recordings', `${call.id}.wav`))
  const { rateHz, dataAt } = parseWavHeader(bytes) ?? assert.fail('no WAV')
  const both = pcmOf(bytes.subarray(dataAt))
  const firstLoud = (channel: number, from = 0) =>
    both.findIndex((sample, i) => i % 2 === channel && i / 2 >= from && Math.abs(sample) > 500) / 2 / rateHz
  const heardFrom = firstLoud(0)
  const toneEnds = heardFrom + greeting.length / RATE_HZ + 0.6 + 0.4
  const saidFrom = firstLoud(1)
  assert.ok(saidFrom > toneEnds - 0.15 && saidFrom < toneEnds + 1.2, `said at ${saidFrom}, tone until ${toneEnds}`)
})

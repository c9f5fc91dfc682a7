// Bad lines and difficult callers, over SIP and with the embedded engines: the call stays usable, and no value counts that the caller did
// not confirm.
// @run rest, real-time, own-process
import assert from 'node:assert/strict'
import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { type Background, type Line, openLine } from '../../bench/talk/line.ts'
import { openTelephone, type Telephone, type TelephoneCall } from '../../bench/talk/phone.ts'
import { type Utterance, utteranceOf } from '../../bench/talk/utterance.ts'
import { joinPcm } from '../../src/audio/pcm.ts'
import { anAgent, atEnd, startTestApp } from '../app.ts'
import { agentOnTrunk, ended, type PhoneApp } from '../phone-app.ts'
import { freeSipPort } from '../phones/ports.ts'
import { testVoices } from '../prepared-kokoro.ts'
import { sounds } from '../sounds.ts'
import { type ChatAnswer, type ChatRequest, lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { models, preparedWhisper } from './hearing.ts'
import { naturalVoiceReady, openNaturalSpeech } from './natural-voice.ts'

const OPENING = 'Clínica Vida, bom dia. Em que posso ajudar?'
const SATURDAY = 'No sábado abrimos das oito ao meio-dia.'
const BOOKED = 'Pronto, está marcado.'
const QUESTION = 'Que horas vocês abrem no sábado?'
const BOOK = 'Quero marcar uma consulta.'
const CPF = 'Cinco dois nove, nove oito dois, dois quatro sete, dois cinco.'
const OTHER = 'E aí o vizinho comprou um carro novo e foi viajar com a família toda para a praia.'
const BOTH = 'both at once'
const STORY =
  'Eu queria explicar tudo desde o começo porque aconteceu muita coisa e eu já falei com três pessoas diferentes e ninguém resolveu e eu fui na loja e voltei'

const clean: Background = { loops: [], levelDb: 0, clipDb: 0, lossPercent: 0 }
/** The agent has finished after this much silence. */
const FINISHED_MS = 1200
const ANSWER_MS = 20_000

let app: PhoneApp
let telephone: Telephone
let number: string
const said = new Map<string, Utterance>()
const requests: ChatRequest[] = []
const confirmed: string[] = []

/** Books only what `collect` hands over as confirmed. */
function answer(request: ChatRequest): ChatAnswer {
  if (!request.messages[0]?.content?.includes(anAgent.systemPrompt)) return { say: '{"summary":""}' }
  requests.push(request)
  const last = request.messages.at(-1)
  if (last?.role === 'tool') {
    const { value } = JSON.parse(last.content ?? '{}') as { value?: string }
    if (value === undefined) return { say: 'Então vou pedir para alguém ligar.' }
    confirmed.push(value)
    return { say: BOOKED }
  }
  const asked = lastSaid(request).toLowerCase()
  if (asked.includes('marcar')) return { calls: [{ name: 'collect', args: { kind: 'cpf' } }] }
  return { say: /s[áa]bado|horas|abre/.test(asked) ? SATURDAY : 'Pode repetir a pergunta, por favor?' }
}

before(async () => {
  await preparedWhisper()
  const voice = await openNaturalSpeech()
  for (const text of [QUESTION, BOOK, CPF, STORY]) said.set(text, utteranceOf(await voice.says(text, 'male')))
  for (const text of [OPENING, SATURDAY]) await voice.says(text)
  said.set(BOTH, utteranceOf(mixed(await voice.says(OTHER, 'male'), await voice.says(QUESTION))))
  await voice.close()
  const llm = await startLlm({ answer })
  atEnd(() => llm.stop())
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-lines-'))
  symlinkSync(models, join(dataDir, 'models'))
  const sipPort = await freeSipPort()
  const env = {
    DATA_DIR: dataDir,
    SIP_PORT: String(sipPort),
    EMBEDDED_VOICE: 'natural',
    LLM_BASE_URL: `${llm.url}/v1`,
    LLM_API_KEY: KEY,
    LLM_MODEL: 'stand-in',
  }
  app = { ...(await startTestApp(env, { speechCache: voice.cache, naturalVoices: testVoices })), sipPort }
  await naturalVoiceReady(app)
  telephone = await openTelephone()
  atEnd(() => telephone.close())
  const agent = { language: 'pt-BR', initialSpeech: OPENING, ttsProvider: 'provider_b' }
  number = (await agentOnTrunk(app, app.ana, telephone.port, { agent })).number
})

const mixed = (a: Int16Array, b: Int16Array) => a.map((sample, i) => sample / 2 + (b[i] ?? 0) / 2)

type Caller = { line: Line; call: TelephoneCall; say(text: string): Promise<unknown>; hearsAgent(): Promise<void> }
type Message = { type: string; content: string }
let calls = 0

/** A call with this line; resolves with its messages. */
async function inCall(line: Background, follow: (caller: Caller) => Promise<void>): Promise<Message[]> {
  requests.length = 0
  confirmed.length = 0
  const wire = await openLine(line)
  const from = `+551197000000${calls++}`
  const call = await telephone.dial(wire, { sipPort: app.sipPort, to: number, from })
  let heardMs = 0
  try {
    await follow({
      line: wire,
      call,
      async say(text) {
        heardMs = performance.now()
        await wire.say(said.get(text) ?? assert.fail(text))
        heardMs = performance.now()
      },
      async hearsAgent() {
        const isOver = () => call.endedAtMs() !== null
        const hasSpoken = () => wire.soundAtMs > heardMs && wire.quietMs >= FINISHED_MS
        assert.ok(await wire.until(() => isOver() || hasSpoken(), ANSWER_MS), 'the agent says nothing')
        assert.equal(isOver(), false, 'the call has ended')
        heardMs = performance.now()
      },
    })
    assert.equal(call.endedAtMs(), null, 'the agent ended the call')
  } finally {
    await call.hangUp()
    wire.close()
  }
  const [{ callId, conversationId }] = (await app.ana.get('/api/calls')).json
  await ended(app.ana, callId, 30_000)
  return (await app.ana.get(`/api/conversations/messages/${conversationId}`)).json
}

const by = (messages: readonly Message[], type: string) =>
  messages.filter((one) => one.type === type).map((one) => one.content)
const callerTexts = (messages: readonly Message[]) => by(messages, 'user')

async function asksAndHears({ say, hearsAgent }: Caller): Promise<void> {
  await say(QUESTION)
  await hearsAgent()
}

for (const [name, loop] of [
  ['silence', sounds.silence?.(8000, 1)],
  ['noise', sounds['white noise']?.(8000, 1).map((sample) => sample / 10)],
] as const)
  test(`${name} alone is no answer: the agent asks whether somebody is there, and then hears the question`, async () => {
    const messages = await inCall({ ...clean, loops: [loop ?? assert.fail()] }, async (caller) => {
      await caller.hearsAgent() // the opening
      await caller.hearsAgent() // the reminder
      assert.equal(requests.length, 0, 'nothing was heard')
      await asksAndHears(caller)
    })
    assert.equal(callerTexts(messages).length, 1)
    assert.ok(by(messages, 'agent').includes(SATURDAY))
  })

test('two voices at once: whatever the agent makes of them, the caller can ask when the other one is silent', async () => {
  const messages = await inCall(clean, async (caller) => {
    await caller.hearsAgent()
    await caller.say(BOTH)
    await caller.hearsAgent()
    await asksAndHears(caller)
  })
  assert.ok(by(messages, 'agent').includes(SATURDAY))
})

test('a line that echoes the agent does not interrupt it, and no echo counts as words of the caller', async () => {
  const messages = await inCall({ ...clean, echo: { db: -12, delayMs: 160 } }, async (caller) => {
    await caller.hearsAgent()
    await asksAndHears(caller)
  })
  assert.equal(callerTexts(messages).length, 1)
  assert.ok(by(messages, 'agent').includes(OPENING) && by(messages, 'agent').includes(SATURDAY))
})

test('with 20 % of the packets lost, the question is answered', async () => {
  const messages = await inCall({ ...clean, lossPercent: 20 }, async (caller) => {
    await caller.hearsAgent()
    await asksAndHears(caller)
    await asksAndHears(caller)
  })
  assert.ok(by(messages, 'agent').includes(SATURDAY))
})

test('a caller who never pauses is interrupted politely, and heard', async () => {
  const endless = utteranceOf(joinPcm(Array.from({ length: 5 }, () => said.get(STORY)?.pcm ?? assert.fail())))
  const messages = await inCall(clean, async ({ line, hearsAgent }) => {
    await hearsAgent()
    const from = performance.now()
    const talking = line.say(endless)
    assert.ok(await line.until(() => line.soundAtMs > from, 45_000), 'the agent never speaks')
    await talking
    await hearsAgent()
  })
  assert.ok(callerTexts(messages).length >= 2, 'what they said after the interruption was heard too')
  assert.ok(!by(messages, 'agent').some((text) => text.includes('ainda está aí')))
})

test('a number that the caller did not confirm is not booked, also where a fifth of it is lost', async () => {
  for (const lossPercent of [0, 20]) {
    const messages = await inCall({ ...clean, lossPercent }, async (caller) => {
      await caller.hearsAgent()
      await caller.say(BOOK)
      await caller.hearsAgent()
      await caller.say(CPF)
      await caller.hearsAgent() // reads it back, or asks for what is missing
      await caller.hearsAgent() // and asks again
    })
    assert.deepEqual(confirmed, [])
    assert.ok(!by(messages, 'agent').includes(BOOKED))
  }
})

// Campaign calls through the voice agent: disclosure, opt-out, wrong person, call-back and voicemail, with and without
// a model.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, testApp } from '../../../test/app.ts'
import { goingOn, putCall } from '../../../test/call-rows.ts'
import { putAttempt, putCampaign, putContact } from '../../../test/campaign-rows.ts'
import { retryingWrites } from '../../base/concurrency/retrying-writes.ts'
import { createLog } from '../../base/process/log.ts'
import type { CampaignContactRow, CampaignRow } from '../../db/campaign-rows.ts'
import { createBreakers } from '../../failover/breakers.ts'
import { ruleAgent } from '../../llm/rule-agent.ts'
import type { AnsweredCall } from '../../phone/ports.ts'
import type { RulePack } from '../../rule-packs/pack.ts'
import { followScript } from '../../simulation/caller.ts'
import { scriptedAudio } from '../../simulation/caller-audio.ts'
import { createOutages } from '../../simulation/outages.ts'
import { type ScriptedUtterance, scriptedStt, scriptedVad } from '../../simulation/scripted-stt.ts'
import { scriptedTransport } from '../../simulation/scripted-transport.ts'
import { scriptedVoice } from '../../simulation/scripted-tts.ts'
import { VirtualClock } from '../../simulation/virtual-clock.ts'
import type { Llm, LlmPart, Tts } from '../../voice/ports.ts'
import { callbackStore } from '../callbacks/store.ts'
import { callbackAllows, dueCallback, finishCallback } from '../campaigns/callback-due-store.ts'
import { campaignCalls } from '../campaigns/campaign-call.ts'
import { conversationStore } from '../conversations/store.ts'
import { suppressionStore } from '../suppressions/store.ts'
import { agentStore } from './store.ts'
import { voiceAgent } from './voice-agent.ts'

const { ana, database } = await testApp()
const { db } = database
const hashNumber = (number: string) => `hash of ${number}`
const log = createLog('silent')
const suppressions = suppressionStore(db, hashNumber)
const callbacks = callbackStore(db)
const DISCLOSURE = 'Olá, aqui é Ana, assistente virtual. Esta é uma ligação automática.'

/** Permits calls from this time on; 0 permits all. */
const campaignOf = (permittedFromMs: number) =>
  campaignCalls({
    db,
    callbacks,
    suppressions,
    packOf: async () => ({ pack: {} as RulePack }),
    nextAttempt: ({ fromMs }) => ({ atMs: Math.max(fromMs, permittedFromMs), trace: {} as never }),
  })

type Reply = (said: string, tools: readonly string[]) => LlmPart[]
/** A scripted model: its reply to the person, and its words after a tool call. */
const model = (reply: Reply, prompts: string[] = []): Llm => ({
  name: 'scripted',
  isModel: true,
  async *reply(history, tools) {
    prompts.push(history[0]?.content ?? '')
    const last = history.at(-1)
    if (last?.role === 'tool') yield { say: `Depois: ${last.content} ${last.note ?? ''}`.slice(0, 400) }
    else
      yield* reply(
        last?.content ?? '',
        tools.map(({ name }) => name),
      )
  },
})

type TalkOptions = {
  llm?: Llm
  says: string[]
  agentOpens?: boolean
  agent?: object
  contact?: Partial<CampaignContactRow>
  campaign?: Partial<CampaignRow>
  isCampaign?: boolean
  permittedFromMs?: number
  number?: string
}

async function setUp({ agent = {}, contact = {}, campaign = {}, isCampaign = true, number = aNumber() }: TalkOptions) {
  const { userId } = ana
  const { id: agentId } = (await ana.post('/api/agents', { ...anAgent, name: 'Ana', language: 'pt-BR', ...agent })).json
  const { id: conversationId } = (await ana.post('/api/conversations/start', { agentId })).json
  const { id: campaignId } = await putCampaign(db, { userId, agentId, ...campaign })
  const called = await putContact(db, {
    userId,
    campaignId,
    phoneNumber: number,
    status: 'calling',
    hashNumber,
    variables: JSON.stringify({ nome: 'Carlos Silva', plano: 'Ouro' }),
    ...contact,
  })
  const attempt = await putAttempt(db, called)
  const attemptId = isCampaign ? attempt.id : null
  const call = await putCall(db, { userId, agentId, conversationId, toNumber: number, attemptId, ...goingOn })
  return { userId, agentId, conversationId, campaignId, contact: called, call, number }
}

/** Runs the call to its end; returns the suppression state at the end of the conversation. */
async function talk(options: TalkOptions) {
  const { llm, says, agentOpens = true, permittedFromMs = 0 } = options
  const scene = await setUp(options)
  const { userId, agentId, conversationId, call, number } = scene
  const clock = new VirtualClock()
  const said: ScriptedUtterance[] = []
  const audio = scriptedAudio(clock, said)
  const line = scriptedTransport(clock, audio.nextFrame)
  const speak = scriptedVoice(clock)
  const embedded = { id: 'embedded', version: '', name: 'Built-in', model: null }
  const voice = { id: 'v', name: 'v', language: 'pt-BR', gender: null, description: null }
  const tts: Tts = { name: 'script', voices: async () => [voice], speak: (text, _, signal) => speak(text, signal) }
  const ready = Promise.withResolvers<void>()
  const writes = retryingWrites({ log, prospectOf: () => 'never' })
  const { converse } = voiceAgent({
    agents: agentStore(db),
    conversations: conversationStore(db),
    callbacks,
    log,
    clock,
    speech: { vad: async () => scriptedVad, turnModel: async () => null } as never,
    linksFor: async () => ({
      llm: [
        ...(llm ? [{ id: 'prv_model', version: '1', name: 'Model', model: 'm', engine: llm }] : []),
        { ...embedded, engine: ruleAgent() },
      ],
      stt: [{ ...embedded, engine: scriptedStt(clock, said, () => 200) }],
      tts: [{ ...embedded, engine: { tts, voiceId: 'v', language: 'pt-BR' } }],
    }),
    breakers: createBreakers({ now: () => clock.now(), wallMs: () => 0, sleep: (ms, stop) => clock.sleep(ms, stop) }),
    variablesOf: async () => ({}),
    saveTurns: async () => {},
    saveAnsweredBy: async () => {},
    write: writes.write,
    campaignOf: campaignOf(permittedFromMs),
    tools: {
      forCall: async () => ({ tools: [], arrivals: [], unknown() {}, refused() {}, variables: () => ({}) }),
    },
    onReady: () => ready.resolve(),
  })
  let end: { endReason: string } | undefined
  let wasSuppressed = false
  const agent = { id: agentId, userId, name: 'Ana', isActive: true, direction: 'both' as const }
  void converse(
    {
      callId: call.id,
      conversationId,
      userId,
      direction: 'outbound',
      fromNumber: null,
      toNumber: number,
      agent: { ...agent, recording: null, maxDurationMs: null },
    } as AnsweredCall,
    line.transport,
    line.signal,
  ).then(async (ended) => {
    // The end of a call is its last write.
    await writes.write(call.id, async () => {
      wasSuppressed = (await suppressions.find(userId, [hashNumber(number)])).size > 0
    })
    end = ended
  })
  await ready.promise
  const stage = { clock, line, audio, outages: createOutages(), isListening: () => true, agentOpens }
  void followScript(
    says.map((text) => ({ says: text })),
    stage,
    { activities: [], onStep: () => {} },
  )
  await clock.passUntil(() => end !== undefined, 300_000)
  await writes.settled(call.id)
  const messages = await db
    .selectFrom('messages')
    .select(['type', 'content'])
    .where('conversationId', '=', conversationId)
    .orderBy('number')
    .execute()
  const agentSaid = messages.filter(({ type }) => type === 'agent').map(({ content }) => content)
  return { ...scene, end, wasSuppressed, agentSaid, messages }
}

const eventsOf = async (callId: string) =>
  (
    await db.selectFrom('events').select(['type', 'data']).where('callId', '=', callId).orderBy('sequence').execute()
  ).filter(({ type }) => type === 'suppression.created' || type.startsWith('callback.'))
const callbackOf = (callId: string) =>
  db.selectFrom('callbacks').selectAll().where('callId', '=', callId).executeTakeFirst()

test('without a model an opt-out is answered, stored before the call ends, and holds in every campaign', async () => {
  const number = aNumber()
  const { userId, agentId } = await setUp({ says: [] })
  const { id: campaignId } = await putCampaign(db, { userId, agentId, name: 'Another one' })
  const other = await putContact(db, { userId, campaignId, phoneNumber: number, hashNumber })
  const { end, agentSaid, wasSuppressed, call } = await talk({ number, says: ['Por favor, não me ligue mais.'] })
  assert.equal(end?.endReason, 'agent_ended')
  assert.ok(agentSaid[0]?.startsWith(DISCLOSURE), agentSaid[0])
  assert.match(agentSaid[0] ?? '', /Em que posso ajudar\?$/, 'the opening follows')
  assert.equal(agentSaid.at(-1), 'Certo, não vamos mais ligar para este número. Desculpe o incômodo. Até logo!')
  assert.ok(wasSuppressed)
  const [receipt, ...more] = await eventsOf(call.id)
  assert.deepEqual([receipt?.type, more.length], ['suppression.created', 0])
  const { suppression } = JSON.parse(receipt?.data ?? '{}')
  assert.deepEqual(
    [suppression.reason, suppression.phoneNumber, suppression.note, suppression.callId],
    ['opt_out', number, 'Por favor, não me ligue mais.', call.id],
  )
  const after = await db.selectFrom('campaignContacts').select('status').where('id', '=', other.id).executeTakeFirst()
  assert.equal(after?.status, 'suppressed')
})

test('a wrong person is recognised without a model; "not today" is neither', async () => {
  const wrong = await talk({ says: ['Não sou o Carlos, é engano.'] })
  assert.deepEqual([wrong.end?.endReason, wrong.wasSuppressed], ['agent_ended', true])
  assert.match(wrong.agentSaid.at(-1) ?? '', /^Desculpe o engano/)
  assert.equal(JSON.parse((await eventsOf(wrong.call.id))[0]?.data ?? '{}').suppression.reason, 'wrong_person')
  const later = await talk({ says: ['Não me ligue hoje.', 'Tchau.'] })
  assert.deepEqual([later.wasSuppressed, await eventsOf(later.call.id)], [false, []])
})

test('a model calls opt_out, has the last word, and the call ends; the rules do not store it twice', async () => {
  const prompts: string[] = []
  const llm = model(
    (_, tools) => [
      tools.includes('opt_out') ? { call: { id: '1', name: 'opt_out', args: { said: 'chega' } } } : { say: '?' },
    ],
    prompts,
  )
  const { end, wasSuppressed, agentSaid, call } = await talk({ llm, says: ['Não me ligue mais.'] })
  assert.deepEqual([end?.endReason, wasSuppressed], ['agent_ended', true])
  assert.match(agentSaid.at(-1) ?? '', /^Depois: .*recorded.*say goodbye/)
  assert.equal((await eventsOf(call.id)).length, 1)
  assert.match(prompts[0] ?? '', /campaign "Confirmação".*call opt_out at once.*nome: Carlos Silva/s)
  assert.match(prompts[0] ?? '', /has just asked not to be called again/)
})

test('a model that ignores the wish does not prevent it', async () => {
  const llm = model((said) => [
    { say: 'Mas temos uma oferta!', ...(said.includes('Tchau') ? { endsCall: 'agent_ended' } : {}) },
  ])
  const { wasSuppressed, end } = await talk({ llm, says: ['Tira meu número da lista.', 'Tchau.'] })
  assert.ok(end)
  assert.ok(wasSuppressed)
})

test('a model schedules a call-back; a correction replaces it, and closing it withdraws the attempt', async () => {
  let asked = 0
  const llm = model((said) =>
    said.includes('Tchau')
      ? [{ say: 'Até amanhã!', endsCall: 'agent_ended' }]
      : [{ call: { id: String(++asked), name: 'schedule_callback', args: { when: said, note: 'Plano Ouro' } } }],
  )
  const says = ['Me liga amanhã às dez.', 'Não, amanhã às onze.', 'Isso. Tchau.']
  const { agentSaid, call, userId, number } = await talk({ llm, says })
  assert.match(agentSaid[1] ?? '', /scheduled.*10:00/)
  assert.match(agentSaid[2] ?? '', /scheduled.*11:00/)
  const callback = await callbackOf(call.id)
  assert.deepEqual(
    [callback?.reason, callback?.status, callback?.phoneNumber, callback?.matter, callback?.name],
    ['requested', 'open', number, 'Plano Ouro', 'Carlos Silva'],
  )
  assert.equal(
    new Intl.DateTimeFormat('sv', { timeZone: 'America/Sao_Paulo', timeStyle: 'short' }).format(
      Date.parse(callback?.dueAt ?? ''),
    ),
    '11:00',
  )
  const due = await dueCallback(db, { userId, callId: call.id })
  assert.deepEqual(due, { dueAt: callback?.dueAt, dueReason: JSON.stringify({ callbackId: callback?.id }) })
  const contact = { userId, dueReason: due?.dueReason ?? null }
  assert.deepEqual(
    [await callbackAllows(db, contact), await callbackAllows(db, { userId, dueReason: null })],
    [true, true],
  )
  await ana.patch(`/api/callbacks/${callback?.id}`, { status: 'canceled' })
  assert.deepEqual(
    [await callbackAllows(db, contact), await dueCallback(db, { userId, callId: call.id })],
    [false, null],
  )
  await ana.patch(`/api/callbacks/${callback?.id}`, { status: 'open' })
  await db.inTransaction((trx) => finishCallback(trx, contact, callbacks))
  assert.equal((await ana.get(`/api/callbacks/${callback?.id}`)).json.status, 'done')
})

test('a time that is not permitted is moved, and the model is told', async () => {
  const permittedFromMs = Date.now() + 5 * 86_400_000
  const llm = model((said) =>
    said.includes('Tchau')
      ? [{ say: 'Até!', endsCall: 'agent_ended' }]
      : [{ call: { id: '1', name: 'schedule_callback', args: { when: 'amanhã às dez' } } }],
  )
  const { agentSaid, call } = await talk({ llm, says: ['Amanhã às dez.', 'Tchau.'], permittedFromMs })
  assert.match(agentSaid[1] ?? '', /not permitted at .*next permitted time/)
  assert.equal((await callbackOf(call.id))?.dueAt, new Date(permittedFromMs).toISOString())
})

test('without a model a call-back is scheduled by its words and said aloud', async () => {
  const { agentSaid, call, end } = await talk({
    says: ['Agora não posso, me liga mais tarde.', 'Me liga amanhã às dez da manhã.'],
  })
  assert.equal(agentSaid[1], 'Claro. Em que dia e horário podemos ligar?')
  assert.match(agentSaid[2] ?? '', /^Combinado, ligamos de volta: .*10:00\. Até logo!$/)
  assert.equal(end?.endReason, 'agent_ended')
  assert.equal((await callbackOf(call.id))?.matter, 'Me liga amanhã às dez da manhã.')
})

test('without a model somebody who answers for the person called is asked for a time, and need not repeat the request', async () => {
  const { agentSaid, call } = await talk({ says: ['Ele não está, saiu.', 'Amanhã às dez da manhã.'] })
  assert.equal(agentSaid[1], 'Claro. Em que dia e horário podemos ligar?')
  assert.match(agentSaid[2] ?? '', /^Combinado, ligamos de volta: .*10:00\. Até logo!$/)
  assert.equal((await callbackOf(call.id))?.matter, 'Amanhã às dez da manhã.')
})

const voicemail = { settings: { voicemail: { action: 'message', message: 'Ligamos amanhã.' } } }
const greeting = ['Você ligou para o Carlos, deixe seu recado após o sinal.']

test('a voicemail gets the message once: the disclosure first, and no second one later', async () => {
  const first = await talk({ says: greeting, agentOpens: false, agent: voicemail })
  assert.equal(first.end?.endReason, 'voicemail')
  assert.deepEqual(first.agentSaid, [`${DISCLOSURE} Ligamos amanhã.`])
  const contactAfter = await db
    .selectFrom('campaignContacts')
    .select('hasVoicemail')
    .where('id', '=', first.contact.id)
    .executeTakeFirst()
  assert.equal(contactAfter?.hasVoicemail, 1)
  const second = await talk({ says: greeting, agentOpens: false, agent: voicemail, contact: { hasVoicemail: 1 } })
  assert.deepEqual([second.end?.endReason, second.agentSaid], ['voicemail', []])
})

test("the words of a voicemail are nobody's wish", async () => {
  const says = ['Deixe seu recado após o sinal. Não me ligue mais, número errado.']
  const { wasSuppressed } = await talk({ says, agentOpens: false, agent: voicemail })
  assert.equal(wasSuppressed, false)
})

test("the campaign's own disclosure is said with its variables; switched off, nothing is", async () => {
  const own = JSON.stringify({ isOn: true, text: 'Aqui é o robô da Clínica Vida' })
  const spoken = await talk({ says: ['Tchau.'], campaign: { disclosure: own }, agent: { initialSpeech: 'Tudo bem?' } })
  assert.equal(spoken.agentSaid[0], 'Aqui é o robô da Clínica Vida. Tudo bem?')
  const off = JSON.stringify({ isOn: false })
  const silent = await talk({ says: ['Tchau.'], campaign: { disclosure: off }, agent: { initialSpeech: 'Tudo bem?' } })
  assert.equal(silent.agentSaid[0], 'Tudo bem?')
})

test('with a caller who speaks first, only the disclosure is said unasked', async () => {
  const { agentSaid } = await talk({ says: ['Alô?', 'Tchau.'], agent: { settings: { firstMessage: 'caller_first' } } })
  assert.equal(agentSaid[0], DISCLOSURE)
})

test('an outbound call of no campaign has none of this', async () => {
  const offered: string[] = []
  const llm = model((_, tools) => {
    offered.push(...tools)
    return [{ say: 'Certo.', endsCall: 'agent_ended' }]
  })
  const { agentSaid, wasSuppressed } = await talk({ llm, says: ['Não me ligue mais.'], isCampaign: false })
  assert.doesNotMatch(agentSaid[0] ?? '', /virtual/)
  assert.deepEqual([wasSuppressed, offered.includes('opt_out'), offered.includes('collect')], [false, false, true])
})

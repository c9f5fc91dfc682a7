// Demo data: a clinic's two weeks of agents, tools, numbers and calls.
// Used by the browser tests, the screenshots of the guide and the benchmark.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../../src/base/ids.ts'
import type { Db } from '../../src/db/database.ts'
import type { CallRow } from '../../src/db/tables.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { aCall, goingOn } from '../call-rows.ts'
import { addressOf } from '../web-caller.ts'
import { theCall } from './demo-call.ts'
import { putCampaigns } from './demo-campaign.ts'
import { putSuppressions } from './demo-suppressions.ts'

export type Demo = TestApp & {
  url: string
  key: string
  userId: string
  ids: {
    [K in
      | 'suppressionList'
      | 'agent'
      | 'call'
      | 'conversation'
      | 'tool'
      | 'trunk'
      | 'knowledge'
      | 'sheet'
      | 'widget'
      | 'rehearsal'
      | 'campaign']: string
  }
}

type Record = { id: string }
const agents = [
  {
    name: 'Recepção da Clínica Vida',
    description: 'Atende, informa horários e marca consultas',
    language: 'pt-BR',
    initialSpeech: 'Clínica Vida, bom dia! Em que posso ajudar?',
    systemPrompt:
      'Você é a Ana, recepcionista da Clínica Vida. Fale de modo breve e cordial.\nA clínica abre de segunda a sexta das 8h às 18h e no sábado das 8h ao meio-dia.\nPara marcar uma consulta, pergunte o nome, o dia e o horário, e use a agenda.\nQuem liga: {{caller}}. Unidade: {{unidade}}.',
    settings: { variables: { unidade: 'Pinheiros' }, analysis: { summary: true, success: 'A consulta foi marcada' } },
  },
  {
    name: 'Order support',
    description: 'Tells customers where their order is',
    language: 'en-US',
    initialSpeech: 'Hello, this is Sam from Northwind. How can I help?',
    systemPrompt: 'You are Sam from Northwind support. Ask for the order number and look it up.',
  },
  {
    name: 'Reservas La Plaza',
    description: 'Toma reservas de mesa',
    language: 'es-ES',
    initialSpeech: 'Restaurante La Plaza, buenas tardes.',
    systemPrompt: 'Usted atiende el restaurante La Plaza. Tome nota de día, hora, personas y nombre.',
  },
]
const tools = [
  { name: 'agenda', type: 'calendar', description: 'Agenda da clínica', requestUrl: 'https://dav.example/clinica/' },
  {
    name: 'order_status',
    type: 'api_request',
    description: 'Where an order is',
    method: 'GET',
    requestUrl: 'https://shop.example/orders/{order}',
    parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
  },
  { name: 'desligar', type: 'end_call', description: 'Encerra a chamada' },
]

const patients = [
  ['Beatriz Nunes', '+55 11 98765-4321', 'Unimed', 34],
  ['Carlos Prado', '+55 11 97654-3210', 'particular', 61],
  ['Dalva Reis', '+55 11 96543-2109', 'Bradesco', 47],
] as const

export async function startDemo(env: { [name: string]: string } = {}): Promise<Demo> {
  const app = await startTestApp({ EMBEDDED_VOICE: 'small', ...env })
  const url = await addressOf(app)
  const key = app.app.firstKey as string
  const { db } = app.database
  const { id: userId } = await db.selectFrom('users').select('id').where('name', '=', 'admin').executeTakeFirstOrThrow()
  const post = async (path: string, body: object): Promise<Record> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = (await response.json()) as Record
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer
  }

  const made = []
  for (const agent of agents) made.push(await post('/api/agents', agent))
  const agent = made[0]?.id as string
  const toolsMade = []
  for (const tool of tools) toolsMade.push(await post('/api/tools', tool))
  await post(`/api/tools/${toolsMade[0]?.id}/agents/${agent}`, {})
  const trunk = await post('/api/trunks', {
    name: 'Operadora',
    host: 'sip.operadora.example',
    authMode: 'register',
    username: 'clinica',
    password: 'a-password-of-a-trunk',
  })
  const link = { trunkId: trunk.id, trunkType: 'inbound', phoneNumber: '+551130000001', provider: 'Operadora' }
  await post(`/api/agents/${agent}/link-trunk`, link)
  await post('/api/did', { phoneNumber: '+551130000002', countryCode: '55', provider: 'Operadora' })
  const knowledge = await post('/api/knowledge-bases', { name: 'Convênios e preços', language: 'pt-BR' })
  const text = 'Aceitamos Bradesco, Unimed e SulAmérica.\n\nA consulta particular custa R$ 280.'
  await post(`/api/knowledge-bases/${knowledge.id}/documents`, {
    name: 'convenios.md',
    content: text,
    contentType: 'text/markdown',
  })
  const sheet = await post('/api/spreadsheets', {
    name: 'Pacientes',
    columns: ['Nome', 'Telefone', 'Convênio', 'Idade'],
  })
  for (const [Nome, Telefone, Convênio, Idade] of patients)
    await post(`/api/spreadsheets/${sheet.id}/rows`, { values: { Nome, Telefone, Convênio, Idade } })
  const rehearsal = await post('/api/rehearsal-scripts', {
    name: 'Horário de atendimento',
    agentId: agent,
    script: {
      steps: [{ says: 'Quando vocês abrem?' }, { says: 'Obrigada, tchau.' }],
      expect: [{ said: { contains: 'segunda a sexta' } }, { turnUnderMs: 2000 }],
    },
  })
  await post('/api/gateway/devices', { name: 'Celular da recepção', agentId: agent })
  await post('/api/webhooks', { url: 'https://crm.example/ramal', events: ['call.ended', 'call.analyzed'] })
  const widget = await post('/api/widgets', {
    agentId: agent,
    name: 'Site da clínica',
    origins: ['https://www.clinica.example'],
  })
  await post('/api/api-keys', { name: 'CRM', scopes: ['calls', 'conversations'], rateLimit: 120 })

  const story = await theCall(db, { userId, agentId: agent, toolId: toolsMade[0]?.id as string })
  mkdirSync(join(app.config.dataDir, 'recordings'), { recursive: true })
  writeFileSync(join(app.config.dataDir, 'recordings', story.file), story.wav)
  const ids = made.map(({ id }) => id)
  await putCalls(db, userId, ids, trunk.id, 160)
  const suppressionList = await putSuppressions(post, { url, key })
  const campaigns = await putCampaigns(db, { userId, agentId: agent })
  await putCallbacks(db, { userId, agentId: agent, conversationId: story.conversationId })
  await db
    .insertInto('calls')
    .values(
      aCall({
        userId,
        agentId: agent,
        direction: 'inbound',
        ...incoming(7),
        ...goingOn,
        startedAt: ago(48),
        leaseUntil: ago(-590),
      }),
    )
    .execute()
  return {
    ...app,
    url,
    key,
    userId,
    ids: {
      suppressionList,
      agent,
      call: story.callId,
      conversation: story.conversationId,
      tool: toolsMade[1]?.id as string,
      trunk: trunk.id,
      knowledge: knowledge.id,
      sheet: sheet.id,
      widget: widget.id as string,
      rehearsal: rehearsal.id,
      campaign: campaigns.paused,
    },
  }
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const incoming = (n: number) => ({
  fromNumber: `+55119${String(81_234_567 + n * 7919).slice(-8)}`,
  toNumber: '+551130000001',
})

/** Spread over two weeks, mostly in the daytime; every few calls one failed, was busy or was not answered. */
export async function putCalls(
  db: Db,
  userId: string,
  agents: string[],
  trunkId: string,
  count: number,
): Promise<void> {
  const rows: CallRow[] = []
  for (let n = 0; n < count; n++) {
    const startedMs = Date.now() - 3_600_000 - ((n * 7_753) % (14 * 1440)) * 60_000
    const seconds = 20 + ((n * 37) % 260)
    const at = (s: number) => new Date(startedMs + s * 1000).toISOString()
    const isOut = n % 4 === 0
    const end = n % 11 === 3 ? notTaken : n % 17 === 5 ? wentWrong : null
    const numbers = incoming(n)
    rows.push(
      aCall({
        id: newId('cal'),
        userId,
        agentId: agents[n % agents.length] ?? null,
        trunkId,
        direction: isOut ? 'outbound' : 'inbound',
        fromNumber: isOut ? numbers.toNumber : numbers.fromNumber,
        toNumber: isOut ? numbers.fromNumber : numbers.toNumber,
        hangupBy: n % 3 === 0 ? 'agent' : 'caller',
        startedAt: at(0),
        ringingAt: at(1),
        answeredAt: at(4),
        endedAt: at(4 + seconds),
        ...(end ? { ...end, answeredAt: null, endedAt: at(30) } : {}),
      }),
    )
  }
  for (let i = 0; i < rows.length; i += 500)
    await db
      .insertInto('calls')
      .values(rows.slice(i, i + 500))
      .execute()
}
const notTaken = { status: 'no_answer', endReason: 'no_answer', hangupBy: 'carrier', sipCode: 480 } as const
const wentWrong = {
  status: 'failed',
  endReason: 'trunk_unavailable',
  endDetail: 'The carrier answered 503 Service Unavailable',
  hangupBy: 'system',
  sipCode: 503,
} as const

/** Messages taken while no model was available. */
async function putCallbacks(db: Db, of: { userId: string; agentId: string; conversationId: string }): Promise<void> {
  const left = [
    ['Beatriz Nunes', '+5511987650001', 'Remarcar a consulta de quinta-feira', 'open', 1200],
    ['Carlos Dias', '+5511987650002', 'Segunda via da nota fiscal', 'done', 90_000],
    [null, '+5511987650003', null, 'canceled', 180_000],
  ] as const
  for (const [i, [name, phoneNumber, matter, status, seconds]] of left.entries())
    await db
      .insertInto('callbacks')
      .values({
        id: newId('cbk'),
        userId: of.userId,
        agentId: of.agentId,
        callId: null,
        conversationId: i === 0 ? of.conversationId : null,
        name,
        phoneNumber,
        matter,
        reason: 'no_model',
        status,
        note: null,
        dueAt: null,
        createdAt: ago(seconds),
        updatedAt: ago(seconds),
      })
      .execute()
}

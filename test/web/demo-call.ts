// A demo call with everything: transcript, recording, tools, turns, SIP messages and analysis.
import { pcmBytes, wavHeader } from '../../src/audio/wav.ts'
import { newId } from '../../src/base/ids.ts'
import type { Db } from '../../src/db/database.ts'
import type { TestApp } from '../app.ts'
import { aCall, putConversation, putRecording } from '../call-rows.ts'

const RATE_HZ = 8000
/** Who speaks from when to when, in seconds of the recording. */
const said = [
  ['agent', 0.3, 3.1, 'Clínica Vida, bom dia! Em que posso ajudar?'],
  ['user', 4.0, 6.4, 'Bom dia, eu queria marcar uma consulta para sábado.'],
  ['agent', 7.0, 11.2, 'Claro. No sábado temos às nove e às dez e meia. Qual prefere?'],
  ['user', 11.9, 13.6, 'Nove horas está ótimo.'],
  [
    'agent',
    15.4,
    20.8,
    'Marcado para sábado, dia 21, às nove, com a doutora Helena. Posso ajudar em mais alguma coisa?',
  ],
  ['user', 21.6, 23.0, 'Não, era só isso. Obrigada!'],
  ['agent', 23.6, 25.9, 'Eu que agradeço. Até sábado!'],
] as const
const SECONDS = 27

export async function theCall(db: Db, owner: { userId: string; agentId: string; toolId: string }) {
  const { userId, agentId, toolId } = owner
  const answeredMs = Date.now() - 20 * 60_000
  const at = (seconds: number) => new Date(answeredMs + seconds * 1000).toISOString()
  const callId = newId('cal')
  const file = `${callId}.wav`
  const analysis = {
    summary: 'A paciente marcou uma consulta com a doutora Helena para sábado, dia 21, às nove horas.',
    success: true,
    successReason: 'A consulta foi marcada na agenda.',
    fields: { dia: '2026-11-21', hora: '09:00', medica: 'Helena' },
    by: 'gpt-4o-mini',
    at: at(SECONDS + 3),
  }
  const conversation = await putConversation(db, {
    userId,
    agentId,
    status: 'ended',
    startedAt: at(0),
    endedAt: at(SECONDS),
    messageCount: said.length,
    analysis: JSON.stringify(analysis),
    analysisStatus: 'done',
  })
  await db
    .insertInto('messages')
    .values(
      said.map(([type, from, , content], i) => ({
        id: newId('msg'),
        conversationId: conversation.id,
        number: i + 1,
        type,
        content,
        timestamp: at(from),
      })),
    )
    .execute()
  await db
    .insertInto('calls')
    .values(
      aCall({
        id: callId,
        userId,
        agentId,
        conversationId: conversation.id,
        direction: 'inbound',
        fromNumber: '+5511987654321',
        toNumber: '+551130000001',
        recording: file,
        metadata: JSON.stringify({ campanha: 'retorno' }),
        startedAt: at(-4),
        ringingAt: at(-4),
        answeredAt: at(0),
        endedAt: at(SECONDS),
      }),
    )
    .execute()
  await db
    .insertInto('callTurns')
    .values({ callId, turns: JSON.stringify(turns(at)) })
    .execute()
  await db
    .insertInto('callLadders')
    .values({ callId, entries: JSON.stringify(ladder(at)) })
    .execute()
  await db
    .insertInto('toolCalls')
    .values({
      id: newId('tcl'),
      userId,
      conversationId: conversation.id,
      callId,
      toolId,
      name: 'agenda__create_event',
      arguments: JSON.stringify({ start: '2026-11-21T09:00', title: 'Consulta: Maria Souza' }),
      dedupeKey: 'demo',
      argumentsKey: 'demo',
      hasEffect: 1,
      status: 'done',
      result: 'Marcado: sábado, 21 de novembro, 9h.',
      error: null,
      variables: null,
      attempts: 1,
      startedAt: at(14.2),
      endedAt: at(15),
      durationMs: 812,
      leaseUntil: at(40),
    })
    .execute()
  return { callId, conversationId: conversation.id, file, wav: recording() }
}

/** A recorded call with a line every half second, far more than a screen shows. */
export async function putLongCall(
  demo: Pick<TestApp, 'config' | 'database'> & { userId: string; ids: { agent: string } },
) {
  const { config, userId, ids } = demo
  const { db } = demo.database
  const [lines, lineMs] = [40, 500]
  const owner = { userId, agentId: ids.agent }
  const answeredMs = Date.now() - 60_000
  const at = (line: number) => new Date(answeredMs + line * lineMs).toISOString()
  const conversation = await putConversation(db, { ...owner, status: 'ended', startedAt: at(0), endedAt: at(lines) })
  const messages = Array.from({ length: lines }, (_, i) => ({
    id: newId('msg'),
    conversationId: conversation.id,
    number: i + 1,
    type: i % 2 === 0 ? ('agent' as const) : ('user' as const),
    content: `Line ${i}`,
    timestamp: at(i),
  }))
  await db.insertInto('messages').values(messages).execute()
  const recording = 'long.wav'
  putRecording(config.dataDir, recording, (lines * lineMs * RATE_HZ) / 1000)
  const times = { startedAt: at(0), answeredAt: at(0), endedAt: at(lines) }
  const call = aCall({ ...owner, ...times, conversationId: conversation.id, recording })
  await db.insertInto('calls').values(call).execute()
  // One line with a place in the recording gives the others theirs.
  const [turn] = turns(at)
  const first = { ...turn, caller: null, agent: 'Line 0', agentFromMs: 0, agentToMs: lineMs }
  await db
    .insertInto('callTurns')
    .values({ callId: call.id, turns: JSON.stringify([first]) })
    .execute()
  return { callId: call.id, lines }
}

function turns(at: (seconds: number) => string) {
  const stages = [
    { vadMs: 60, recognitionMs: 118, endOfTurnMs: 132, modelMs: 174, toolMs: null, synthesisMs: 81, pacingMs: 12 },
    { vadMs: 60, recognitionMs: 96, endOfTurnMs: 144, modelMs: 210, toolMs: 812, synthesisMs: 88, pacingMs: 14 },
    { vadMs: 60, recognitionMs: 104, endOfTurnMs: 120, modelMs: 168, toolMs: null, synthesisMs: 79, pacingMs: 11 },
  ]
  return stages.map((stage, i) => {
    const [, callerFrom, callerTo, caller] = said[1 + 2 * i] ?? said[1]
    const [, agentFrom, agentTo, agent] = said[2 + 2 * i] ?? said[2]
    const totalMs = Object.values(stage).reduce<number>((sum, ms) => sum + (ms ?? 0), 0)
    return {
      number: i + 1,
      at: at(callerTo),
      caller,
      agent,
      isCut: false,
      callerFromMs: callerFrom * 1000,
      callerToMs: callerTo * 1000,
      agentFromMs: agentFrom * 1000,
      agentToMs: agentTo * 1000,
      latency: { ...stage, totalMs },
    }
  })
}

function ladder(at: (seconds: number) => string) {
  const lines: [number, 'in' | 'out', string][] = [
    [-4, 'in', 'INVITE sip:+551130000001@ramal'],
    [-3.99, 'out', '100 Trying (INVITE)'],
    [-3.9, 'out', '180 Ringing (INVITE)'],
    [-0.05, 'out', '200 OK (INVITE)'],
    [0, 'in', 'ACK sip:+551130000001@ramal'],
    [SECONDS, 'in', 'BYE sip:+551130000001@ramal'],
    [SECONDS + 0.01, 'out', '200 OK (BYE)'],
  ]
  return lines.map(([seconds, direction, summary]) => ({
    at: at(seconds),
    direction,
    transport: 'udp',
    remote: '203.0.113.7:5060',
    summary,
    message: `${summary}\r\nVia: SIP/2.0/UDP 203.0.113.7:5060;branch=z9hG4bK-demo\r\nCall-ID: demo@203.0.113.7\r\n\r\n`,
  }))
}

/** Not a voice, but loud and silent where the speakers talk and pause: the caller left, the agent right. */
function recording(): Buffer {
  const stereo = new Int16Array(SECONDS * RATE_HZ * 2)
  for (const [who, from, to] of said)
    for (let i = Math.round(from * RATE_HZ); i < to * RATE_HZ; i++) {
      const t = i / RATE_HZ
      const syllable = Math.max(0, Math.sin(t * 2 * Math.PI * 3.1)) * (0.55 + 0.45 * Math.sin(t * 1.7))
      const pitch = who === 'agent' ? 190 : 130
      const tone = Math.sin(2 * Math.PI * pitch * t) + 0.5 * Math.sin(2 * Math.PI * pitch * 3.01 * t)
      stereo[i * 2 + (who === 'agent' ? 1 : 0)] = Math.round(9000 * syllable * tone)
    }
  return Buffer.concat([wavHeader(RATE_HZ, stereo.length / 2, 2), pcmBytes(stereo)])
}

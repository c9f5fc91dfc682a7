// A demo campaign in the middle of its run: contacts in every state, attempts over a day, one in doubt.
import { newId } from '../../src/base/ids.ts'
import type { CampaignAttemptRow, CampaignContactRow, CampaignRow } from '../../src/db/campaign-rows.ts'
import type { Db } from '../../src/db/database.ts'

const HOUR_S = 3600
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

const names = ['Beatriz Nunes', 'Carlos Dias', 'Dalva Reis', 'Edu Prado', 'Fernanda Luz', 'Gil Moura', 'Helena Sá']
const ends = [
  ['completed', 'answered'],
  ['completed', 'answered'],
  ['waiting', 'no_answer'],
  ['completed', 'voicemail'],
  ['waiting', 'busy'],
  ['exhausted', 'no_answer'],
  ['waiting', null],
  ['exhausted', 'invalid_number'],
  ['suppressed', null],
  ['exhausted', 'failed'],
] as const

export type DemoCampaign = { campaign: string; paused: string; contact: string }

/** Paused, so that nothing dials while pages are viewed. */
export async function putCampaigns(
  db: Db,
  { userId, agentId }: { userId: string; agentId: string },
): Promise<DemoCampaign> {
  const campaign = newId('cmp')
  const paused = newId('cmp')
  await db
    .insertInto('campaigns')
    .values([
      campaignRow({ id: campaign, userId, agentId, name: 'Confirmação de consultas', status: 'completed' }),
      campaignRow({
        id: paused,
        userId,
        agentId,
        name: 'Retorno de exames',
        status: 'paused',
        statusReason: 'failure_burst',
        statusDetail: '12 of 20 attempts failed within two minutes',
      }),
      campaignRow({ id: newId('cmp'), userId, agentId, name: 'Pesquisa de satisfação', status: 'draft' }),
    ])
    .execute()
  const contacts = Array.from({ length: 60 }, (_, n) => contactRow(n, { userId, campaignId: paused }))
  await db.insertInto('campaignContacts').values(contacts).execute()
  const attempts = contacts.flatMap((contact, n) =>
    contact.outcome === null && n !== 59 ? [] : [attemptRow(contact, n)],
  )
  await db.insertInto('campaignAttempts').values(attempts).execute()
  await db
    .insertInto('campaignImports')
    .values({
      id: newId('imp'),
      userId,
      campaignId: paused,
      status: 'completed',
      error: null,
      rows: 66,
      accepted: 60,
      merged: 2,
      rejected: 3,
      suppressed: 1,
      createdAt: ago(30 * HOUR_S),
      endedAt: ago(30 * HOUR_S),
      leaseUntil: ago(29 * HOUR_S),
      firstNumber: 1,
    })
    .execute()
  return { campaign, paused, contact: contacts[0]?.id ?? '' }
}

const campaignRow = (
  row: Partial<CampaignRow> & Pick<CampaignRow, 'id' | 'userId' | 'name' | 'status'>,
): CampaignRow => ({
  agentId: null,
  statusReason: null,
  statusDetail: null,
  trunkId: null,
  deviceId: null,
  callerId: '+551130000001',
  defaultCountry: 'BR',
  rulesId: 'br-strict',
  schedule: JSON.stringify({
    startAt: null,
    endAt: null,
    windows: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }],
  }),
  pacing: JSON.stringify({ maxConcurrentCalls: 5, callsPerSecond: 1 }),
  retries: JSON.stringify({
    maxAttempts: 3,
    rules: [{ outcome: 'no_answer', times: 2, afterMinutes: 240 }],
    otherTimeOfDay: true,
  }),
  disclosure: JSON.stringify({ isOn: true, text: null }),
  predialUrl: null,
  predialSecretSealed: null,
  removedAt: null,
  columns: JSON.stringify(['nome', 'telefone', 'consulta']),
  phoneColumn: 'telefone',
  createdAt: ago(31 * HOUR_S),
  updatedAt: ago(600),
  startedAt: row.status === 'draft' ? null : ago(30 * HOUR_S),
  endedAt: row.status === 'completed' ? ago(HOUR_S) : null,
  ...row,
})

function contactRow(n: number, of: { userId: string; campaignId: string }): CampaignContactRow {
  const [status, outcome] = n === 59 ? (['in_doubt', null] as const) : (ends[n % ends.length] ?? ['waiting', null])
  const phoneNumber = `+55119${String(87_650_100 + n)}`
  return {
    id: newId('cct'),
    ...of,
    phoneNumber,
    numberHash: `demo-${n}`,
    status,
    outcome,
    variables: JSON.stringify({ nome: names[n % names.length], telefone: phoneNumber, consulta: 'quinta-feira, 9h' }),
    tries: outcome === null ? 0 : 1,
    dueAt: status === 'waiting' ? ago(-(n + 1) * 1200) : null,
    dueReason: status === 'waiting' && outcome ? JSON.stringify(decision) : null,
    hasVoicemail: outcome === 'voicemail' ? 1 : 0,
    createdAt: ago(30 * HOUR_S - n),
    updatedAt: ago(600 + n),
  }
}

const decision = {
  pack: 'br-strict',
  version: 1,
  rules: ['weekdays', 'saturday', 'per-day'],
  country: 'BR',
  regions: ['BR-SP'],
  zones: ['America/Sao_Paulo'],
  window: { date: '2026-11-17', from: '09:00', to: '18:00' },
  movedBy: ['spacing'],
}

function attemptRow(contact: CampaignContactRow, n: number): CampaignAttemptRow {
  const endedAt = ago((n % 9) * HOUR_S + n * 20 + 700)
  const isDoubt = contact.status === 'in_doubt'
  return {
    id: newId('cat'),
    userId: contact.userId,
    campaignId: contact.campaignId,
    contactId: contact.id,
    phoneNumber: contact.phoneNumber,
    numberHash: contact.numberHash,
    tryNumber: 1,
    status: isDoubt ? 'in_doubt' : 'ended',
    outcome: contact.outcome,
    detail: null,
    callerId: '+551130000001',
    callId: null,
    decision: JSON.stringify(decision),
    nodeId: null,
    leaseUntil: endedAt,
    talkSeconds: contact.outcome === 'answered' ? 20 + n : null,
    createdAt: endedAt,
    dialedAt: endedAt,
    endedAt: isDoubt ? null : endedAt,
  }
}

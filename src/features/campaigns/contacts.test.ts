// Lists of contacts: filters, search and pages; suppressed numbers; results next to each imported row.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, testApp } from '../../../test/app.ts'
import { putCall } from '../../../test/call-rows.ts'
import { readByOpenpyxl } from '../../../test/openpyxl.ts'
import { until } from '../../../test/until.ts'
import { newId } from '../../base/ids.ts'
import { now } from '../../base/time/clock.ts'
import { csvRows } from '../../csv-xlsx/csv-rows.ts'
import type { CampaignAttemptRow } from '../../db/campaign-rows.ts'

async function aCampaign(client: Client, name = 'Consultas'): Promise<{ id: string; agentId: string }> {
  const { id: agentId } = (await client.post('/api/agents', anAgent)).json
  const { json, status, text } = await client.post('/api/campaigns', { name, agentId })
  assert.equal(status, 201, text)
  return { id: json.id, agentId }
}

const begin = (client: Client, id: string, payload: string | Buffer) =>
  client.send({
    method: 'POST',
    url: `/api/campaigns/${id}/contacts`,
    headers: { 'content-type': 'text/csv' },
    payload,
  })

async function imported(client: Client, id: string, payload: string | Buffer) {
  const begun = await begin(client, id, payload)
  assert.equal(begun.status, 202, begun.text)
  return until('the import to end', async () => {
    const { json } = await client.get(`/api/campaigns/${id}/imports/${begun.json.id}`)
    return json.status !== 'running' && json
  })
}

type Listed = { id: string; phoneNumber: string; status: string; variables: Record<string, string> }
const listed = async (client: Client, id: string, query = ''): Promise<Listed[]> =>
  (await client.get(`/api/campaigns/${id}/contacts${query}`)).json
const namesOf = (contacts: Listed[]) => contacts.map(({ variables }) => variables.nome).sort()

test("one member's many lists do not keep another member's list of one row waiting", async () => {
  const { ana, bia } = await testApp()
  const lines = Array.from({ length: 4000 }, (_, i) => `Pessoa ${i},119${80_000_000 + i}`)
  const long = `nome,tel\n${lines.join('\n')}\n`
  const campaigns = await Promise.all(Array.from({ length: 6 }, () => aCampaign(ana)))
  const { id: other } = await aCampaign(bia)
  const sent = campaigns.map(({ id }) => begin(ana, id, long))
  const first = await Promise.race(sent)
  assert.equal((await imported(bia, other, 'nome,tel\nMaria,11987654321\n')).accepted, 1)
  const answers = [first, ...(await Promise.all(sent))]
  for (const { status, headers } of answers)
    if (status !== 202) assert.deepEqual([status, headers['retry-after']], [503, '5'])
  assert.ok(answers.some(({ status }) => status === 202))
  await until('all are imported', async () => {
    const imports = await Promise.all(campaigns.map(({ id }) => ana.get(`/api/campaigns/${id}/imports`)))
    return imports.every(({ json }) => json.every((each: { status: string }) => each.status === 'completed'))
  })
})

test('contacts are listed by status and outcome, searched by number and words, and read in pages', async () => {
  const { ana, database } = await testApp()
  const { id } = await aCampaign(ana)
  const count = 1200
  const lines = Array.from({ length: count }, (_, i) => `Pessoa ${i},119${80_000_000 + i},${i % 2 ? 'São' : 'Rio'}`)
  const done = await imported(ana, id, `nome,tel,cidade\n${lines.join('\n')}\n`)
  assert.equal(done.accepted, count)
  const one = async (name: string) => (await listed(ana, id, `?q=${encodeURIComponent(name)}&limit=5`))[0]?.id ?? ''
  const [busy, doubt] = [await one('Pessoa 777'), await one('Pessoa 1199')]
  const set = (contact: string, values: object) =>
    database.db.updateTable('campaignContacts').set(values).where('id', '=', contact).execute()
  await set(busy, { outcome: 'busy' })
  await set(doubt, { status: 'in_doubt', outcome: 'failed' })

  assert.deepEqual(namesOf(await listed(ana, id, '?status=in_doubt')), ['Pessoa 1199'])
  assert.equal((await listed(ana, id, '?status=waiting')).length, count - 1)
  assert.equal((await listed(ana, id, '?outcome=busy')).length, 1)
  assert.deepEqual(await listed(ana, id, '?status=completed'), [])
  assert.deepEqual(namesOf(await listed(ana, id, '?q=8000-0042')), ['Pessoa 42'])
  assert.equal((await listed(ana, id, '?q=sao')).length, count / 2)
  assert.deepEqual(namesOf(await listed(ana, id, '?q=sao%20pessoa%201101')), ['Pessoa 1101'])
  assert.deepEqual(await listed(ana, id, '?q=sao%20pessoa%20nobody'), [])

  for (const query of ['', '&q=rio', '&status=waiting']) {
    const seen = new Set<string>()
    let next: string | undefined = `/api/campaigns/${id}/contacts?limit=499${query}`
    while (next) {
      const page = await ana.get(next)
      for (const contact of page.json) seen.add(contact.id)
      next = /<([^>]+)>/.exec(String(page.headers.link ?? ''))?.[1]
    }
    assert.equal(seen.size, (await listed(ana, id, `?${query.slice(1)}`)).length, query)
  }
  const whole = (await ana.get(`/api/campaigns/${id}/contacts/${busy}`)).json
  assert.deepEqual([whole.outcome, whole.tries, whole.status, whole.dueReason], ['busy', 0, 'waiting', null])
  assertError(await ana.get(`/api/campaigns/${id}/contacts/cct_none`), 404, 'Campaign contact not found')
})

test('a suppressed number becomes a suppressed contact, which is never due', async () => {
  const { ana, database } = await testApp()
  const first = await aCampaign(ana)
  await imported(ana, first.id, 'nome,tel\nMaria,11987654321\n')
  const { numberHash } = await database.db
    .selectFrom('campaignContacts')
    .select('numberHash')
    .where('campaignId', '=', first.id)
    .executeTakeFirstOrThrow()
  await database.db
    .insertInto('suppressions')
    .values({
      id: newId('sup'),
      userId: ana.userId,
      listId: null,
      phoneNumber: null,
      numberHash,
      reason: 'opt_out',
      listVersion: 0,
      note: null,
      campaignId: null,
      callId: null,
      createdAt: now(),
    })
    .execute()
  const { id } = await aCampaign(ana)
  const done = await imported(ana, id, 'nome,tel\nMaria,+55 11 98765-4321\nAna,11987654322\nMaria,11987654321\n')
  assert.deepEqual([done.accepted, done.suppressed, done.merged, done.rejected], [1, 1, 1, 0])
  const rows = (await ana.get(`/api/campaigns/${id}/imports/${done.id}/rows?result=suppressed`)).json
  assert.deepEqual([rows.length, rows[0].reason, rows[0].number], [1, 'opt_out', 1])
  const { json: contact } = await ana.get(`/api/campaigns/${id}/contacts/${rows[0].contactId}`)
  assert.deepEqual([contact.status, contact.outcome, contact.dueAt], ['suppressed', 'suppressed', null])
})

test('contacts of a scheduled campaign are due at its start', async () => {
  const { ana, database } = await testApp()
  const { id } = await aCampaign(ana)
  const startAt = '2099-01-01T12:00:00.000Z'
  const schedule = JSON.stringify({ startAt })
  await database.db.updateTable('campaigns').set({ schedule }).where('id', '=', id).execute()
  await imported(ana, id, 'tel\n11987654321\n')
  const [contact] = (await ana.get(`/api/campaigns/${id}/contacts`)).json
  assert.equal(contact.dueAt, startAt)
})

test('in a draft nobody is due; once it runs they are', async () => {
  const { ana, database } = await testApp()
  const { id } = await aCampaign(ana)
  await imported(ana, id, 'tel\n11987654321\n')
  const [draft] = (await ana.get(`/api/campaigns/${id}/contacts`)).json
  assert.equal(draft.dueAt, null)
  assert.equal((await ana.get(`/api/campaigns/${id}/contacts/${draft.id}`)).json.dueAt, null)
  await database.db.updateTable('campaigns').set({ status: 'paused' }).where('id', '=', id).execute()
  assert.ok((await ana.get(`/api/campaigns/${id}/contacts/${draft.id}`)).json.dueAt)
  assert.ok((await ana.get(`/api/campaigns/${id}/contacts`)).json[0].dueAt)
})

test('the report names the row of the file, and numbers of services are refused with a reason of their own', async () => {
  const { ana } = await testApp()
  const { id } = await aCampaign(ana)
  const services = ['0800 123 4567', '0300 123 4567', '0900 123 4567', '4004-1234', '3003 1234', '190', '+18005551234']
  const list = `sep=;\r\nnome;tel\r\nAna;11987654321\r\n\r\n${services.map((number) => `X;${number}\r\n`).join('')}Bia;12\r\n`
  const done = await imported(ana, id, Buffer.from(`\ufeff${list}`, 'utf16le'))
  assert.deepEqual([done.accepted, done.rejected], [1, services.length + 1])
  const rows = (await ana.get(`/api/campaigns/${id}/imports/${done.id}/rows`)).json
  const seen = rows.map(({ line, number, reason }: Record<string, unknown>) => [line, number, reason])
  assert.deepEqual(seen, [
    [2, 1, null],
    ...services.map((_, i) => [i + 4, i + 2, 'number_not_callable']),
    [services.length + 4, services.length + 2, 'number_invalid'],
  ])
  const body = { rows: [{ nome: 'Caio', tel: '11987654322' }] }
  const { id: json } = (await ana.post(`/api/campaigns/${id}/contacts`, body)).json
  await until('the rows are read', async () => (await ana.get(`/api/campaigns/${id}/imports/${json}`)).json.endedAt)
  assert.equal((await ana.get(`/api/campaigns/${id}/imports/${json}/rows`)).json[0].line, null, 'of no file')
})

test('results: every imported row in order with its own columns, what came of it, and no formula', async () => {
  const { ana, database } = await testApp()
  const { db } = database
  const { id, agentId } = await aCampaign(ana, 'Cobrança "Março"/../x')
  await imported(ana, id, 'nome,tel\n"=cmd|x",11987654321\nAna,12\n')
  await imported(ana, id, 'status,tel\nvip,11987654321\nnovo,11987654322\n')
  const contact = (await listed(ana, id, '?q=987654321'))[0]
  const conversation = (await ana.post('/api/conversations/start', { agentId })).json
  const analysis = JSON.stringify({ summary: 'Confirmou.', success: true })
  await db.updateTable('conversations').set({ analysis }).where('id', '=', conversation.id).execute()
  const call = await putCall(db, {
    userId: ana.userId,
    agentId,
    conversationId: conversation.id,
    answeredBy: 'human',
  })
  const attempt = (tryNumber: number, values: Partial<CampaignAttemptRow>): CampaignAttemptRow => ({
    id: newId('cat'),
    userId: ana.userId,
    campaignId: id,
    contactId: contact?.id ?? '',
    phoneNumber: '+5511987654321',
    numberHash: 'h',
    tryNumber,
    status: 'ended',
    outcome: 'busy',
    detail: null,
    callerId: null,
    callId: null,
    decision: '{}',
    nodeId: null,
    leaseUntil: now(),
    talkSeconds: null,
    createdAt: now(),
    dialedAt: `2026-11-0${tryNumber}T12:00:00.000Z`,
    endedAt: now(),
    ...values,
  })
  await db
    .insertInto('campaignAttempts')
    .values([attempt(1, {}), attempt(2, { outcome: 'answered', callId: call.id, talkSeconds: 30 })])
    .execute()
  await db
    .updateTable('campaignContacts')
    .set({ status: 'completed', outcome: 'answered', tries: 2 })
    .where('id', '=', contact?.id ?? '')
    .execute()

  const head = [
    ...['nome', 'tel', 'status', 'import_result', 'import_reason', 'phone_number', 'status_2', 'outcome', 'tries'],
    ...['last_attempt_at', 'talk_seconds', 'answered_by', 'call_id', 'success', 'summary'],
  ]
  const called = [
    ...['+5511987654321', 'completed', 'answered', '2', '2026-11-02T12:00:00.000Z', '30', 'human'],
    ...[call.id, 'true', 'Confirmou.'],
  ]
  const nothing = Array(10).fill('')
  const expected = [
    head,
    ['=cmd|x', '11987654321', '', 'accepted', '', ...called],
    ['Ana', '12', '', 'rejected', 'number_invalid', ...nothing],
    ['', '11987654321', 'vip', 'merged', '', ...called],
    ['', '11987654322', 'novo', 'accepted', '', '+5511987654322', 'waiting', '', '0', ...Array(6).fill('')],
  ]
  const csv = await ana.get(`/api/campaigns/${id}/results`)
  assert.match(String(csv.headers['content-type']), /^text\/csv/)
  assert.match(csv.text, /\n"'=cmd\|x",/)
  const rows = [...csvRows(Buffer.from(csv.text), 'utf-8', { cellLength: 5000, cells: 50 })]
  assert.deepEqual(
    rows.map(({ cells }) => cells),
    expected,
  )
  const disposition = String(csv.headers['content-disposition'])
  assert.match(disposition, /^attachment; filename="Cobranca Marco..x.csv"; filename\*=UTF-8''Cobran%C3%A7a/)

  assertError(await ana.get(`/api/campaigns/${id}/results?format=pdf`), 400)
})

test('results as XLSX are read by another program', async () => {
  const { ana, app } = await testApp()
  const { id } = await aCampaign(ana)
  await imported(ana, id, 'nome,tel\n=1+1,11987654321\n')
  const { rawPayload } = await app.http.inject({
    method: 'GET',
    url: `/api/campaigns/${id}/results?format=xlsx`,
    headers: { 'x-api-key': ana.key },
  })
  const [, row] = await readByOpenpyxl(rawPayload)
  assert.deepEqual(row?.slice(0, 3), [
    ['s', '=1+1'],
    ['s', '11987654321'],
    ['s', 'accepted'],
  ])
})

test('results of a campaign without lists have only the names of the columns', async () => {
  const { ana } = await testApp()
  const { id } = await aCampaign(ana)
  const { text } = await ana.get(`/api/campaigns/${id}/results`)
  assert.match(text, /^\ufeffimport_result,import_reason,phone_number,/)
  assert.equal(text.trim().split('\r\n').length, 1)
})

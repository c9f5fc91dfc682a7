// Contact imports: files, rows and spreadsheets; the result of each row; rejected lists; crashes.
// @run own-process: it crashes simulated nodes, or measures memory.
// @run rest: it imports 100,000 rows; contacts.test.ts imports a few.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, startTestApp, testApp } from '../../../test/app.ts'
import { heldImports } from '../../../test/held-imports.ts'
import { writeByOpenpyxl } from '../../../test/openpyxl.ts'
import { until } from '../../../test/until.ts'
import { storeBatch } from './import-batch-store.ts'
import { importStore, MAX_ROWS } from './import-store.ts'

const CSV = 'text/csv'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

async function aCampaign(client: Client, changes: object = {}): Promise<string> {
  const { id: agentId } = (await client.post('/api/agents', anAgent)).json
  const { json, status, text } = await client.post('/api/campaigns', { name: 'Consultas', agentId, ...changes })
  assert.equal(status, 201, text)
  return json.id
}

const send = (client: Client, id: string, payload: string | Buffer, type = CSV, query = '') =>
  client.send({
    method: 'POST',
    url: `/api/campaigns/${id}/contacts${query}`,
    headers: { 'content-type': type },
    payload,
  })

async function ended(client: Client, campaignId: string, importId: string) {
  const path = `/api/campaigns/${campaignId}/imports/${importId}`
  const look = async () => {
    const { json } = await client.get(path)
    return json.status !== 'running' && json
  }
  return until('the import to end', look, 60_000)
}

async function imported(client: Client, id: string, payload: string | Buffer, type = CSV, query = '') {
  const begun = await send(client, id, payload, type, query)
  assert.equal(begun.status, 202, begun.text)
  return ended(client, id, begun.json.id)
}

const countsOf = ({ status, error, rows, accepted, merged, rejected, suppressed }: Record<string, unknown>) => ({
  status,
  error,
  rows,
  accepted,
  merged,
  rejected,
  suppressed,
})
const none = { status: 'completed', error: null, rows: 0, accepted: 0, merged: 0, rejected: 0, suppressed: 0 }

type Row = { number: number; result: string; reason: string | null; contactId: string | null; cells: object }
const rowsOf = async (client: Client, campaignId: string, importId: string, query = ''): Promise<Row[]> =>
  (await client.get(`/api/campaigns/${campaignId}/imports/${importId}/rows${query}`)).json

type Listed = { phoneNumber: string; variables: Record<string, string>; status: string; id: string }
const contactsOf = async (client: Client, id: string, query = ''): Promise<Listed[]> =>
  (await client.get(`/api/campaigns/${id}/contacts${query}`)).json

const list = `Nome completo;Telefone;Cidade
Maria;(11) 98765-4321;
João;11 98765-4321;São Paulo
Pedro;12345678;Recife
Ana;;Natal
Carla;+1 202-456-1414;
`

test('each row is accepted, merged or rejected, with the reason; columns become variables', async () => {
  const { ana, database } = await testApp()
  const id = await aCampaign(ana)
  const done = await imported(ana, id, list)
  assert.deepEqual(countsOf(done), { ...none, rows: 5, accepted: 2, merged: 1, rejected: 2 })
  assert.ok(done.endedAt >= done.createdAt)
  const rows = await rowsOf(ana, id, done.id)
  assert.deepEqual(
    rows.map(({ number, result, reason }) => [number, result, reason]),
    [
      [1, 'accepted', null],
      [2, 'merged', null],
      [3, 'rejected', 'number_invalid'],
      [4, 'rejected', 'number_empty'],
      [5, 'accepted', null],
    ],
  )
  assert.deepEqual(rows[1]?.cells, { 'Nome completo': 'João', Telefone: '11 98765-4321', Cidade: 'São Paulo' })
  assert.equal(rows[0]?.contactId, rows[1]?.contactId)
  const contacts = (await contactsOf(ana, id)).sort((a, b) => a.phoneNumber.localeCompare(b.phoneNumber))
  assert.deepEqual(
    contacts.map(({ phoneNumber, variables, status }) => [phoneNumber, variables, status]),
    [
      ['+12024561414', { Nome_completo: 'Carla', Telefone: '+1 202-456-1414' }, 'waiting'],
      ['+5511987654321', { Nome_completo: 'Maria', Telefone: '(11) 98765-4321', Cidade: 'São Paulo' }, 'waiting'],
    ],
  )
  const { json: campaign } = await ana.get(`/api/campaigns/${id}`)
  assert.deepEqual([campaign.columns, campaign.phoneColumn], [['Nome completo', 'Telefone', 'Cidade'], 'Telefone'])
  assert.deepEqual([campaign.contacts.total, campaign.contacts.waiting], [2, 2])
  const events = await database.db
    .selectFrom('events')
    .select('data')
    .where('userId', '=', ana.userId)
    .where('type', '=', 'campaign.import.completed')
    .execute()
  assert.equal(events.length, 1)
  assert.doesNotMatch(events[0]?.data ?? '', /98765/)
  assert.equal(JSON.parse(events[0]?.data ?? '').import.accepted, 2)

  assert.deepEqual(
    (await rowsOf(ana, id, done.id, '?result=rejected&limit=1')).map(({ number }) => number),
    [3],
  )
  const first = await ana.get(`/api/campaigns/${id}/imports/${done.id}/rows?limit=2`)
  const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
  assert.deepEqual(
    (await ana.get(next)).json.map(({ number }: Row) => number),
    [3, 4],
  )
})

test('the same contacts from CSV in other character sets, XLSX, JSON and a spreadsheet', async () => {
  const { ana } = await testApp()
  const xlsx = await writeByOpenpyxl(`
sheet.append(['nome', 'celular', 'ação'])
sheet.append(['João', 5511987654321, 'sim'])
`)
  const csv = 'nome,celular,ação\r\nJoão,5511987654321,sim\r\n'
  const rows = [{ nome: 'João', celular: 5511987654321, ação: 'sim' }]
  const sheet = await ana.post('/api/spreadsheets', { name: 'x', columns: ['nome', 'celular', 'ação'] })
  await ana.post(`/api/spreadsheets/${sheet.json.id}/rows`, { values: rows[0] })
  const forms: [string | Buffer, string][] = [
    [csv, CSV],
    [Buffer.from(csv, 'latin1'), CSV],
    [Buffer.from(csv, 'latin1'), `${CSV}; charset=iso-8859-1`],
    [Buffer.from(`\ufeff${csv}`, 'utf16le'), CSV],
    [csv.replaceAll(',', '\t'), CSV],
    [xlsx, XLSX],
    [JSON.stringify({ rows }), 'application/json'],
    [JSON.stringify({ spreadsheetId: sheet.json.id, phoneColumn: 'CELULAR' }), 'application/json'],
  ]
  for (const [payload, type] of forms) {
    const id = await aCampaign(ana)
    assert.deepEqual(countsOf(await imported(ana, id, payload, type)), { ...none, rows: 1, accepted: 1 }, type)
    const [contact] = await contactsOf(ana, id)
    assert.deepEqual(
      [contact?.phoneNumber, contact?.variables],
      ['+5511987654321', { nome: 'João', celular: '5511987654321', ação: 'sim' }],
      type,
    )
  }
})

test('a second list adds columns and rows, and is merged with the first', async () => {
  const { ana } = await testApp()
  const id = await aCampaign(ana, { defaultCountry: 'AR', rulesId: 'international' })
  const first = await imported(ana, id, 'nombre,tel\nLuz,+5511987654321\nEva,+5511987654322\n')
  const second = await imported(ana, id, 'Edad,TEL,Nombre\n40,+5511987654321,Otra\n50,+5511987654323,Sol\n')
  assert.deepEqual(countsOf(second), { ...none, rows: 2, accepted: 1, merged: 1 })
  assert.deepEqual((await ana.get(`/api/campaigns/${id}`)).json.columns, ['nombre', 'tel', 'Edad'])
  const byNumber = Object.fromEntries((await contactsOf(ana, id)).map((one) => [one.phoneNumber, one.variables]))
  assert.deepEqual(byNumber['+5511987654321'], { nombre: 'Luz', tel: '+5511987654321', Edad: '40' })
  assert.deepEqual(byNumber['+5511987654323'], { nombre: 'Sol', tel: '+5511987654323', Edad: '50' })
  assert.deepEqual((await rowsOf(ana, id, second.id))[1]?.cells, { nombre: 'Sol', tel: '+5511987654323', Edad: '50' })
  assert.deepEqual(
    (await rowsOf(ana, id, first.id)).map(({ number, cells }) => [number, cells]),
    [
      [1, { nombre: 'Luz', tel: '+5511987654321' }],
      [2, { nombre: 'Eva', tel: '+5511987654322' }],
    ],
  )
  const imports = (await ana.get(`/api/campaigns/${id}/imports`)).json
  assert.deepEqual(
    imports.map((one: { id: string }) => one.id),
    [second.id, first.id],
  )
})

test('the column with the numbers is found by name and contents, or refused', async () => {
  const { ana } = await testApp()
  const found: [string, string][] = [
    ['Número;Fone contato\n12;11987654321', 'Fone contato'],
    ['nome;x\nAna;11987654321\nBia;11987654322', 'x'],
    ['cpf,WhatsApp do cliente\n12345678901,(21) 99999-8888', 'WhatsApp do cliente'],
    ['nome;número de telefone\nAna;1', 'número de telefone'],
  ]
  for (const [csv, column] of found) {
    const id = await aCampaign(ana)
    await imported(ana, id, csv)
    assert.equal((await ana.get(`/api/campaigns/${id}`)).json.phoneColumn, column)
  }
  const id = await aCampaign(ana)
  assertError(await send(ana, id, 'nome;idade\nAna;40'), 400, 'phoneColumn: no column of the list holds phone numbers')
  const unknown = await send(ana, id, list, CSV, '?phoneColumn=celular')
  assertError(unknown, 400, 'phoneColumn: the list has no column celular; it has Nome completo, Telefone, Cidade')
  assert.deepEqual((await ana.get(`/api/campaigns/${id}/imports`)).json, [])
  assert.deepEqual((await ana.get(`/api/campaigns/${id}`)).json.columns, [])
  const asked = await imported(ana, id, 'a;b\n11987654321;11987654322', CSV, '?phoneColumn=B')
  assert.equal(asked.accepted, 1)
  assert.equal((await contactsOf(ana, id))[0]?.phoneNumber, '+5511987654322')
})

test('lists that cannot be read are refused, and nothing is stored', async () => {
  const { ana } = await testApp()
  const id = await aCampaign(ana)
  const wide = Array.from({ length: 101 }, (_, i) => `c${i}`).join(',')
  const wrong: [string | Buffer, string, number, RegExp][] = [
    ['', CSV, 400, /body/i],
    [' \n \n', CSV, 400, /empty/],
    ['11987654321;Ana\n11987654322;Bia', CSV, 400, /no first row with the names/],
    ['nome;telefone\n', CSV, 400, /no rows/],
    ['nome;nome;tel\na;b;11987654321', CSV, 400, /Two columns are called nome/],
    [`${wide},tel\n1`, CSV, 400, /no more than 100 columns/],
    [`${'x'.repeat(101)},tel\n1,2`, CSV, 400, /100 characters/],
    ['nome;tel\n"Ana;11987654321', CSV, 400, /quote/],
    [Buffer.from([0xff, 0x3b, 0x61]), `${CSV}; charset=utf-8`, 400, /not in utf-8/],
    ['a', `${CSV}; charset=klingon`, 415, /charset/],
    ['PK nothing', XLSX, 400, /not a valid XLSX/],
    ['nome', 'text/plain', 415, /./],
    ['{}', 'application/json', 400, /one of rows and spreadsheetId/],
    ['{"rows":[{"tel":"1"}],"spreadsheetId":"sht_x"}', 'application/json', 400, /one of rows and spreadsheetId/],
    ['{"rows":[]}', 'application/json', 400, /rows/],
    ['{"rows":[{"tel":{}}]}', 'application/json', 400, /rows/],
    ['{"spreadsheetId":"sht_none"}', 'application/json', 404, /Spreadsheet not found/],
  ]
  for (const [payload, type, status, message] of wrong) assertError(await send(ana, id, payload, type), status, message)
  assert.deepEqual((await ana.get(`/api/campaigns/${id}/imports`)).json, [])
  assert.equal((await ana.get(`/api/campaigns/${id}`)).json.contacts.total, 0)
})

test('rows that are too long, and numbers that the platform does not dial, are rejected', async () => {
  const { ana } = await startTestApp({ DENIED_PREFIXES: '+5511988' })
  const id = await aCampaign(ana)
  const done = await imported(
    ...([ana, id] as const),
    [
      'nome;tel;a;b;c;d;e;f',
      `${'x'.repeat(2001)};11987654321`,
      `Ana;11987654322;${'y'.repeat(1999)};${`${'z'.repeat(1999)};`.repeat(5)}`,
      `Ana;11987654323;;;;;;;`,
      `Ana;11987654324;;;;;;;one more`,
      'Ana;11988654321',
      `"Ana\u0007 \nB";11987654326`,
    ].join('\n'),
  )
  assert.deepEqual(
    (await rowsOf(ana, id, done.id)).map(({ reason }) => reason),
    ['row_too_long', 'row_too_long', null, 'row_too_long', 'number_denied', null],
  )
  assert.equal((await contactsOf(ana, id, '?q=87654326'))[0]?.variables.nome, 'Ana B')
})

test('the limit of a list is its own', async () => {
  const { ana } = await startTestApp({ MAX_LIST_MB: '11' })
  const id = await aCampaign(ana)
  const line = `Ana;11987654321;${'x'.repeat(1000)}\n`
  const large = `nome;tel;nota\n${line.repeat(10_700)}`
  assert.ok(large.length > 10_485_760)
  assert.deepEqual(countsOf(await imported(ana, id, large)), { ...none, rows: 10_700, accepted: 1, merged: 10_699 })
  assertError(await send(ana, id, large.repeat(2)), 413, /11534336/)
})

test("another user's campaign, import and spreadsheet are not found", async () => {
  const { ana, bia } = await testApp()
  const [hers, his] = [await aCampaign(ana), await aCampaign(bia)]
  const done = await imported(ana, hers, list)
  const [contact] = await contactsOf(ana, hers)
  const sheet = await ana.post('/api/spreadsheets', { name: 'x', columns: ['tel'] })
  assertError(await send(bia, hers, list), 404, 'Campaign not found')
  assertError(await bia.post(`/api/campaigns/${his}/contacts`, { spreadsheetId: sheet.json.id }), 404)
  for (const path of [
    `${hers}/imports`,
    `${hers}/imports/${done.id}`,
    `${his}/imports/${done.id}`,
    `${his}/imports/${done.id}/rows`,
    `${hers}/contacts`,
    `${his}/contacts/${contact?.id}`,
    `${hers}/results`,
  ])
    assertError(await bia.get(`/api/campaigns/${path}`), 404)
})

test('one import at a time, and none once the campaign has ended; a repeated key imports once', async () => {
  const { ana, database } = await testApp()
  const id = await aCampaign(ana)
  const { begin, release } = heldImports(database.db)
  const answers = await Promise.allSettled([begin(ana.userId, id), begin(ana.userId, id)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assertError(await send(ana, id, list), 409, 'A list of this campaign is being imported')
  release()
  for (const begun of (await ana.get(`/api/campaigns/${id}/imports`)).json) await ended(ana, id, begun.id)

  const again = () =>
    ana.send({
      method: 'POST',
      url: `/api/campaigns/${id}/contacts`,
      payload: list,
      headers: { 'content-type': CSV, 'idempotency-key': 'one' },
    })
  const first = await again()
  await ended(ana, id, first.json.id)
  assert.equal((await again()).json.id, first.json.id)
  assert.equal((await ana.get(`/api/campaigns/${id}/imports`)).json.length, 2)

  await database.db.updateTable('campaigns').set({ status: 'canceled' }).where('id', '=', id).execute()
  assertError(await send(ana, id, list), 409, 'This campaign is canceled')
})

test('an import whose process crashed is marked as failed, keeps its rows, and can be repeated', async () => {
  const { ana, database } = await testApp()
  const { db } = database
  const id = await aCampaign(ana)
  const store = importStore(db)
  const open = await store.open(ana.userId, id, { columns: ['tel'], phoneColumn: 'tel' })
  const row = { line: null, cells: ['11987654321'], variables: {}, number: '+5511987654321', hash: 'h1' }
  const store1 = () => storeBatch(db, async () => new Map(), { ...open, rows: [row] })
  assert.equal(await store1(), true)
  await store.expire()
  assert.equal((await store.get(ana.userId, id, open.row.id)).status, 'running', 'its lease holds')
  await db
    .updateTable('campaignImports')
    .set({ leaseUntil: '2020-01-01T00:00:00.000Z' })
    .where('id', '=', open.row.id)
    .execute()
  await store.expire()
  const failed = (await ana.get(`/api/campaigns/${id}/imports/${open.row.id}`)).json
  assert.deepEqual([failed.status, failed.rows, failed.accepted], ['failed', 1, 1])
  assert.match(failed.error, /ended before it was done.*import the list again/)
  assert.equal(await store1(), false, 'a process that lost its lease stores nothing')
  await store.finish(open.row, null)
  assert.equal((await store.get(ana.userId, id, open.row.id)).status, 'failed')
  assert.equal((await contactsOf(ana, id)).length, 1)
  const repeated = await imported(ana, id, 'tel\n11987654322\n')
  assert.equal(repeated.accepted, 1)
})

test('the rows of a full campaign are refused', async () => {
  const { ana, database } = await testApp()
  const id = await aCampaign(ana)
  await imported(ana, id, 'tel\n11987654321\n')
  await database.db
    .updateTable('campaignListRows')
    .set({ number: MAX_ROWS - 1 })
    .where('campaignId', '=', id)
    .execute()
  const over = await imported(ana, id, 'tel\n11987654322\n11987654323\n')
  assert.deepEqual([over.status, over.rows], ['failed', 0])
  assert.match(over.error, /No more than 200000 contacts/)
  await database.db.updateTable('campaignListRows').set({ number: MAX_ROWS }).where('campaignId', '=', id).execute()
  assertError(await send(ana, id, 'tel\n11987654322\n'), 409, /No more than 200000/)
})

test('a process that stops ends its imports and says so', async () => {
  const { ana, database } = await testApp()
  const id = await aCampaign(ana)
  const { imports, stop, begin, release } = heldImports(database.db)
  const begun = await begin(ana.userId, id)
  await until('the first batch', async () => (await imports.get(ana.userId, id, begun.id)).rows === 1)
  const stopped = stop()
  release()
  await stopped
  const { status, error, rows } = await imports.get(ana.userId, id, begun.id)
  assert.deepEqual([status, rows], ['failed', 1])
  assert.match(error ?? '', /The server was stopped/)
})

test('20,000 rows: progress is seen, and the process holds no more than a batch of them', async () => {
  const { ana } = await testApp()
  const id = await aCampaign(ana)
  const count = 20_000
  const note = 'x'.repeat(400)
  const many = Array.from({ length: count }, (_, i) => `Pessoa ${i};119${80_000_000 + i};${note}`).join('\n')
  const begun = await send(ana, id, `nome;telefone;nota\n${many}`)
  assert.equal(begun.status, 202, begun.text)
  const seen = new Set<number>()
  let peak = 0
  const before = process.memoryUsage().heapUsed
  const done = await until(
    'the import to end',
    async () => {
      const { json } = await ana.get(`/api/campaigns/${id}/imports/${begun.json.id}`)
      seen.add(json.rows)
      peak = Math.max(peak, process.memoryUsage().heapUsed)
      return json.status !== 'running' && json
    },
    120_000,
  )
  assert.deepEqual(countsOf(done), { ...none, rows: count, accepted: count })
  assert.ok(seen.size > 3, `progress: ${[...seen].join(', ')}`)
  assert.ok(peak - before < 250 * 1_048_576, `${peak - before} bytes of heap`)
  assert.equal((await ana.get(`/api/campaigns/${id}`)).json.contacts.waiting, count)
})

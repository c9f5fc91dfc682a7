// Spreadsheets through the API: single rows, concurrent changes, and files.
// @run rest-nodes
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client, testApp } from '../../../test/app.ts'
import { readByOpenpyxl, writeByOpenpyxl } from '../../../test/openpyxl.ts'
import { spreadsheetStore } from './store.ts'

const CSV = 'text/csv'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

async function aSheet(client: Client, columns = ['Nome', 'Telefone', 'Idade']): Promise<string> {
  const { json, status, text } = await client.post('/api/spreadsheets', { name: 'Clientes São Paulo', columns })
  assert.equal(status, 201, text)
  return json.id
}

const put = (client: Client, id: string, payload: string | Buffer, type = CSV) =>
  client.send({ method: 'PUT', url: `/api/spreadsheets/${id}/content`, headers: { 'content-type': type }, payload })

const valuesOf = async (client: Client, id: string) =>
  (await client.get(`/api/spreadsheets/${id}/rows`)).json.map((row: { values: unknown }) => row.values)

test('a spreadsheet is created, read, renamed, listed and deleted', async () => {
  const { ana } = await testApp()
  const made = await ana.post('/api/spreadsheets', { name: 'Clientes', columns: [' Nome ', 'Idade'] })
  assert.equal(made.status, 201)
  const { id, createdAt, updatedAt, ...rest } = made.json
  assert.match(id, /^sht_/)
  assert.deepEqual(rest, { name: 'Clientes', columns: ['Nome', 'Idade'], rowCount: 0 })
  assert.equal(createdAt, updatedAt)
  const renamed = await ana.patch(`/api/spreadsheets/${id}`, { name: 'Pessoas' })
  assert.equal(renamed.json.name, 'Pessoas')
  assert.ok(renamed.json.updatedAt > updatedAt)
  assert.deepEqual((await ana.patch(`/api/spreadsheets/${id}`, {})).json, renamed.json)
  assert.deepEqual((await ana.get('/api/spreadsheets')).json, [renamed.json])
  await ana.post(`/api/spreadsheets/${id}/rows`, { values: { Nome: 'Ana' } })
  const removed = await ana.delete(`/api/spreadsheets/${id}`)
  assert.equal(removed.status, 200)
  assert.equal(removed.json.rowCount, 1)
  assertError(await ana.get(`/api/spreadsheets/${id}/rows`), 404, 'Spreadsheet not found')
})

test('ambiguous or empty column names are rejected', async () => {
  const { ana } = await testApp()
  const wrong: [unknown, RegExp][] = [
    [[], /columns must NOT have fewer than 1 items/],
    [['a', ' '], /columns.1 must not be empty/],
    [['Nome', 'NOME'], /Two columns are called NOME/],
    [['São', 'sao'], /Two columns/],
    [['a\u0007b'], /cannot be stored/],
    [['__proto__'], /__proto__/],
    [Array.from({ length: 201 }, (_, i) => `c${i}`), /more than 200 items/],
    [['x'.repeat(256)], /255 characters/],
  ]
  for (const [columns, message] of wrong)
    assertError(await ana.post('/api/spreadsheets', { name: 'x', columns }), 400, message)
})

test('rows are added, changed and removed, in order; types are preserved', async () => {
  const { ana } = await testApp()
  const id = await aSheet(ana)
  const url = `/api/spreadsheets/${id}/rows`
  const first = await ana.post(url, { values: { Nome: 'João', Idade: 42, Telefone: '' } })
  assert.equal(first.status, 201)
  assert.deepEqual(first.json.values, { Nome: 'João', Telefone: null, Idade: 42 })
  assert.equal(first.json.number, 1)
  const second = (await ana.post(url, { values: { Nome: 'constructor', Idade: true } })).json
  const changed = await ana.patch(`${url}/${first.json.id}`, { values: { Telefone: '+5511987654321', Idade: null } })
  assert.deepEqual(changed.json.values, { Nome: 'João', Telefone: '+5511987654321', Idade: null })
  assert.ok(changed.json.updatedAt > first.json.updatedAt)
  assert.equal((await ana.get(`/api/spreadsheets/${id}`)).json.rowCount, 2)
  assert.deepEqual((await ana.delete(`${url}/${first.json.id}`)).json, changed.json)
  assertError(await ana.delete(`${url}/${first.json.id}`), 404, 'Row not found')
  assert.deepEqual((await ana.get(url)).json, [second])
  assert.equal((await ana.get(`/api/spreadsheets/${id}`)).json.rowCount, 1)
  const third = (await ana.post(url, { values: {} })).json
  assert.equal(third.number, 3, 'a number is never given twice')
})

test('a value for an unknown column is rejected, and the columns are named', async () => {
  const { ana } = await testApp()
  const id = await aSheet(ana)
  const url = `/api/spreadsheets/${id}/rows`
  const refused = await ana.post(url, { values: { Nome: 'x', Cidade: 'y' } })
  assertError(refused, 400, 'values: there is no column Cidade; there are: Nome, Telefone, Idade')
  assertError(await ana.post(url, { values: { constructor: 'x' } }), 400, /no column constructor/)
  assertError(await ana.post(url, { values: { Nome: 'x'.repeat(5001) } }), 400)
  assertError(await ana.post(url, { values: { Nome: ['x'] } }), 400)
  assert.deepEqual(await valuesOf(ana, id), [])
  const wide = await aSheet(
    ana,
    Array.from({ length: 11 }, (_, i) => `c${i}`),
  )
  const full = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`c${i}`, 'x'.repeat(5000)]))
  assertError(await ana.post(`/api/spreadsheets/${wide}/rows`, { values: full }), 400, /more than 50000 characters/)
})

test('28 rows are paginated, and an invalid cursor is rejected', async () => {
  const { ana } = await testApp()
  const id = await aSheet(ana)
  const lines = Array.from({ length: 450 }, (_, i) => `n${i};${i};${i}`)
  assert.equal((await put(ana, id, `Nome;Telefone;Idade\n${lines.join('\n')}`)).json.rowCount, 450)
  const whole = (await ana.get(`/api/spreadsheets/${id}/rows`)).json
  assert.deepEqual(
    whole.map((row: { values: { Idade: number } }) => row.values.Idade),
    Array.from({ length: 450 }, (_, i) => i),
  )
  const paged: unknown[] = []
  let next: string | undefined = `/api/spreadsheets/${id}/rows?limit=200`
  while (next) {
    const { json, headers }: Awaited<ReturnType<Client['get']>> = await ana.get(next)
    paged.push(...json)
    next = /<([^>]+)>/.exec(String(headers.link ?? ''))?.[1]
  }
  assert.deepEqual(paged, whole)
  const cursor = (at: unknown) => Buffer.from(JSON.stringify([at, 'x'])).toString('base64url')
  for (const at of ['x', '-1', '1e30', '1.5'])
    assertError(await ana.get(`/api/spreadsheets/${id}/rows?limit=5&cursor=${cursor(at)}`), 400, /cursor/)
})

test('fifty rows added concurrently are fifty rows: none is lost or duplicated', async () => {
  const { ana } = await testApp()
  const id = await aSheet(ana)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      ana.post(`/api/spreadsheets/${id}/rows`, { values: { Nome: `n${i}`, Idade: i } }),
    ),
  )
  assert.ok(answers.every(({ status }) => status === 201))
  const rows = (await ana.get(`/api/spreadsheets/${id}/rows`)).json as { number: number; values: { Nome: string } }[]
  assert.equal(rows.length, 50)
  assert.equal(new Set(rows.map(({ values }) => values.Nome)).size, 50)
  assert.deepEqual(
    rows.map(({ number }) => number),
    Array.from({ length: 50 }, (_, i) => i + 1),
  )
  assert.equal((await ana.get(`/api/spreadsheets/${id}`)).json.rowCount, 50)
})

test('the row count stays exact under concurrent adds, changes, removals and replacements', async () => {
  const { ana } = await testApp()
  const id = await aSheet(ana)
  const url = `/api/spreadsheets/${id}/rows`
  const first = await Promise.all(Array.from({ length: 10 }, () => ana.post(url, { values: { Nome: 'a' } })))
  await Promise.all([
    ...first.map(({ json }, i) =>
      i % 2 ? ana.delete(`${url}/${json.id}`) : ana.patch(`${url}/${json.id}`, { values: { Idade: i } }),
    ),
    put(ana, id, 'Nome,Telefone,Idade\nx,y,1\nz,w,2\n'),
    ...Array.from({ length: 10 }, () => ana.post(url, { values: { Nome: 'b' } })),
  ])
  const rows = (await ana.get(url)).json
  assert.equal((await ana.get(`/api/spreadsheets/${id}`)).json.rowCount, rows.length)
  assert.ok(rows.length >= 2)
})

test('a repeated tool call adds one row only, and the row it changed is known', async () => {
  const { ana, database } = await testApp()
  const id = await aSheet(ana)
  const store = spreadsheetStore(database.db)
  const add = () => store.addRow(ana.userId, id, { Nome: 'Ana' }, 'tcl_1')
  const rows = await Promise.all(Array.from({ length: 10 }, add))
  assert.equal(new Set(rows.map((row) => row.id)).size, 1)
  assert.deepEqual(await valuesOf(ana, id), [{ Nome: 'Ana', Telefone: null, Idade: null }])
  const number = rows[0]?.number ?? 0
  assert.equal(await store.rowChangedBy(ana.userId, id, 'tcl_2'), null)
  const changed = await store.changeRow(ana.userId, id, { number }, { Idade: 1 }, 'tcl_2')
  assert.deepEqual(await store.rowChangedBy(ana.userId, id, 'tcl_2'), changed)
  assert.equal(await store.rowChangedBy('usr_other', id, 'tcl_2'), null)
  await assert.rejects(store.addRow('usr_other', id, {}, 'tcl_3'), { kind: 'not_found' })
})

test('search ignores case, accents and number format; whole values come first', async () => {
  const { ana, database } = await testApp()
  const id = await aSheet(ana)
  const csv = `Nome;Telefone;Idade
João da Silva;+55 (11) 98765-4321;42
JOAO;11 3333-4444;421
Maria 100%;;42
Ana_Paula;;7
AnaXPaula;;8`
  await put(ana, id, csv)
  const { findRows } = spreadsheetStore(database.db)
  const names = async (value: string | number, columns: string[] | null = null, limit = 10) =>
    (await findRows(ana.userId, id, { value, columns, limit })).map(({ values }) => values.Nome)
  assert.deepEqual(await names('joão'), ['JOAO', 'João da Silva'])
  assert.deepEqual(await names('5511987654321'), ['João da Silva'])
  assert.deepEqual(await names('987654321'), ['João da Silva'])
  assert.deepEqual(await names('(11) 3333 4444'), ['JOAO'])
  assert.deepEqual(await names(42), ['João da Silva', 'Maria 100%', 'JOAO'])
  assert.deepEqual(await names('42', ['Idade']), ['João da Silva', 'Maria 100%', 'JOAO'])
  assert.deepEqual(await names('42', ['Nome']), [])
  assert.deepEqual(await names('%'), ['Maria 100%'])
  assert.deepEqual(await names('a_p'), ['Ana_Paula'])
  assert.deepEqual(await names('a', null, 2), ['João da Silva', 'JOAO', 'Maria 100%'], 'one more than the limit')
  assert.deepEqual(await names(''), [])
  assert.deepEqual(await names('1', ['Nome', 'Idade']), ['JOAO', 'Maria 100%'], 'the numbers of columns are not found')
  await assert.rejects(findRows('usr_other', id, { value: 'a', columns: null, limit: 1 }), { kind: 'not_found' })
})

test('a file replaces the rows and the columns, or changes nothing', async () => {
  const { ana } = await testApp()
  const id = await aSheet(ana)
  await ana.post(`/api/spreadsheets/${id}/rows`, { values: { Nome: 'old' } })
  const replaced = await put(ana, id, 'Cidade,População\nSão Paulo,12000\n')
  assert.equal(replaced.status, 200, replaced.text)
  assert.deepEqual(replaced.json.columns, ['Cidade', 'População'])
  assert.equal(replaced.json.rowCount, 1)
  const wrong: [string | Buffer, string, number, RegExp][] = [
    ['', CSV, 400, /body is missing/],
    ['\n\n', CSV, 400, /file is empty/],
    ['a,a\n1,2', CSV, 400, /Two columns are called a/],
    ['a,b\n"x,1', CSV, 400, /quote that is not closed/],
    ['a,b\nx\0,1', CSV, 400, /NUL/],
    [`a\n${'x'.repeat(5001)}`, CSV, 400, /Row 2: a has more than 5000/],
    [`${','.repeat(250)}a\n`, CSV, 400, /at most 200 columns/],
    [Buffer.from('not a zip'), XLSX, 400, /not a valid XLSX/],
    ['{}', 'application/json', 415, /must be text\/csv or/],
    ['x', 'text/plain', 415, /must be/],
    ['a;b\n1;2', 'text/csv; charset=klingon', 415, /charset/],
    [Buffer.alloc(5 * 1_048_576 + 1, 'x'), CSV, 413, /larger than 5242880 bytes/],
    [Buffer.alloc(10_485_761, 'x'), CSV, 413, /larger than/],
  ]
  for (const [payload, type, status, message] of wrong) assertError(await put(ana, id, payload, type), status, message)
  assert.deepEqual(await valuesOf(ana, id), [{ Cidade: 'São Paulo', População: 12000 }])
})

test('the CSV export contains everything, and nothing in it is a formula', async () => {
  const { ana } = await testApp()
  const id = await aSheet(ana, ['Texto', 'Número', 'Sim'])
  const texts = ['=1+1', '+5511987654321', '@SUM(A1)', '-2+cmd|x', '-5', 'a "b"; c\nd', ' x', '\t=1']
  for (const text of texts)
    await ana.post(`/api/spreadsheets/${id}/rows`, { values: { Texto: text, Número: -1.5, Sim: true } })
  const file = await ana.get(`/api/spreadsheets/${id}/content`)
  assert.equal(file.status, 200)
  assert.equal(file.headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(
    file.headers['content-disposition'],
    `attachment; filename="Clientes Sao Paulo.csv"; filename*=UTF-8''Clientes%20S%C3%A3o%20Paulo.csv`,
  )
  const lines = file.text.split('\r\n')
  assert.equal(lines[0], '\ufeffTexto,Número,Sim')
  assert.equal(lines[1], "'=1+1,-1.5,true")
  assert.equal(lines[2], '+5511987654321,-1.5,true')
  assert.equal(lines[3], "'@SUM(A1),-1.5,true")
  assert.equal(lines[4], `"'-2+cmd|x",-1.5,true`)
  assert.equal(lines[5], '-5,-1.5,true')
  const again = await put(ana, id, file.text, 'text/csv; charset=utf-8')
  assert.equal(again.status, 200, again.text)
  const back = await valuesOf(ana, id)
  assert.deepEqual(
    back.map(({ Texto }: { Texto: unknown }) => String(Texto)),
    texts,
  )
  assert.ok(back.every((row: { Número: unknown }) => row.Número === -1.5))
})

test('a file of another program is imported, and that program reads the export: the same cells and types', async () => {
  const { app, ana } = await testApp()
  const id = await aSheet(ana)
  const file = await writeByOpenpyxl(`
sheet.append(['Nome', 'Nascida', 'Saldo'])
sheet.append(['Conceição', date(1990, 5, 17), 1234.5])
sheet.append(['=não é fórmula', moment(2026, 3, 1, 14, 30), -2])
sheet['A3'].data_type = 's'`)
  const replaced = await put(ana, id, file, XLSX)
  assert.equal(replaced.status, 200, replaced.text)
  assert.deepEqual(await valuesOf(ana, id), [
    { Nome: 'Conceição', Nascida: '1990-05-17', Saldo: 1234.5 },
    { Nome: '=não é fórmula', Nascida: '2026-03-01T14:30:00', Saldo: -2 },
  ])
  const url = `/api/spreadsheets/${id}/content?format=xlsx`
  const { headers, rawPayload } = await app.http.inject({ url, headers: { 'x-api-key': ana.key } })
  assert.equal(headers['content-type'], XLSX)
  assert.match(String(headers['content-disposition']), /^attachment; filename="Clientes Sao Paulo.xlsx"/)
  const [head, ...rows] = await readByOpenpyxl(rawPayload)
  assert.deepEqual(
    head?.map(([, name]) => name),
    ['Nome', 'Nascida', 'Saldo'],
  )
  assert.deepEqual(rows, [
    [
      ['s', 'Conceição'],
      ['d', '1990-05-17T00:00:00'],
      ['n', 1234.5],
    ],
    [
      ['s', '=não é fórmula'],
      ['d', '2026-03-01T14:30:00'],
      ['n', -2],
    ],
  ])
  assertError(await ana.get(`/api/spreadsheets/${id}/content?format=pdf`), 400)
})

test("29 another user's rows are not found, under any mixture of ids", async () => {
  const { ana, bia } = await testApp()
  const [hers, own] = [await aSheet(ana), await aSheet(bia)]
  const { json: row } = await ana.post(`/api/spreadsheets/${hers}/rows`, { values: { Nome: 'a' } })
  for (const url of [`/api/spreadsheets/${hers}/rows/${row.id}`, `/api/spreadsheets/${own}/rows/${row.id}`]) {
    assertError(await bia.patch(url, { values: { Nome: 'b' } }), 404)
    assertError(await bia.delete(url), 404)
  }
  assertError(await put(bia, hers, 'a\n1'), 404, 'Spreadsheet not found')
  assertError(await bia.get(`/api/spreadsheets/${hers}/content?format=xlsx`), 404)
  assert.deepEqual(await valuesOf(ana, hers), [{ Nome: 'a', Telefone: null, Idade: null }])
})

test('rows are found by a part of a value, ignoring case and accents, and paginated', async () => {
  const { ana } = await testApp()
  const { json: sheet } = await ana.post('/api/spreadsheets', { name: 'people', columns: ['Name', 'City', '10'] })
  const rows = `/api/spreadsheets/${sheet.id}/rows`
  const people = [
    ['João Silva', 'São Paulo', 1],
    ['Maria', 'João Pessoa', 2],
    ['Ana', 'Recife', 17],
    ['JOAO Souza', 'Belém', 3],
    ['100%_x\\', 'Natal', 4],
  ]
  for (const [Name, City, ten] of people) await ana.post(rows, { values: { Name, City, 10: ten } })
  const named = async (query: string) =>
    (await ana.get(`${rows}?${query}`)).json.map(({ values }: { values: { Name: string } }) => values.Name)
  assert.deepEqual(await named('q=jo%C3%A3o'), ['João Silva', 'Maria', 'JOAO Souza'])
  assert.deepEqual(await named('q=oao'), ['João Silva', 'Maria', 'JOAO Souza'])
  assert.deepEqual(await named('q=17'), ['Ana'])
  assert.deepEqual(await named('q=nobody'), [])
  assert.deepEqual(await named(`q=${encodeURIComponent('0%')}`), ['100%_x\\'])
  assert.deepEqual((await named('q=')).length, 5)
  const first = await ana.get(`${rows}?q=joao&limit=2`)
  assert.equal(first.json.length, 2)
  const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? assert.fail('there is a next page')
  const second = await ana.get(next)
  assert.deepEqual(
    second.json.map(({ values }: { values: { Name: string } }) => values.Name),
    ['JOAO Souza'],
  )
  assert.equal(second.headers.link, undefined)
})

test('a downloaded CSV has no formula behind a semicolon', async () => {
  const { ana } = await testApp()
  const id = await aSheet(ana, ['Nome', 'Nota'])
  const [formula, plain] = ['Maria;=cmd|calc!A1;x', 'João; +55 11 98765-4321']
  for (const Nota of [formula, plain]) await ana.post(`/api/spreadsheets/${id}/rows`, { values: { Nome: 'x', Nota } })
  const { text } = await ana.get(`/api/spreadsheets/${id}/content?format=csv`)
  assert.deepEqual(text.split('\r\n').slice(1, 3), [`x,"Maria;'=cmd|calc!A1;x"`, `x,"${plain}"`])
  const copy = await aSheet(ana, ['Nome', 'Nota'])
  assert.equal((await put(ana, copy, text)).status, 200)
  const notes = (await valuesOf(ana, copy)).map(({ Nota }: { Nota: string }) => Nota)
  assert.deepEqual(notes, [formula, plain], 'imported again, it is what it was')
})

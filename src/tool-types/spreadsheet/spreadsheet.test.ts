// The spreadsheet tool with Ramal spreadsheets, in the whole app.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, testApp } from '../../../test/app.ts'
import { aRun, aTool, loopbackTools } from '../../../test/tool-runs.ts'
import { spreadsheetStore } from '../../features/spreadsheets/store.ts'
import type { Json, Outcome } from '../ports.ts'
import { spreadsheet } from './spreadsheet.ts'

async function aSheet(client: Client, columns = ['Nome', 'Telefone', 'Nº de pessoas']): Promise<string> {
  return (await client.post('/api/spreadsheets', { name: 'Reservas', columns })).json.id
}

const rowsOf = async (client: Client, id: string): Promise<Json[]> =>
  (await client.get(`/api/spreadsheets/${id}/rows`)).json.map(({ values }: { values: Json }) => values)

test('the tool test appends, finds and updates rows of the owner', async () => {
  const { ana } = await testApp()
  const id = await aSheet(ana)
  const config = { spreadsheetId: id }
  const made = await ana.post('/api/tools', { name: 'reservas', type: 'spreadsheet', config })
  assert.equal(made.status, 201, made.text)
  const ask = async (name: string, args: Json) => {
    const body = { function: `reservas__${name}`, arguments: args }
    const { json, text } = await ana.post(`/api/tools/${made.json.id}/test`, body)
    assert.ok(json.status, text)
    return json
  }
  const added = await ask('append_row', { Nome: 'João', Telefone: '(11) 98765-4321', N_de_pessoas: 4 })
  assert.equal(added.status, 'done', JSON.stringify(added))
  assert.equal(added.result, 'The row was added, as row 1.')
  assert.equal(added.request, null, 'nothing leaves the house')
  assert.deepEqual(await rowsOf(ana, id), [{ Nome: 'João', Telefone: '(11) 98765-4321', 'Nº de pessoas': 4 }])
  const found = await ask('find_row', { value: 'joao' })
  const shown = { row: 1, Nome: 'João', Telefone: '(11) 98765-4321', 'Nº de pessoas': 4 }
  assert.deepEqual(JSON.parse(found.result), { rows: [shown] })
  const changed = await ask('update_row', { key: 'JOÃO', values: { 'nº de pessoas': '6', Telefone: '' } })
  assert.deepEqual(JSON.parse(changed.result), { changed: { row: 1, Nome: 'João', 'Nº de pessoas': 6 } })
  assert.deepEqual(await rowsOf(ana, id), [{ Nome: 'João', Telefone: null, 'Nº de pessoas': 6 }])
  const unknown = await ask('append_row', { Cidade: 'x' })
  assert.equal(unknown.error, 'There is no column Cidade. The columns are: Nome, Telefone, Nº de pessoas')
  assert.equal((await ask('update_row', { row: 9, values: { Nome: 'x' } })).error, 'Row not found')
  assert.equal((await ask('append_row', {})).status, 'failed')
})

test('with one operation and its own parameters a tool is one function under its own name', async () => {
  const { ana } = await testApp()
  const id = await aSheet(ana)
  const parameters = { type: 'object', properties: { nome: { type: 'string' } }, required: ['nome'] }
  const config = { provider: 'ramal', operation: 'append_row', spreadsheetId: id, columns: ['Nome'] }
  const { json: tool } = await ana.post('/api/tools', { name: 'lista', type: 'spreadsheet', parameters, config })
  const ask = async (args: Json) => (await ana.post(`/api/tools/${tool.id}/test`, { arguments: args })).json
  assert.equal((await ask({ nome: 'Ana' })).function, 'lista')
  assert.equal((await ask({})).status, 'refused')
  assert.match((await ask({ nome: 'Bia', Telefone: '1' })).error, /There is no column Telefone. The columns are: Nome$/)
  assert.deepEqual(await rowsOf(ana, id), [{ Nome: 'Ana', Telefone: null, 'Nº de pessoas': null }])
})

test("29 another user's spreadsheet and a deleted one do not exist for a tool", async () => {
  const { ana, bia } = await testApp()
  const hers = await aSheet(ana)
  for (const spreadsheetId of [hers, 'sht_missing']) {
    const config = { spreadsheetId, operation: 'append_row', columns: ['Nome'] }
    const { json: tool } = await bia.post('/api/tools', { name: 'x', type: 'spreadsheet', config })
    const { json } = await bia.post(`/api/tools/${tool.id}/test`, { arguments: { Nome: 'x' } })
    assert.equal(json.error, 'Spreadsheet not found')
  }
  assert.deepEqual(await rowsOf(ana, hers), [])
})

test('one run adds one row, fifty concurrent runs add fifty, and a repeated update is already done', async (t) => {
  const { ana, database } = await testApp()
  const id = await aSheet(ana)
  const kind = spreadsheet({ ...loopbackTools(t), sheets: spreadsheetStore(database.db) })
  const tool = aTool({ type: 'spreadsheet', name: 's', userId: ana.userId, config: { spreadsheetId: id } })
  const [append, , update] = kind.functions(tool)
  assert.ok(append && update && append.isRepeatable && update.isRepeatable)
  const never = new AbortController().signal
  const run = (offer: typeof append, args: Json, runId: string): Promise<Outcome> =>
    offer.run({ ...aRun(args), id: runId }, never)
  // Each run is repeated, as after a crash mid-run.
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, i) => run(append, { Nome: `n${i % 50}` }, `tcl_${i % 50}`)),
  )
  assert.ok(outcomes.every(({ ok }) => ok))
  const names = (await rowsOf(ana, id)).map(({ Nome }) => Nome)
  assert.equal(names.length, 50)
  assert.equal(new Set(names).size, 50)
  // The update changes the value that identified the row.
  const rename = () => run(update, { key: 'n7', values: { Nome: 'novo' } }, 'tcl_x')
  assert.deepEqual(await rename(), await rename())
  assert.ok((await rowsOf(ana, id)).some(({ Nome }) => Nome === 'novo'))
})

test('columns become fields as soon as they are known, if the owner makes them visible', async (t) => {
  const { ana, database } = await testApp()
  const id = await aSheet(ana)
  const kind = spreadsheet({ ...loopbackTools(t), sheets: spreadsheetStore(database.db) })
  const config = { spreadsheetId: id, operation: 'find_row' }
  const tool = aTool({ type: 'spreadsheet', name: 's', userId: ana.userId, config })
  const columns = (of = tool) => {
    const [offer] = kind.functions(of)
    assert.ok(offer)
    return (offer.parameters.properties as { column: { enum?: string[] } }).column.enum
  }
  assert.equal(columns(), undefined)
  await kind.ready?.(tool)
  assert.deepEqual(columns(), ['Nome', 'Telefone', 'Nº de pessoas'])
  await assert.doesNotReject(
    kind.ready?.(aTool({ ...tool, config: { spreadsheetId: 'sht_missing' } })) as Promise<void>,
  )
  const narrow = aTool({ ...tool, config: { ...config, columns: ['telefone'] } })
  assert.deepEqual(columns(narrow), ['Telefone'])
  const none = spreadsheet(loopbackTools(t))
  assert.match(none.problem?.(tool) ?? '', /no spreadsheets of our own/)
})

test('only searchColumns are searched, and a row is updated by its key, not by a row number alone', async () => {
  const { ana } = await testApp()
  const id = await aSheet(ana)
  const open = async (config: Json) => {
    const fields = { name: 's', type: 'spreadsheet', config: { spreadsheetId: id, ...config } }
    const { json: tool } = await ana.post('/api/tools', fields)
    return async (name: string, args: Json) =>
      (await ana.post(`/api/tools/${tool.id}/test`, { function: `s__${name}`, arguments: args })).json
  }
  const bounded = await open({ searchColumns: ['telefone'], keyColumn: 'Telefone' })
  const free = await open({})
  for (const [Nome, Telefone] of [
    ['Ana', '1199'],
    ['Bia', '1188'],
  ])
    await free('append_row', { Nome, Telefone })

  assert.match(
    (await bounded('find_row', { value: 'Ana', column: 'Nome' })).error,
    /column must be one of \["Telefone"\]/,
  )
  assert.equal((await bounded('find_row', { value: 'Ana' })).result, 'No row matches.')
  assert.match((await bounded('find_row', { value: '1199' })).result, /"Nome":"Ana"/)
  assert.match((await free('find_row', { value: 'Ana', column: 'Nome' })).result, /"Nome":"Ana"/)

  const values = { Nome: 'changed' }
  assert.match((await bounded('update_row', { row: 2, values })).error, /key is missing/)
  assert.match((await bounded('update_row', { row: 2, key: '', values })).error, /Missing: key/)
  assert.match((await bounded('update_row', { row: 2, key: '1199', values })).error, /Row 2 does not have that value/)
  assert.deepEqual(
    (await rowsOf(ana, id)).map(({ Nome }) => Nome),
    ['Ana', 'Bia'],
  )
  assert.equal((await bounded('update_row', { row: 1, key: '1199', values })).status, 'done')
  assert.equal((await free('update_row', { row: 2, values })).status, 'done')
})

test("an appended row has only the fields that the owner's parameters declare", async () => {
  const { ana } = await testApp()
  const id = await aSheet(ana)
  const parameters = { type: 'object', properties: { nome: { type: 'string' } } }
  const config = { operation: 'append_row', spreadsheetId: id }
  const { json: tool } = await ana.post('/api/tools', { name: 's', type: 'spreadsheet', parameters, config })
  const add = async (args: Json) => (await ana.post(`/api/tools/${tool.id}/test`, { arguments: args })).json
  assert.match((await add({ nome: 'Bia', Telefone: '1' })).error, /There is no column Telefone/)
  assert.equal((await add({ nome: 'Ana' })).status, 'done')
  assert.deepEqual(await rowsOf(ana, id), [{ Nome: 'Ana', Telefone: null, 'Nº de pessoas': null }])
})

// The tool against a fake Google Sheets server, which is first validated with Google's own client.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { auth, sheets } from '@googleapis/sheets'
import { aRun, aTool, loopbackTools } from '../../../test/tool-runs.ts'
import { BOOK, startGoogleSheets } from '../../../test/vendors/google-sheets.ts'
import { account, TOKEN_HOST } from '../../../test/vendors/google-tokens.ts'
import type { Json, Outcome, ToolRecord } from '../ports.ts'
import { columnLetters, headRange, normalRange, rangeStart, rowRange } from './a1-ranges.ts'
import { GOOGLE_SHEETS_SCOPE } from './google-sheets.ts'
import { spreadsheet } from './spreadsheet.ts'

const never = new AbortController().signal

async function open(t: TestContext, timeoutMs = 30_000) {
  const google = await startGoogleSheets()
  t.after(() => google.stop())
  google
    .cells()
    .push(['Nome', 'Telefone', 'Idade', 'Nota'], ['João Silva', '+55 11 98765-4321', 42], ['Ana', 'x', 7, 'vip'])
  const kind = spreadsheet({ ...loopbackTools(t), timeoutMs })
  const tool = (config: Json = {}, more: Partial<ToolRecord> = {}) =>
    aTool({
      type: 'spreadsheet',
      name: 'book',
      requestUrl: google.url,
      authorization: { type: 'google_service_account', ...account, tokenUrl: `${google.url}/token` },
      config: { provider: 'google', spreadsheetId: BOOK, ...config },
      ...more,
    })
  const run = async (name: string, args: Json, given = tool(), id = 'tcl_1'): Promise<Outcome> => {
    assert.equal(kind.problem?.(given), null)
    const offer = kind.functions(given).find((each) => each.name === `book__${name}`) ?? assert.fail(`no ${name}`)
    return offer.run({ ...aRun(args), id }, never)
  }
  return { google, kind, tool, run }
}

test("the fake server works with Google's own client", async (t) => {
  const { google } = await open(t)
  const toStandIn = (url: string | URL | Request, init?: RequestInit) =>
    fetch(String(url).replace(TOKEN_HOST, google.url), init)
  const byKey = new auth.JWT({
    email: account.clientEmail,
    key: account.privateKey,
    scopes: [GOOGLE_SHEETS_SCOPE],
    transporterOptions: { fetchImplementation: toStandIn as typeof fetch },
  })
  const { spreadsheets } = sheets({ version: 'v4', auth: byKey, rootUrl: `${google.url}/` })
  const book = await spreadsheets.get({ spreadsheetId: BOOK, fields: 'sheets.properties(title,index)' })
  assert.equal(book.data.sheets?.[0]?.properties?.title, 'Clientes')
  const appended = await spreadsheets.values.append({
    spreadsheetId: BOOK,
    range: 'Clientes!A1:D1',
    valueInputOption: 'RAW',
    insertDataOption: 'INSERT_ROWS',
    requestBody: { values: [['=1+1', null, 5, true]] },
  })
  assert.equal(appended.data.updates?.updatedRange, 'Clientes!A4:D4')
  const got = await spreadsheets.values.get({ spreadsheetId: BOOK, range: 'Clientes!A3:D' })
  assert.deepEqual(got.data.values, [
    ['Ana', 'x', '7', 'vip'],
    ['=1+1', '', '5', 'TRUE'],
  ])
  const changed = await spreadsheets.values.update({
    spreadsheetId: BOOK,
    range: "'Clientes'!A4:D4",
    valueInputOption: 'USER_ENTERED',
    requestBody: { values: [['=1+1', null, '']] },
  })
  assert.equal(changed.data.updatedCells, 2)
  assert.deepEqual(google.cells()[3], [{ formula: '=1+1' }, undefined, undefined, true])
  await assert.rejects(spreadsheets.values.get({ spreadsheetId: BOOK, range: 'Nada!A1' }), /Unable to parse range/)
  await assert.rejects(spreadsheets.values.get({ spreadsheetId: BOOK, range: 'A1:ZZ5' }), /exceeds grid limits/)
  await assert.rejects(spreadsheets.values.get({ spreadsheetId: 'private', range: 'A1' }), /permission/)
  await assert.rejects(spreadsheets.values.get({ spreadsheetId: 'other', range: 'A1' }), /not found/)
})

test('a row is appended below the table, as raw values and never as a formula', async (t) => {
  const { google, run, tool } = await open(t)
  const outcome = await run('append_row', { Nome: '=HYPERLINK("http://x")', Idade: '30', Telefone: '007' })
  assert.deepEqual(outcome, { ok: true, text: 'The row was added, as row 4.' })
  assert.deepEqual(google.cells()[3], ['=HYPERLINK("http://x")', '007', 30, undefined])
  assert.ok(google.asked.some(({ url }) => url.includes('valueInputOption=RAW')))
  // Another sheet, whose name needs quotes, with a table that does not start in A1.
  google.cells("D'Ávila & cia").push([], [undefined, 'Item', 'Preço'])
  const other = tool({ range: "D'Ávila & cia!B2:C" })
  assert.deepEqual(await run('append_row', { item: 'café', preco: '2.5' }, other), {
    ok: true,
    text: 'The row was added, as row 3.',
  })
  assert.deepEqual(google.cells("D'Ávila & cia")[2], [undefined, 'café', 2.5])
})

test('find ignores case and accents, puts exact matches first and searches only visible columns', async (t) => {
  const { google, run, tool } = await open(t)
  google.cells().push(['joao', '', 8])
  const found = async (args: Json, config: Json = {}) => {
    const outcome = await run('find_row', args, tool(config))
    assert.ok(outcome.ok, JSON.stringify(outcome))
    return outcome.text.startsWith('{') ? JSON.parse(outcome.text) : outcome.text
  }
  assert.deepEqual(await found({ value: 'JOÃO' }), {
    rows: [
      { row: 4, Nome: 'joao', Idade: '8' },
      { row: 2, Nome: 'João Silva', Telefone: '+55 11 98765-4321', Idade: '42' },
    ],
  })
  assert.deepEqual((await found({ value: '11987654321', column: 'telefone' })).rows[0].row, 2)
  assert.equal(await found({ value: 'vip', column: 'Nome' }), 'No row matches.')
  assert.equal(await found({ value: 'vip' }, { columns: ['Nome', 'Idade'] }), 'No row matches.')
  assert.deepEqual(await found({ value: 'ana' }, { columns: ['nome'], searchColumns: ['Nome'] }), {
    rows: [{ row: 3, Nome: 'Ana' }],
  })
  const one = await found({ value: 'joao' }, { maxResults: 1 })
  assert.equal(one.rows.length, 1)
  assert.match(one.note, /more/)
  assert.deepEqual(await run('find_row', { value: 'x', column: 'Cidade' }), {
    ok: false,
    error: 'There is no column Cidade. The columns are: Nome, Telefone, Idade, Nota',
  })
})

test('update changes one row and keeps its other cells; if several rows match it lists them instead', async (t) => {
  const { google, run, tool } = await open(t)
  const changed = await run('update_row', { key: 'ana', values: { Telefone: '=x', Nota: '' } })
  assert.deepEqual(changed, { ok: true, text: '{"changed":{"row":3,"Nome":"Ana","Telefone":"=x","Idade":"7"}}' })
  assert.deepEqual(google.cells()[2], ['Ana', '=x', 7, undefined])
  google.cells().push(['ANA', 'y', 9])
  const several = await run('update_row', { key: 'Ana', values: { Idade: '1' } })
  assert.ok(!several.ok)
  assert.match(several.error, /Several rows.*"row":3.*"row":4/)
  assert.ok((await run('update_row', { key: 'Ana', row: 4, values: { Idade: '1' } })).ok)
  assert.deepEqual(google.cells()[3], ['ANA', 'y', 1, undefined])
  const byPhone = tool({ keyColumn: 'Telefone' })
  assert.ok((await run('update_row', { key: '5511987654321', values: { Idade: '43' } }, byPhone)).ok)
  assert.equal(google.cells()[1]?.[2], 43)
  for (const [args, why] of [
    [{ values: { Idade: '1' } }, /Missing: row/],
    [{ key: 'nobody', values: { Idade: '1' } }, /No row has that value in the column Nome/],
    [{ key: 'Ana', row: 2, values: { Idade: '1' } }, /Row 2 does not have that value/],
    [{ row: 1, values: { Nome: 'x' } }, /There is no row 1/],
    [{ row: 99, values: { Nome: 'x' } }, /There is no row 99/],
    [{ row: 2, values: { Cidade: 'x' } }, /There is no column Cidade/],
    [{ row: 2, values: {} }, /No values are given/],
  ] as const) {
    const outcome = await run('update_row', args)
    assert.ok(!outcome.ok && why.test(outcome.error), JSON.stringify(outcome))
  }
})

test('with an id column the same call adds one row even if the response was lost', async (t) => {
  const { google, kind, run, tool } = await open(t)
  assert.deepEqual(
    kind.functions(tool()).map(({ name, isRepeatable }) => [name, isRepeatable]),
    [
      ['book__append_row', false],
      ['book__find_row', true],
      ['book__update_row', true],
    ],
  )
  google.cells()[0]?.push('Id')
  const safe = tool({ idColumn: 'id', columns: ['Nome'], range: 'Clientes' })
  assert.equal(kind.functions(safe)[0]?.isRepeatable, true)
  google.spared.reads = true
  google.fail('reset', 1)
  const doubt = await run('append_row', { Nome: 'Bia' }, safe, 'tcl_7')
  assert.ok(!doubt.ok && doubt.isDoubtful, JSON.stringify(doubt))
  const again = await run('append_row', { Nome: 'Bia' }, safe, 'tcl_7')
  assert.deepEqual(again, { ok: true, text: 'The row was added, as row 4.' })
  assert.equal(google.cells().length, 4)
  assert.deepEqual(google.cells()[3], ['Bia', undefined, undefined, undefined, 'tcl_7'])
  const missing = await run('append_row', { Nome: 'x' }, tool({ idColumn: 'Nada' }))
  assert.ok(!missing.ok && /config.idColumn/.test(missing.error))
})

test('an expired token is renewed once', async (t) => {
  const { google, run } = await open(t)
  assert.ok((await run('find_row', { value: 'ana' })).ok)
  google.tokens.revoke()
  assert.ok((await run('find_row', { value: 'ana' })).ok)
  assert.equal(google.tokens.made(), 2)
  google.fail('unauthorized')
  const refused = await run('append_row', { Nome: 'x' })
  assert.deepEqual(refused, { ok: false, error: 'Google does not accept the authorization of this tool' })
  assert.equal(google.tokens.made(), 3)
})

test('refusals have a readable message without secrets', async (t) => {
  const { run, tool } = await open(t)
  const shared = await run('find_row', { value: 'a' }, tool({ spreadsheetId: 'private' }))
  assert.deepEqual(shared, {
    ok: false,
    error: `Google refuses: The caller does not have permission; is the spreadsheet shared with ${account.clientEmail}?`,
  })
  const gone = await run('find_row', { value: 'a' }, tool({ spreadsheetId: 'other' }))
  assert.deepEqual(gone, { ok: false, error: 'Google knows no spreadsheet with this id' })
  const range = await run('find_row', { value: 'a' }, tool({ range: 'Nada' }))
  assert.ok(!range.ok && /Unable to parse range: 'Nada'/.test(range.error))
  const scope = tool({}, { authorization: { ...tool().authorization, type: 'google_service_account', scope: 'x' } })
  const small = await run('find_row', { value: 'a' }, scope)
  assert.ok(!small.ok && /insufficient authentication scopes/.test(small.error) && !/PRIVATE|planted/.test(small.error))
  const byAddress = tool({ spreadsheetId: `https://docs.google.com/spreadsheets/d/${BOOK}/edit#gid=0` })
  assert.ok((await run('find_row', { value: 'ana' }, byAddress)).ok)
})

test('server faults: reads are retried, appends are not, and an unknown outcome is reported', async (t) => {
  const { google, run, tool } = await open(t, 4000)
  const named = tool({ range: 'Clientes' })
  for (const fault of ['broken', 'throttled', 'reset-at-once'] as const) {
    google.fail(fault, 1)
    assert.ok((await run('find_row', { value: 'ana' }, named)).ok, fault)
  }
  google.spared.reads = true
  for (const [fault, why, isDoubtful] of [
    ['broken', /status 500/, true],
    ['throttled', /too often/, undefined],
    ['wrong', /did not answer as Google Sheets/, true],
    ['reset', /nobody knows whether it was done/, true],
    ['reset-at-once', /nobody knows whether it was done/, true],
    ['silent', /did not answer in time; nobody knows/, true],
  ] as const) {
    const before = google.cells().length
    google.fail(fault)
    const outcome = await run('append_row', { Nome: fault }, named)
    assert.ok(!outcome.ok, fault)
    assert.match(outcome.error, why)
    assert.equal(outcome.isDoubtful, isDoubtful, fault)
    assert.equal(google.cells().length, before + (fault === 'reset' ? 1 : 0), `${fault}: at most once`)
  }
  google.spared.reads = false
  for (const fault of ['empty', 'wrong'] as const) {
    google.fail(fault)
    const outcome = await run('find_row', { value: 'ana' }, named)
    assert.ok(!outcome.ok && /did not answer as Google Sheets/.test(outcome.error) && !outcome.isDoubtful)
  }
})

test('columns are read in advance and become field names that every model accepts', async (t) => {
  const { google, kind, tool } = await open(t)
  google.cells()[0]?.push('Endereço completo', '日本')
  const given = tool({ operation: 'append_row' })
  assert.deepEqual(kind.functions(given)[0]?.name, 'book')
  assert.equal(kind.functions(given)[0]?.parameters.properties, undefined, 'not known yet')
  await kind.ready?.(given)
  const fields = kind.functions(given)[0]?.parameters.properties as Json
  assert.deepEqual(Object.keys(fields), ['Nome', 'Telefone', 'Idade', 'Nota', 'Endereco_completo', 'column_6'])
  assert.match(kind.functions(given)[0]?.description ?? '', /Its columns: Nome, .*Endereço completo, 日本/)
  await google.stop()
  await kind.ready?.(tool({ range: 'Outra' }))
  assert.equal(kind.functions(tool({ range: 'Outra' })).length, 3, 'offered all the same')
})

test('an unusable tool says why', async (t) => {
  const { kind, tool } = await open(t)
  const problem = (config: Json, more: Partial<ToolRecord> = {}) => kind.problem?.(tool(config, more))
  assert.match(problem({ provider: 'excel' }) ?? '', /ramal or google/)
  assert.match(problem({ operation: 'drop' }) ?? '', /operation/)
  assert.match(problem({ spreadsheetId: null }) ?? '', /spreadsheetId is missing/)
  assert.match(problem({}, { authorization: null }) ?? '', /authorization is missing/)
  assert.match(problem({}, { requestUrl: 'http://{x}/' }) ?? '', /takes no values/)
  assert.match(problem({}, { authorization: { type: 'google_service_account' } }) ?? '', /clientEmail/)
  assert.deepEqual(kind.functions(tool({ spreadsheetId: null })), [])
})

test('ranges are parsed as Google writes them', () => {
  const normal: Record<string, [string, string]> = {
    Clientes: ["'Clientes'", "'Clientes'!1:1"],
    'Meus clientes': ["'Meus clientes'", "'Meus clientes'!1:1"],
    "'D''Ávila'": ["'D''Ávila'", "'D''Ávila'!1:1"],
    'Clientes!A:F': ["'Clientes'!A:F", "'Clientes'!A1:F1"],
    "'a!b'!B3:F9": ["'a!b'!B3:F9", "'a!b'!B3:F3"],
    'B2:C': ['B2:C', 'B2:C2'],
    'A:A': ['A:A', 'A1:A1'],
    '3:9': ['3:9', '3:3'],
    ABC: ["'ABC'", "'ABC'!1:1"],
  }
  for (const [given, [range, head]] of Object.entries(normal)) {
    assert.equal(normalRange(given), range)
    assert.equal(headRange(range), head)
  }
  assert.deepEqual(rangeStart("'a!b'!AB12:AZ99"), { sheet: "'a!b'", firstColumn: 28, firstRow: 12 })
  assert.equal(rangeStart('nonsense range'), null)
  const grid = { sheet: 'S', firstColumn: 26, firstRow: 1, columns: ['a', 'b'] }
  assert.equal(rowRange(grid, 7), 'S!Z7:AA7')
  assert.deepEqual([1, 26, 27, 52, 53, 702, 703].map(columnLetters), ['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA'])
})

// XLSX and CSV as other programs write and read them, and malicious files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { readByOpenpyxl, writeByOpenpyxl } from '../../test/openpyxl.ts'
import type { Cell } from '../base/text/table-cells.ts'
import { csvHead, csvLines, decodeCsv, readCsv } from './csv.ts'
import { CSV, spreadsheetFiles, XLSX } from './sheet-files.ts'
import { tableOf } from './table.ts'
import { readXlsx } from './xlsx.ts'

const files = spreadsheetFiles()
// Parsed in this process: the sandboxed child takes long to start.
const tableOfXlsx = async (bytes: Uint8Array) => tableOf(await readXlsx(bytes))
const tableOfCsv = (text: string | Buffer, charset: string | null = null) =>
  tableOf(readCsv(decodeCsv(Buffer.from(text as string), charset)))

async function* pages(...all: Cell[][][]): AsyncGenerator<Cell[][]> {
  yield* all
}

test('another program reads our files: the same cells, types and accents', async () => {
  const columns = ['Nome', 'Número', 'Sim', 'Dia', 'Hora']
  const rows: Cell[][] = [
    ['João "Ñandú" <&>', 42.5, true, '2026-03-01', '2026-12-31T23:59:58'],
    ['=SUM(A1:A9)', -7, false, '2026-02-31', '14:30'],
    [' duas\nlinhas ', 1e15, null, null, '+5511987654321'],
    ['\u0001\u000bx😀', 0, null, '1899-01-01', '@x'],
  ]
  const file = await files.writeXlsx('usr_1', columns, pages(rows.slice(0, 2), rows.slice(2)))
  assert.deepEqual(await readByOpenpyxl(file), [
    columns.map((name) => ['s', name]),
    [
      ['s', 'João "Ñandú" <&>'],
      ['n', 42.5],
      ['b', true],
      ['d', '2026-03-01T00:00:00'],
      ['d', '2026-12-31T23:59:58'],
    ],
    [
      ['s', '=SUM(A1:A9)'],
      ['n', -7],
      ['b', false],
      ['s', '2026-02-31'],
      ['s', '14:30'],
    ],
    [
      ['s', ' duas\nlinhas '],
      ['n', 1e15],
      ['n', null],
      ['n', null],
      ['s', '+5511987654321'],
    ],
    [
      ['s', 'x😀'],
      ['n', 0],
      ['n', null],
      ['s', '1899-01-01'],
      ['s', '@x'],
    ],
  ])
  rows[3] = ['x😀', 0, null, '1899-01-01', '@x']
  assert.deepEqual(await files.read('usr_1', { mediaType: XLSX, charset: null, bytes: [file] }), { columns, rows })
  const empty = await files.writeXlsx('usr_1', ['só'], pages())
  assert.deepEqual(await tableOfXlsx(empty), { columns: ['só'], rows: [] })
})

test("we read another program's files: the same cells, types and accents", async () => {
  const file = await writeByOpenpyxl(`
sheet.append(['Nome', 'Valor', None, 'Quando', 'Vazia'])
sheet.append(['João', 12.5, True, date(2026, 3, 1), None])
sheet.append([' Ñ  ', -3, False, moment(2026, 3, 1, 14, 30, 5), None])
sheet.append([None, None, None, None, None])
sheet.append(['007', 12345678901, None, time(8, 5), None])
sheet.cell(5, 2).number_format = '0.00'
book.create_sheet('outra').append(['não'])
`)
  assert.deepEqual(await tableOfXlsx(file), {
    columns: ['Nome', 'Valor', 'Column 3', 'Quando', 'Vazia'],
    rows: [
      ['João', 12.5, true, '2026-03-01', null],
      [' Ñ  ', -3, false, '2026-03-01T14:30:05', null],
      ['007', 12345678901, null, '08:05:00', null],
    ],
  })
  const formula = await writeByOpenpyxl(`sheet.append(['a'])\nsheet.append(['=1+1'])\nsheet.append(['x'])`)
  assert.deepEqual((await tableOfXlsx(formula)).rows, [['x']], 'a formula that nobody has computed has no value')
})

test('CSV with any separator, quoting and character set is read', async () => {
  const table = { columns: ['Nome', 'Ação'], rows: [['João; "o bom"', 'duas\nlinhas, sim']] }
  const semicolons = 'Nome;Ação\r\n"João; ""o bom""";"duas\nlinhas, sim"\r\n'
  assert.deepEqual(tableOfCsv(semicolons), table)
  assert.deepEqual(tableOfCsv(`\ufeff${semicolons}`), table)
  assert.deepEqual(tableOfCsv(Buffer.from(semicolons, 'latin1')), table, 'windows-1252, as Excel writes it')
  assert.deepEqual(tableOfCsv(Buffer.from(semicolons, 'latin1'), 'iso-8859-1'), table)
  assert.deepEqual(tableOfCsv(Buffer.from(`\ufeff${semicolons}`, 'utf16le')), table)
  assert.deepEqual(tableOfCsv(semicolons.replaceAll(';A', '\tA').replace(';"', '\t"')), table)
  const commas = 'Nome,Ação\n"João; ""o bom""","duas\nlinhas, sim"\n\n,\n'
  assert.deepEqual(tableOfCsv(commas), table)
  assert.deepEqual(tableOfCsv('só\n1\n'), { columns: ['só'], rows: [[1]] }, 'one column has no separator')
  const numbers = 'a;b;c;d;e;f;g\n1;-2.5;007;1,50;12345678901;1e5;0.10\n'
  assert.deepEqual(tableOfCsv(numbers).rows, [[1, -2.5, '007', '1,50', '12345678901', '1e5', '0.10']])
  assert.throws(() => tableOfCsv(Buffer.from([0x61, 0xff]), 'utf-8'), { kind: 'invalid', message: /not in utf-8/ })
  assert.throws(() => tableOfCsv('a', 'klingon'), { kind: 'media_type' })
  assert.throws(() => tableOfCsv('a\n"b'), { kind: 'invalid', message: /quote/ })
})

test('CSV survives a round trip and contains no formula', async () => {
  const wide = ['\uff1dx', '\uff0bx', '\uff0dx', '\uff20x']
  const texts = [
    '=x',
    '@x',
    '-x',
    '+x',
    '\t=x',
    '\r=x',
    '\n=x',
    ' \n =x',
    '\u00a0@x',
    ...wide,
    '+55 (11) 98765-4321',
    '-5',
    "'x",
    'a,"b"\nc',
  ]
  const rows = texts.map((text): Cell[] => [text, 1.5])
  const file = csvHead(['T', 'N']) + csvLines(rows)
  assert.ok(file.startsWith('\ufeffT,N\r\n'))
  for (const line of file.split('\r\n').slice(1))
    assert.doesNotMatch(line, /^"?\s*[=@\uff1d\uff0b\uff0d\uff20]|^"?[\t\r\n]|^"?\s*[+-][^\d]/)
  const back = tableOfCsv(file)
  assert.deepEqual(back, {
    columns: ['T', 'N'],
    rows: rows.map(([text, n]) => [text === '-5' ? -5 : text, n]),
  } as never)
})

test('no cell becomes a formula in a program that separates by another sign', async () => {
  const texts = [
    'Maria;=cmd|calc!A1;x',
    'Maria|=cmd',
    'Maria\t=cmd',
    'Maria; \u00a0 @SUM(A1)',
    'Maria;"=cmd"',
    'Maria;\uff1dcmd',
    'Maria\n=cmd\r\n+cmd',
    ';;-cmd;',
  ]
  const plain = ['+55 11 98765-4321; +55 11 91234-5678', 'Rua A; 12 - fundos', 'a|b;c']
  const rows = [...texts, ...plain].map((text): Cell[] => ['x', text, 1.5])
  const file = csvLines(rows)
  for (const separator of [',', ';', '\t', '|'])
    for (const line of file.split(/[\r\n]+/))
      for (const cell of line.split(separator))
        assert.doesNotMatch(cell, /^[\s"]*[=@\uff1d]|^[\s"]*[+-][^\d]/, JSON.stringify([separator, line]))
  for (const text of plain.slice(1)) assert.ok(file.includes(`"${text}"`), text)
  assert.match(file, /; \+55 11 91234-5678"/, 'a telephone number stays as it is')
  assert.match(csvLines([['Maria;x', 'b']]), /^"Maria;x",b/, 'quoted, so that the first cell stays one')
  assert.deepEqual(tableOfCsv(csvHead(['A', 'T', 'N']) + file), { columns: ['A', 'T', 'N'], rows } as never)
})

/** A hand-made ZIP file; `saysBytes` puts a false size into its headers. */
function zip(entries: Record<string, { text: string | Buffer; saysBytes?: number }>): Buffer {
  const parts: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const [name, { text, saysBytes }] of Object.entries(entries)) {
    const raw = Buffer.from(text as string)
    const packed = deflateRawSync(raw)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(saysBytes ?? raw.length, 22)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(saysBytes ?? raw.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    const piece = Buffer.concat([local, Buffer.from(name), packed])
    parts.push(piece)
    central.push(entry, Buffer.from(name))
    at += piece.length
  }
  const size = central.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(Object.keys(entries).length, 8)
  end.writeUInt16LE(Object.keys(entries).length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...central, end])
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006/relationships'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** A minimal XLSX around these rows; `before` precedes the root element of the sheet. */
const xlsx = (rows: string, before = '', saysBytes?: number) =>
  zip({
    '_rels/.rels': {
      text: `<Relationships xmlns="${packaged}"><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    'xl/workbook.xml': {
      text: `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    },
    'xl/_rels/workbook.xml.rels': {
      text: `<Relationships xmlns="${packaged}"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    'xl/worksheets/sheet1.xml': {
      text: `<?xml version="1.0"?>${before}<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
      ...(saysBytes === undefined ? {} : { saysBytes }),
    },
  })

const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`

test('a minimal XLSX is read; its own XML entities are not expanded', async () => {
  const plain = `<row r="1">${text('A1', 'a')}</row><row r="2">${text('A2', 'x')}</row>`
  assert.deepEqual(await tableOfXlsx(xlsx(plain)), { columns: ['a'], rows: [['x']] })
  const outside = `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd"><!ENTITY r SYSTEM "http://127.0.0.1:1/">]>`
  const laughs = `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(50)}"><!ENTITY e "${'&a;'.repeat(1000)}">]>`
  for (const before of [outside, laughs]) {
    const rows = `<row r="1">${text('A1', 'a')}</row><row r="2">${text('A2', '&e;&r;')}</row>`
    const read = await tableOfXlsx(xlsx(rows, before)).catch((error: Error) => error)
    const told = read instanceof Error ? read.message : JSON.stringify(read)
    assert.doesNotMatch(told, /root:|haha/)
    assert.ok(told.length < 200, told)
  }
})

test('files made to exhaust the memory are refused early, or only bring down the sandboxed process', async () => {
  const bomb = zip({ 'xl/worksheets/sheet1.xml': { text: Buffer.alloc(80 * 1_048_576, ' ') } })
  assert.ok(bomb.length < 200_000)
  await assert.rejects(tableOfXlsx(bomb), { kind: 'too_large', message: /too much once it is unpacked/ })
  const many = zip(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`x${i}.xml`, { text: '' }])))
  await assert.rejects(tableOfXlsx(many), { kind: 'too_large' })
  // It claims to be small: no more than the claimed size is unpacked.
  const liar = xlsx(`<row r="1">${text('A1', 'a'.repeat(30_000_000))}</row>`, '', 1000)
  await assert.rejects(tableOfXlsx(liar), { kind: 'invalid' })
  const far = xlsx(`<row r="1">${text('A1', 'a')}${text('XFD1', 'b')}</row>`)
  await assert.rejects(tableOfXlsx(far), { kind: 'invalid', message: /at most 200 columns/ })
  const tooMany = { message: /at most 200 columns/ }
  assert.throws(() => tableOfCsv(`a${',a'.repeat(1_000_000)}\n1`), tooMany)
  assert.throws(() => tableOfCsv(`a\n${','.repeat(1_000_000)}1`), tooMany)
  assert.throws(() => tableOfCsv(`a\n${'1\n'.repeat(100_001)}`), { kind: 'too_large', message: /rows/ })
  assert.throws(() => tableOfCsv('a\0b\n1'), { kind: 'invalid', message: /NUL/ })

  const small = spreadsheetFiles({ heapMb: 64 })
  const farther = xlsx(`<row r="1">${text('A1', 'a')}${text('ZZZZZZ1', 'b')}</row>`)
  const deep = xlsx(`<row r="1">${text('A1', 'a')}</row><row r="999999999">${text('A999999999', 'b')}</row>`)
  for (const bytes of [farther, deep])
    await assert.rejects(small.read('usr_1', { mediaType: XLSX, charset: null, bytes: [bytes] }), { kind: 'too_large' })
  const hasty = spreadsheetFiles({ limitMs: 1 })
  const late = hasty.read('usr_1', { mediaType: CSV, charset: null, bytes: [Buffer.from('a')] })
  await assert.rejects(late, { kind: 'too_large', message: 'The file took too long' })
})

test('a file that is not XLSX is refused with a message that repeats nothing of it', async () => {
  const nul = xlsx(`<row r="1">${text('A1', 'a')}</row><row r="2">${text('A2', 'x&#0;y')}</row>`)
  const read = await tableOfXlsx(nul).catch((error: Error) => error)
  if (!(read instanceof Error)) assert.doesNotMatch(JSON.stringify(read), /\\u0000/)
  const whole = xlsx(`<row r="1">${text('A1', 'secret')}</row>`)
  const wrong = [
    Buffer.from('secret'),
    Buffer.alloc(0),
    whole.subarray(0, whole.length - 30),
    Buffer.concat([whole.subarray(0, 100), Buffer.alloc(500, 7), whole.subarray(600)]),
    zip({ 'secret.txt': { text: 'secret' } }),
    zip({ 'secret.xml': { text: '<secret' } }),
    xlsx('<row r="1"><c r="secret" t="s"><v>99</v></c></row>'),
    xlsx('<row><c t="secret"><v>1</v></c></row>'),
    xlsx('<row><c><'),
  ]
  for (const bytes of wrong)
    await assert.rejects(tableOfXlsx(bytes), (error: { kind: string; message: string }) => {
      assert.equal(error.kind, 'invalid')
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
})

test('concurrent files are limited, some wait, and more are refused', async () => {
  const narrow = spreadsheetFiles({ atOnce: 1, waiting: 1 })
  const read = () => narrow.read('usr_1', { mediaType: CSV, charset: null, bytes: [Buffer.from('a\n1')] })
  const [one, two, three] = await Promise.allSettled([read(), read(), read()])
  assert.deepEqual([one?.status, two?.status, three?.status], ['fulfilled', 'fulfilled', 'rejected'])
  assert.equal((three as PromiseRejectedResult).reason.kind, 'unavailable')
  assert.deepEqual(await read(), { columns: ['a'], rows: [[1]] })
})

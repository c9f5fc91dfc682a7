// Long CSV lists: regional formats, bounded cells, batches, and unreadable files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeByOpenpyxl } from '../../test/openpyxl.ts'
import { csvRows } from './csv-rows.ts'
import { LIST_BATCH, listFiles } from './list-files.ts'
import { CSV, XLSX } from './sheet-files.ts'
import { writeXlsx } from './xlsx.ts'

const limits = { cellLength: 11, cells: 5 }
const listRows = (text: string | Buffer, charset: string | null = null) => [
  ...csvRows(Buffer.from(text as string), charset, limits),
]
const rowsOf = (text: string | Buffer, charset: string | null = null) =>
  listRows(text, charset).map(({ cells }) => cells)

test('separators, quotes, line ends and character sets', () => {
  const expected = [
    ['nome', 'ação'],
    ['João; "o"', 'x, y'],
    ['Ana', 'z'],
  ]
  const semicolons = 'nome;ação\r\n"João; ""o""";"x, y"\r\nAna;z'
  assert.deepEqual(rowsOf(semicolons), expected)
  assert.deepEqual(rowsOf(`\ufeff${semicolons}\r\n`), expected)
  assert.deepEqual(rowsOf(Buffer.from(semicolons, 'latin1')), expected)
  assert.deepEqual(rowsOf(Buffer.from(semicolons, 'latin1'), 'iso-8859-1'), expected)
  assert.deepEqual(rowsOf(Buffer.from(`\ufeff${semicolons}`, 'utf16le')), expected)
  assert.deepEqual(rowsOf('nome,ação\n"João; ""o""","x, y"\n\n , \nAna,z\n'), expected)
  assert.deepEqual(rowsOf('nome\tação\r"João; ""o"""\tx, y\rAna\tz'), expected, 'lines that end in CR alone')
  assert.deepEqual(rowsOf('nome|ação\n"João; ""o"""|x, y\nAna|z'), expected)
  assert.deepEqual(rowsOf('a,b\n"x\r\ny",2'), [
    ['a', 'b'],
    ['x\r\ny', '2'],
  ])
  assert.deepEqual(rowsOf('a,b\n 5" tv,"q" r'), [
    ['a', 'b'],
    [' 5" tv', 'q r'],
  ])
  assert.deepEqual(rowsOf("a,b\n'=x,'+55 11"), [
    ['a', 'b'],
    ['=x', '+55 11'],
  ])
  assert.deepEqual(rowsOf(''), [])
})

test('the line by which Excel names the separator is not a row, in any character set', () => {
  const expected = [
    ['nome', 'a, b'],
    ['Ana', 'z'],
  ]
  for (const line of ['sep=;\r\n', 'SEP=;\n', 'sep=;\r']) assert.deepEqual(rowsOf(`${line}nome;a, b\nAna;z`), expected)
  assert.deepEqual(rowsOf('sep=\t\nnome\ta, b\nAna\tz'), expected)
  assert.deepEqual(rowsOf(`\ufeffsep=;\r\nnome;a, b\r\nAna;z`), expected)
  assert.deepEqual(rowsOf(Buffer.from(`\ufeffsep=;\r\nnome;a, b\r\nAna;z`, 'utf16le')), expected)
  assert.deepEqual(rowsOf('sep=a;b\n1;2'), [
    ['sep=a', 'b'],
    ['1', '2'],
  ])
})

test('lines are counted as a spreadsheet program does: with the header, empty rows and line ends within a cell', () => {
  const lines = (text: string) => listRows(text).map(({ line }) => line)
  assert.deepEqual(lines('a;b\n1;2\n\n;\n"x\ny";3\n4;5'), [1, 2, 5, 6])
  assert.deepEqual(lines('sep=;\r\na;b\r\n\r\n1;2'), [1, 3])
})

test('the same rows, wherever the pieces of a file are divided', () => {
  const line = '"a ""b"" ç";"x\r\ny"; ""\r\n'
  for (const pad of [65_530, 65_531, 65_532, 65_533, 65_534, 65_535, 65_536]) {
    // The second row is long and gets truncated; the rows after it cross the chunk boundary.
    const rows = rowsOf(`a;b;c\r\n${'x'.repeat(pad - 20)};b;c\r\n${line.repeat(3)}`)
    assert.deepEqual(rows.slice(2), Array(3).fill(['a "b" ç', 'x\r\ny', '']), String(pad))
  }
})

test('cells and rows are cut, and files that are not CSV are refused', () => {
  assert.deepEqual(rowsOf(`${'x'.repeat(50)},b\n${'1,'.repeat(20)}`), [
    ['x'.repeat(11), 'b'],
    ['1', '1', '1', '1', '1'],
  ])
  assert.throws(() => rowsOf('a\nb\n"c'), { message: /Row 3 has a quote/ })
  assert.throws(() => rowsOf('a\0b'), { message: /NUL/ })
  assert.throws(() => rowsOf(Buffer.from([0x61, 0xff]), 'utf-8'), { message: /not in utf-8/ })
  assert.throws(() => rowsOf('a', 'klingon'), { kind: 'media_type' })
})

async function batchesOf(read: ReturnType<typeof listFiles>, bytes: Buffer, mediaType = CSV) {
  const batches: string[][][] = []
  for await (const rows of read(
    'usr_1',
    { mediaType, charset: null, bytes: [bytes] },
    { cellLength: 2001, cells: 101 },
  ))
    batches.push(rows.map(({ cells }) => cells))
  return batches
}

test('a list of 20,000 rows arrives in batches from a process with a small heap', async () => {
  const count = 20_000
  const body = Array.from({ length: count }, (_, i) => `Pessoa ${i};${'x'.repeat(500)}`).join('\n')
  const batches = await batchesOf(listFiles({ heapMb: 32 }), Buffer.from(`nome;nota\n${body}`))
  assert.ok(batches.every((rows) => rows.length <= LIST_BATCH))
  const rows = batches.flat()
  assert.equal(rows.length, count + 1)
  assert.equal(rows.at(-1)?.[0], `Pessoa ${count - 1}`)
})

test('an XLSX arrives as text; numbers have no exponent', async () => {
  const file = await writeByOpenpyxl(`
sheet.append(['telefone', 'dia', 'ok', 'n'])
sheet.append([5511987654321, date(2026, 3, 1), True, 1.5])
sheet.append([None, None, None, None])
sheet.append(['(11) 98765-4321', None, False, None])
`)
  assert.deepEqual(await batchesOf(listFiles(), file, XLSX), [
    [
      ['telefone', 'dia', 'ok', 'n'],
      ['5511987654321', '2026-03-01', 'true', '1.5'],
      ['(11) 98765-4321', '', 'false', ''],
    ],
  ])
})

test('a reader that stops early ends the process and frees its place; more at once are refused', async () => {
  const read = listFiles({ atOnce: 1, waiting: 0 })
  const bytes = Buffer.from(`a\n${'1\n'.repeat(10_000)}`)
  const first = read('usr_1', { mediaType: CSV, charset: null, bytes: [bytes] }, limits)
  assert.equal((await first.next()).value?.length, LIST_BATCH)
  await assert.rejects(batchesOf(read, bytes), { kind: 'unavailable' })
  await first.return(undefined)
  assert.equal((await batchesOf(read, Buffer.from('a\n1'))).flat().length, 2)
  await assert.rejects(batchesOf(read, Buffer.from('PK secret'), XLSX), {
    kind: 'invalid',
    message: /not a valid XLSX/,
  })
  assert.equal((await batchesOf(read, Buffer.from('a\n1'))).flat().length, 2)
})

test('an XLSX whose sheet is large is read whole, in order', async () => {
  const count = 20_000
  const rows = Array.from({ length: count }, (_, i) => [`Pessoa ${i} da Silva`, `(11) 9${80_000_000 + i}`])
  const bytes = await writeXlsx(['nome', 'telefone'], rows)
  const file = { mediaType: XLSX, charset: null, bytes: [bytes] }
  const read = (await Array.fromAsync(listFiles()('usr_1', file, { cellLength: 100, cells: 10 }))).flat()
  assert.equal(read.length, count + 1)
  const last = { line: count + 1, cells: rows.at(-1) }
  assert.deepEqual([read[0], read.at(-1)], [{ line: 1, cells: ['nome', 'telefone'] }, last])
})

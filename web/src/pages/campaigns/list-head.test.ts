import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvRows, decodeHead, guessPhoneColumn, headOf } from './list-head.ts'

test('columns and rows of a CSV with semicolons, quotes and a byte order mark', () => {
  const head = headOf('\uFEFFNome; Celular;"Obs; nota"\r\n"Ana ""A""";(11) 98765-4321;x\r\n\r\nBia;11 3000-0000;\r\n')
  assert.deepEqual(head?.columns, ['Nome', 'Celular', 'Obs; nota'])
  assert.deepEqual(head?.rows, [
    ['Ana "A"', '(11) 98765-4321', 'x'],
    ['Bia', '11 3000-0000', ''],
  ])
  assert.equal(head && guessPhoneColumn(head), 'Celular')
})

test('a row that was cut is left out, an unfinished one at the end of the file is not', () => {
  assert.equal(csvRows('a,b\n1,2\n3', 10, true).length, 2)
  assert.equal(csvRows('a,b\n1,2\n3', 10).length, 3)
  assert.equal(csvRows('a\n1\n2\n3\n', 2).length, 2)
  assert.equal(headOf(''), null)
})

test('the number column is found by its contents where its name says nothing', () => {
  const guess = (text: string) => guessPhoneColumn(headOf(text) ?? { columns: [], rows: [] })
  assert.equal(guess('cliente,contato,valor\nAna,+55 11 98765-4321,20\n'), 'contato')
  assert.equal(guess('número,phone\n12,+351 912 345 678\n'), 'phone')
  assert.equal(guess('telefone\n'), 'telefone')
  assert.equal(guess('a,b\n1,2\n'), null)
})

test('text of an older Excel is not garbled', () => {
  assert.equal(decodeHead(new Uint8Array([0x4a, 0x6f, 0xe3, 0x6f]), false), 'João')
  assert.equal(decodeHead(new TextEncoder().encode('João'), false), 'João')
})

test('what Excel saves as Unicode text is read, and the line that names the delimiter is no column', () => {
  const utf16 = (text: string) => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'))
  const text = 'Nome\tTelefone\r\nJoão\t11987654321\r\n'
  assert.deepEqual(headOf(decodeHead(utf16(text), false))?.columns, ['Nome', 'Telefone'])
  assert.deepEqual(
    headOf(
      decodeHead(
        utf16(text).map((_, i, all) => all[i ^ 1] ?? 0),
        false,
      ),
    )?.rows,
    [['João', '11987654321']],
  )
  assert.deepEqual(headOf('sep=;\r\nNome, social;Telefone\r\nAna;1\r\n'), {
    columns: ['Nome, social', 'Telefone'],
    rows: [['Ana', '1']],
  })
  assert.deepEqual(headOf('sep\n1\n')?.columns, ['sep'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, columnLayouts, draftOf, fileTypeOf, fitWidths, parseCell, sheetName } from './sheet-cells.ts'

test('input becomes a number only if it round-trips', () => {
  for (const [text, cell] of [
    ['12', 12],
    ['-1.5', -1.5],
    ['007', '007'],
    ['1,50', '1,50'],
    ['1.50', '1.50'],
    ['+5511999990000', '+5511999990000'],
    ['12345678901', '12345678901'],
    ['true', 'true'],
    ['  ', null],
    ['', null],
  ] as const)
    assert.equal(parseCell(text, null), cell, text)
  assert.equal(parseCell('false', true), false)
  assert.equal(parseCell('no', true), 'no')
})

test('only changed cells are sent', () => {
  const columns = ['Name', 'Age', 'Paid']
  const values = { Name: 'Ana', Age: 30, Paid: true }
  const draft = draftOf(columns, values)
  assert.deepEqual(draft, { Name: 'Ana', Age: '30', Paid: 'true' })
  assert.deepEqual(changesOf(columns, values, draft), {})
  assert.deepEqual(changesOf(columns, values, { ...draft, Age: '31', Name: '' }), { Name: null, Age: 31 })
  assert.deepEqual(changesOf(columns, null, { Name: 'Rui', Age: '', Paid: '' }), { Name: 'Rui' })
})

test('file types are detected by extension', () => {
  assert.equal(fileTypeOf('Pedidos.CSV'), 'text/csv')
  assert.match(fileTypeOf('a.b.xlsx') ?? '', /spreadsheetml/)
  for (const none of ['a.xls', 'a', 'a.constructor']) assert.equal(fileTypeOf(none), undefined)
  assert.equal(sheetName('pedidos.2026.csv'), 'pedidos.2026')
})

test('column widths follow their content, within bounds', () => {
  const rows = [{ values: { A: 'x', B: 'x'.repeat(500), C: 'São Paulo, Brazil' } }]
  const looks = columnLayouts(['A', 'B', 'C'], rows)
  const [a = 0, b = 0, c = 0] = looks.map(({ width }) => width)
  assert.ok(a < c && c < b)
  assert.equal(b, 320)
  assert.deepEqual(columnLayouts(['A'], []), [{ width: 88, isFigures: false }])
  assert.deepEqual(fitWidths(looks, 100), [a, b, c])
  const wide = fitWidths(looks, 2 * (a + b + c))
  assert.deepEqual(wide, [2 * a, 2 * b, 2 * c])
})

test('a numeric column contains only numbers', () => {
  const looks = columnLayouts(
    ['A', 'B', 'C'],
    [{ values: { A: 1, B: 1, C: null } }, { values: { A: null, B: '007', C: null } }],
  )
  assert.deepEqual(
    looks.map(({ isFigures }) => isFigures),
    [true, false, false],
  )
})

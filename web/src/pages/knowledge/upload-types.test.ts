import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, documentName, uploadTypeOf } from './upload-types.ts'

test('file types are detected by extension, ignoring case', () => {
  assert.equal(uploadTypeOf('Guia.PDF'), 'application/pdf')
  assert.equal(uploadTypeOf('a.b.md'), 'text/markdown')
  assert.equal(uploadTypeOf('prices.csv'), 'text/csv')
  for (const unknown of ['photo.png', 'table.xlsx', 'pdf.', 'noending', 'x.constructor'])
    assert.equal(uploadTypeOf(unknown), undefined, unknown)
  assert.match(accepted, /\.pdf,.*\.csv/)
})

test('the document name is the file name without extension', () => {
  assert.equal(documentName('guia.2026.pdf'), 'guia.2026')
  assert.equal(documentName('.md'), '.md')
  assert.equal(documentName('x'.repeat(300)).length, 255)
})

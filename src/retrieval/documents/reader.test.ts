// Documents of every type, and malicious ones.
// @run rest
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import type { AppError } from '../../base/errors/errors.ts'
import { type ContentType, documentReader, type ReadDocument } from './reader.ts'

const read = documentReader()
const textDocument = (contentType: ContentType, content: string) => read('usr_1', { contentType, content })
const file = (contentType: ContentType, bytes: Uint8Array, charset: string | null = null) =>
  read('usr_1', { contentType, bytes: [bytes], charset })

async function refused(reading: Promise<ReadDocument>, kind: AppError['kind'], message: RegExp): Promise<void> {
  const error = await reading.then(
    ({ passages }) => assert.fail(`it was read: ${JSON.stringify(passages).slice(0, 200)}`),
    (thrown: AppError) => thrown,
  )
  assert.equal(error.kind, kind, error.message)
  assert.match(error.message, message)
}

function aPdf(write: (pdf: typeof PDFDocument.prototype) => void, options = {}): Promise<Buffer> {
  const pdf = new PDFDocument(options)
  const pieces: Buffer[] = []
  pdf.on('data', (piece: Buffer) => pieces.push(piece))
  write(pdf)
  pdf.end()
  return new Promise((resolve) => pdf.on('end', () => resolve(Buffer.concat(pieces))))
}

/** A page with this content stream. */
function barePdf(stream: Buffer, filter: string): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>',
  ]
  const head = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('')
  const begin = `%PDF-1.4\n${head}4 0 obj\n<</Length ${stream.length} ${filter}>>\nstream\n`
  return Buffer.concat([
    Buffer.from(begin),
    stream,
    Buffer.from('\nendstream\nendobj\ntrailer\n<</Size 5/Root 1 0 R>>\n%%EOF'),
  ])
}

test('a PDF is read with its headings', async () => {
  const bytes = await aPdf((pdf) => {
    pdf.fontSize(24).text('Manual da clínica').moveDown()
    pdf.fontSize(16).text('Horários').fontSize(11)
    pdf.text('Abrimos de segunda a sexta, das oito às dezoito, e aos sábados até o meio-dia.').moveDown()
    pdf.fontSize(16).text('Preços').fontSize(11).text('A consulta custa R$ 200.')
  })
  assert.deepEqual((await file('application/pdf', bytes)).passages, [
    {
      heading: 'Manual da clínica › Horários',
      content: 'Abrimos de segunda a sexta, das oito às dezoito, e aos sábados até o meio-dia.',
    },
    { heading: 'Manual da clínica › Preços', content: 'A consulta custa R$ 200.' },
  ])
})

test('a PDF that is broken, truncated, locked, empty or not a PDF is refused', async () => {
  const whole = await aPdf((pdf) => pdf.text('Words.'))
  const locked = await aPdf((pdf) => pdf.text('Words.'), { userPassword: 'x', ownerPassword: 'y' })
  const empty = await aPdf(() => {})
  await refused(file('application/pdf', whole.subarray(0, 200)), 'invalid', /no PDF/)
  await refused(file('application/pdf', Buffer.from('%PDF-1.7 and then nothing')), 'invalid', /no PDF/)
  await refused(file('application/pdf', Buffer.from('PK\x03\x04 a zip')), 'invalid', /no PDF/)
  await refused(file('application/pdf', locked), 'invalid', /password/)
  await refused(file('application/pdf', empty), 'invalid', /no text/)
  await refused(textDocument('application/pdf', '%PDF'), 'invalid', /body itself/)
})

test('a PDF that unpacks endlessly is stopped by the memory or time limit', async () => {
  const packed = deflateSync(Buffer.alloc(150_000_000, 'q Q '), { level: 1 })
  const small = documentReader({ heapMb: 64, outsideMb: 20, limitMs: 120_000 })
  const bomb = barePdf(packed, '/Filter /FlateDecode')
  await refused(small('usr_1', { contentType: 'application/pdf', bytes: [bomb], charset: null }), 'too_large', /memory/)
  const quick = documentReader({ limitMs: 1, outsideMb: 10_000 })
  await refused(
    quick('usr_1', { contentType: 'application/pdf', bytes: [bomb], charset: null }),
    'too_large',
    /too long/,
  )
})

test('only the readable text of a page is kept; nothing in it is executed', async () => {
  const html = `<html><head><title>T</title><script>alert('evil')</script><style>p{color:red}</style></head><body>
<nav>Menu</nav><h1>Hotel</h1><p onclick="evil()">Rooms &amp; <b>more</b>. <a href="javascript:evil()">Book</a></p><script>document.write('evil')</script>
<h2>Prices</h2><table><tr><th>Room</th><th>Price</th></tr><tr><td><p>Single</p></td><td>60</td></tr><tr><td>Double|twin</td><td>90</td></tr></table>
<ul><li>Sea</li><li>Sun</li></ul><noscript>evil</noscript><svg><text>evil</text></svg><iframe src="x">evil</iframe><footer><p>Imprint, evil</p></footer><!-- evil --></body></html>`
  const { passages } = await textDocument('text/html', html)
  assert.deepEqual(passages, [
    { heading: 'Hotel', content: 'Rooms & more. Book' },
    { heading: 'Hotel › Prices', content: '| Room | Price |\n| Single | 60 |\n| Double/twin | 90 |\n\n- Sea\n- Sun' },
  ])
  const old = Buffer.from('<html><meta charset="iso-8859-1"><p>Informação à mão</p></html>', 'latin1')
  assert.equal((await file('text/html', old)).passages[0]?.content, 'Informação à mão')
})

test('a page that is nested too deeply, or has no words, is refused at once', async () => {
  await refused(textDocument('text/html', `${'<div>'.repeat(300_000)}x`), 'invalid', /too deep/)
  await refused(textDocument('text/html', '<script>x</script>'), 'invalid', /no text/)
  await refused(textDocument('text/html', `${'x'.repeat(8_000_001)}`), 'too_large', /letters/)
  const deepish = `${'<div>'.repeat(100)}<p>Words.</p>${'</div>'.repeat(100)}`
  assert.equal((await textDocument('text/html', deepish)).passages[0]?.content, 'Words.')
})

test('each table row is a passage with its labels, in any of the usual formats', async () => {
  const expected = [
    { heading: '', content: 'Produto: Camiseta\nPreço: 59,90' },
    { heading: '', content: 'Produto: Calça, longa\nPreço: 120' },
  ]
  const texts = [
    'Produto;Preço\r\nCamiseta;59,90\r\n"Calça, longa";120\r\n\r\n',
    '\ufeffProduto\tPreço\nCamiseta\t59,90\nCalça, longa\t120',
  ]
  for (const text of texts) assert.deepEqual((await textDocument('text/csv', text)).passages, expected)
  const windows = Buffer.from('Produto;Preço\nCamiseta;59,90\n"Calça, longa";120', 'latin1')
  assert.deepEqual((await file('text/csv', windows)).passages, expected)
})

test('a table of a million cells, or of a thousand columns, is refused', async () => {
  await refused(textDocument('text/csv', 'a,'.repeat(99).concat('b\n').repeat(10_000)), 'too_large', /cells/)
  await refused(textDocument('text/csv', 'a,'.repeat(1000)), 'too_large', /columns/)
  await refused(textDocument('text/csv', 'only,a,head'), 'invalid', /no text/)
})

test('binary content declared as text is refused', async () => {
  const zip = Buffer.concat([
    Buffer.from('PK\x03\x04\x14\x00\x00\x00\x08\x00', 'latin1'),
    deflateSync(Buffer.alloc(5000, 'abc')),
  ])
  await refused(file('text/plain', zip), 'invalid', /no text|NUL/)
  await refused(file('text/markdown', Buffer.from('a\0b')), 'invalid', /NUL/)
  await refused(file('text/html', Buffer.from('<p>a\0b</p>')), 'invalid', /NUL/)
  await refused(file('text/plain', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x01, 0x02])), 'invalid', /no text/)
  await refused(file('text/plain', Buffer.from('caf\xe9', 'latin1'), 'utf-8'), 'invalid', /UTF-8/)
  await refused(file('text/plain', Buffer.from('x'), 'koi8-r'), 'media_type', /charset/)
  await refused(textDocument('text/plain', ' \n\t '), 'invalid', /no text/)
  assert.equal((await file('text/plain', Buffer.from('São', 'latin1'))).passages[0]?.content, 'São')
  assert.equal(
    (await file('text/plain', Buffer.from('caf\xe9 da manhã', 'latin1'))).passages[0]?.content,
    'café da manhã',
  )
  assert.equal((await file('text/plain', Buffer.from('\ufeffolá', 'utf16le'), 'utf-16le')).passages[0]?.content, 'olá')
})

test('five million characters in one line are refused; just under two million are split and kept', async () => {
  await refused(textDocument('text/plain', 'x'.repeat(5_000_000)), 'too_large', /2000000/)
  const { passages, letters } = await textDocument('text/plain', 'x'.repeat(1_990_000))
  assert.equal(letters, 1_990_000)
  assert.ok(passages.length > 400 && passages.every(({ content }) => content.length <= 4000))
})

test('concurrent reads are limited, and so is their queue', async () => {
  const busy = documentReader({ atOnce: 1, waiting: 1 })
  const one = () => busy('usr_1', { contentType: 'text/csv', content: 'a,b\n1,2' })
  const begun = [one(), one()]
  await refused(one(), 'unavailable', /try again/)
  for (const { passages } of await Promise.all(begun)) assert.equal(passages.length, 1)
  assert.equal((await one()).passages.length, 1)
})

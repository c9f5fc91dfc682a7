// Documents sent as the request body: types, names, limits, and content that does not match its type.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { assertError, type Client, testApp } from '../../../test/app.ts'

const url = '/api/knowledge-bases'

async function aPlace(ana: Client) {
  const { id } = (await ana.post(url, { name: 'x' })).json
  const upload = (type: string, payload: string | Buffer, name = '?name=file', more: object = {}) =>
    ana.send({
      method: 'POST',
      url: `${url}/${id}/documents${name}`,
      headers: { 'content-type': type, ...more },
      payload,
    })
  const passagesOf = async (documentId: string) => (await ana.get(`${url}/${id}/documents/${documentId}`)).json.passages
  return { id, upload, passagesOf }
}

test('text, Markdown, HTML, CSV and PDF are accepted as the request body', async () => {
  const { ana } = await testApp()
  const { upload, passagesOf } = await aPlace(ana)
  const pdf = new PDFDocument()
  const pieces: Buffer[] = []
  pdf.on('data', (piece: Buffer) => pieces.push(piece))
  pdf.fontSize(20).text('Prices').fontSize(11).text('A shirt costs ten euros in the shop.').end()
  await new Promise((done) => pdf.on('end', done))
  const files: [type: string, body: string | Buffer, heading: string, content: RegExp][] = [
    ['text/plain; charset=utf-8', 'Prices\n\nA shirt costs ten.', 'Prices', /A shirt costs ten\./],
    ['text/markdown', '# Prices\n\nA shirt costs ten.', 'Prices', /A shirt costs ten\./],
    ['TEXT/HTML', '<h1>Prices</h1><p>A shirt costs ten.</p>', 'Prices', /A shirt costs ten\./],
    ['text/csv', 'Item,Price\nShirt,10', '', /Item: Shirt\nPrice: 10/],
    ['application/pdf', Buffer.concat(pieces), 'Prices', /A shirt costs ten euros/],
    ['text/plain', Buffer.from('Pre\xe7os da loja.', 'latin1'), '', /Preços da loja\./],
  ]
  for (const [type, body, heading, content] of files) {
    const { status, json, text } = await upload(type, body, `?name=${encodeURIComponent('Preços, 1')}`)
    assert.equal(status, 201, `${type}: ${text}`)
    assert.equal(json.name, 'Preços, 1')
    assert.equal(json.contentType, type.toLowerCase().split(';')[0])
    const [passage] = await passagesOf(json.id)
    assert.equal(passage.heading, heading)
    assert.match(passage.content, content)
  }
})

test('an upload can replace a document, and a repeated one is processed once', async () => {
  const { ana } = await testApp()
  const { id, upload, passagesOf } = await aPlace(ana)
  const key = { 'idempotency-key': 'one' }
  const [first, again] = [
    await upload('text/plain', 'Old words.', undefined, key),
    await upload('text/plain', 'Old words.', undefined, key),
  ]
  assert.equal(again.json.id, first.json.id)
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assertError(await upload('text/plain', 'Other words.', undefined, key), 422)
  const put = await ana.send({
    method: 'PUT',
    url: `${url}/${id}/documents/${first.json.id}?name=new`,
    headers: { 'content-type': 'text/markdown' },
    payload: '# New\n\nNew words.',
  })
  assert.equal(put.status, 200, put.text)
  assert.equal(put.json.name, 'new')
  assert.equal((await passagesOf(first.json.id))[0].heading, 'New')
  assert.equal((await ana.get(`${url}/${id}`)).json.documentCount, 1)
})

test('an upload needs a name, a known type and content', async () => {
  const { ana } = await testApp()
  const { id, upload } = await aPlace(ana)
  for (const name of ['', '?name=', '?name=%20'])
    assertError(await upload('text/plain', 'x', name), 400, /name is required/)
  assertError(await upload('text/plain', 'x', `?name=${'x'.repeat(256)}`), 400, /name/)
  for (const type of [
    'application/zip',
    'text/xml',
    'image/png',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
  ])
    assertError(await upload(type, 'x'), 415, /^The body must be application\/json, text\/plain, /)
  assertError(await upload('text/plain', 'x', undefined, { 'content-encoding': 'gzip' }), 415)
  assertError(await upload('text/plain', ''), 400, /^The body is missing/)
  assertError(await upload('text/plain', ' \n '), 400, /no text/)
  assertError(
    await ana.send({
      method: 'POST',
      url: `${url}/nope/documents?name=x`,
      headers: { 'content-type': 'text/plain' },
      payload: 'x',
    }),
    404,
  )
  assert.deepEqual((await ana.get(`${url}/${id}/documents`)).json, [])
})

test('malicious files are refused, and the service keeps running', async () => {
  const { ana } = await testApp()
  const { id, upload } = await aPlace(ana)
  const zip = Buffer.concat([Buffer.from('PK\x03\x04\x14\x00\x00', 'latin1'), deflateSync(Buffer.alloc(9000, 'x'))])
  assertError(await upload('text/plain', zip), 400, /no text|NUL/)
  assertError(await upload('text/plain', Buffer.from('a\0b')), 400, /NUL/)
  assertError(await upload('application/pdf', zip), 400, /no PDF/)
  assertError(await upload('application/pdf', '%PDF-1.7\nbroken'), 400, /no PDF/)
  assertError(await upload('text/html', `${'<b>'.repeat(100_000)}x`), 400, /too deep/)
  assertError(await upload('text/plain', 'x'.repeat(5_000_000)), 413, /letters/)
  assertError(await upload('text/csv', 'a,'.repeat(99).concat('b\n').repeat(10_000)), 413)
  assert.deepEqual((await ana.get(`${url}/${id}/documents`)).json, [])
  assert.equal((await upload('text/plain', 'Good words.')).status, 201)
})

test('a file may have ten megabytes, JSON and other routes one', async () => {
  const { ana, anonymous } = await testApp()
  const { id, upload } = await aPlace(ana)
  const page = (bytes: number) => `<p>Words.</p><!--${'x'.repeat(bytes - 20)}-->`
  assert.equal((await upload('text/html', page(7_000_000))).status, 201)
  const large = 'x'.repeat(10_485_761)
  assertError(await upload('text/html', large), 413, 'The body is larger than 10485760 bytes')
  const documents = `${url}/${id}/documents`
  assertError(
    await anonymous({ method: 'POST', url: documents, headers: { 'content-type': 'text/plain' }, payload: large }),
    413,
  )
  const json = JSON.stringify({ name: 'x', content: 'x'.repeat(1_048_576) })
  assertError(await upload('application/json', json), 413, 'The body is larger than 1048576 bytes')
  const elsewhere = { method: 'POST', url, headers: { 'content-type': 'text/html' }, payload: page(1_100_000) } as const
  assertError(await ana.send(elsewhere), 413)
})

test('a document that keeps its parser busy delays no other request', async () => {
  const { ana } = await testApp()
  const { id } = await aPlace(ana)
  const hostile = [`# a${' '.repeat(900_000)}b`, `| a |\n|${'-'.repeat(400_000)}x|\n| b |`, 'Dr. A '.repeat(150_000)]
  for (const content of hostile) {
    const start = process.threadCpuUsage() // of this thread, not the wall clock: the machine may be busy
    const { status, text } = await ana.post(`${url}/${id}/documents`, { name: 'x', content })
    const { user, system } = process.threadCpuUsage(start)
    assert.equal(status, 201, text.slice(0, 200))
    // Without the fix, this took minutes to hours.
    assert.ok(user + system < 2_000_000, `${Math.round((user + system) / 1000)} ms`)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorReport, redact } from './error-report.ts'

test('a report names the error and the place, and no secret', () => {
  const error = new TypeError('no x of ana@example.com with rk_0123456789abcdef0123456789 on +55 11 98765-4321')
  const report = errorReport({
    error,
    componentStack: '\n    at Live (http://h/assets/live-B1.js:3:4)',
    path: '/agents/agt_01kjq4m8x2v6t0c3r9n5h7wzde?tab=voice',
    build: '/assets/page-Ab12.js',
    at: '2026-01-01T00:00:00.000Z',
  })
  assert.match(report, /TypeError: no x of …/)
  assert.match(report, /live-B1\.js:3:4/)
  assert.match(report, /page-Ab12\.js · \/agents\/… · 2026-01-01/)
  for (const secret of ['ana@', 'rk_0123', '98765', 'agt_01', 'tab=voice']) assert.ok(!report.includes(secret), secret)
})

test('addresses lose their queries', () => {
  assert.equal(redact('GET http://h/a?token=abc failed'), 'GET http://h/a failed')
})

test('a report is bounded', () => {
  const error = new Error('long '.repeat(5000))
  assert.ok(errorReport({ error, path: '/', build: 'b', at: 't' }).length <= 4000)
})

test('what is thrown may be anything', () => {
  assert.match(errorReport({ error: 'plain', path: '/', build: 'b', at: 't' }), /Error: plain/)
})

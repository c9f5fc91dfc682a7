import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRequest } from '../message/build.ts'
import { sessionOf } from './session-body.ts'

const sdp = 'v=0\r\ns=-\r\n'

const carrying = (type: string, content: string, headers: Record<string, string> = {}) =>
  sessionOf(
    newRequest({
      method: 'INVITE',
      uri: 'sip:b@b',
      from: '<sip:a@a>;tag=1',
      to: '<sip:b@b>',
      callId: 'c',
      cseq: 1,
      headers,
      body: { type, content },
    }),
  )

test('the SDP is found alone and among other parts', () => {
  assert.deepEqual(carrying('application/sdp', ''), { sdp: null })
  assert.deepEqual(carrying('Application/SDP; charset=utf-8', sdp), { sdp })
  const parts = (end: string) =>
    [
      '--b1',
      'Content-Type: application/isup;version=nxv3',
      '',
      '\x01\x02',
      '--b1',
      'c: application/sdp',
      '',
      `v=0\r\ns=-${end}`,
      '--b1--',
      '',
    ].join('\r\n')
  for (const end of ['', '\r\n']) {
    assert.deepEqual(carrying('multipart/mixed; boundary="b1"', parts(end)), { sdp })
    assert.deepEqual(carrying('multipart/mixed;boundary=b1', parts(end)), { sdp })
  }
})

test('what cannot be read as a session is named', () => {
  assert.deepEqual(carrying('text/plain', 'x'), { unsupported: 'text/plain' })
  assert.deepEqual(carrying('multipart/mixed', 'x'), { unsupported: 'multipart/mixed' })
  assert.deepEqual(carrying('multipart/mixed;boundary=b', '--b\r\nContent-Type: a/b\r\n\r\nx\r\n--b--'), {
    unsupported: 'multipart/mixed',
  })
  assert.deepEqual(carrying('application/sdp', 'x', { 'content-encoding': 'gzip' }), { unsupported: 'encoding gzip' })
})

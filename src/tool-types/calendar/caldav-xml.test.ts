import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALDAV, childOf, DAV, readMultistatus, readXml } from './caldav-xml.ts'

test('prefixes, default namespaces, CDATA and numeric character references are read', () => {
  const text = `\ufeff<?xml version="1.0"?><!-- a --><d:multistatus xmlns:d="DAV:" xmlns:c='${CALDAV}'>
<response xmlns="DAV:"><href>/a&amp;b/&#233;&#xE7;.ics</href><propstat><prop><getetag>"1"</getetag>
<c:calendar-data c:x="1 &gt; 0"><![CDATA[BEGIN:<&>]]></c:calendar-data><displayname/></prop><status>HTTP/1.1 200 OK</status></propstat>
<propstat><prop><owner>no</owner></prop><status>HTTP/1.1 404 Not Found</status></propstat></response></d:multistatus>`
  const [one, ...rest] = readMultistatus(text) ?? []
  assert.ok(one && rest.length === 0)
  assert.equal(one.href, '/a&b/éç.ics')
  assert.equal(childOf(one.props, DAV, 'getetag')?.text, '"1"')
  assert.equal(childOf(one.props, CALDAV, 'calendar-data')?.text, 'BEGIN:<&>')
  assert.equal(childOf(one.props, CALDAV, 'calendar-data')?.attributes['c:x'], '1 > 0')
  assert.equal(childOf(one.props, DAV, 'displayname')?.text, '')
  assert.equal(childOf(one.props, DAV, 'owner'), undefined)
  assert.deepEqual(readMultistatus('<multistatus xmlns="DAV:"/>'), [])
})

test('malformed XML is rejected', () => {
  const wrong = [
    '',
    'plain text',
    '<a>',
    '<a></b>',
    '</a>',
    '<a/><b/>',
    '<a b=c/>',
    '<a>&unknown;</a>',
    '<a>&#0;</a>',
    '<a>&#x110000;</a>',
    '<a>& b</a>',
    '<a><!-- </a>',
    '<a><![CDATA[ </a>',
    '<a',
    '<html><body>Sign in<br></body></html>',
    '<multistatus xmlns="OTHER:"/>',
  ]
  for (const text of wrong) assert.equal(readMultistatus(text), null, text)
})

test('custom entities, unlimited depth and unlimited breadth are refused', () => {
  const bomb = '<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>'
  assert.equal(readXml(bomb), null)
  assert.equal(readXml('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'), null)
  assert.equal(readXml('<a>'.repeat(60) + '</a>'.repeat(60)), null)
  assert.equal(readXml(`<a>${'<b/>'.repeat(50_000)}</a>`), null)
  assert.equal(readXml(`<a ${'x '.repeat(100_000)}>`), null)
  assert.equal(readXml('<'.repeat(100_000)), null)
  assert.ok(readXml(`<a ${'x="1" '.repeat(10_000)}/>`))
})

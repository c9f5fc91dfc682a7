// Browser names from user agents.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceName } from './device-name.ts'

const of = (text: string | null) => deviceName(text).name

test('names browser and system, despite imitated user agents', () => {
  const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
  assert.equal(of(`${windows} ${chrome}`), 'Chrome, Windows')
  assert.equal(of(`${windows} ${chrome} Edg/126.0.0.0`), 'Edge, Windows')
  assert.equal(of(`${windows} ${chrome} OPR/111.0.0.0`), 'Opera, Windows')
  assert.equal(of('Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'), 'Firefox, Linux')
  const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15'
  assert.equal(of(`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari}`), 'Safari, macOS')
  const iphone = `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${safari.replace('17.5', '17.5 Mobile/15E148')}`
  assert.deepEqual(deviceName(iphone), { name: 'Safari, iPhone', isMobile: true })
  const android = `Mozilla/5.0 (Linux; Android 10; K) ${chrome.replace('Safari', 'Mobile Safari')}`
  assert.deepEqual(deviceName(android), { name: 'Chrome, Android', isMobile: true })
})

test('a program is named by its first word; null without a user agent', () => {
  assert.deepEqual(deviceName('curl/8.5.0'), { name: 'curl', isMobile: false })
  for (const none of [null, '', ' x', '/']) assert.equal(of(none), null)
})

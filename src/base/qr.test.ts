import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import jsQR from 'jsqr'
import { PNG } from 'pngjs'
import { qrDataUrl, qrPng, qrSvg, qrTerminal } from './qr.ts'

const read = jsQR as unknown as typeof jsQR.default
const texts = [
  'x',
  `https://voice.example.org/provision/${'aB3_-'.repeat(6)}`,
  'sip:d2:p%40ss@[2001:db8::1]:5061',
  'ã'.repeat(700),
]

test('a picture is read by others as what it says, whatever its size', () => {
  for (const text of texts) {
    const { data, width, height } = PNG.sync.read(qrPng(text))
    assert.equal(width, height)
    assert.equal(read(new Uint8ClampedArray(data), width, height)?.data, text)
    const [, inUrl = ''] = /^data:image\/png;base64,(.+)$/.exec(qrDataUrl(text)) ?? []
    assert.ok(Buffer.from(inUrl, 'base64').equals(qrPng(text)))
  }
})

test('what a terminal shows is read too, and is dark on light where it has colours', async () => {
  const [, text = ''] = texts
  const drawn = await qrTerminal(text, true)
  const lines = stripVTControlCharacters(drawn)
    .split('\n')
    .filter((line) => line !== '')
  assert.ok(drawn.startsWith('\x1b[30;107m'))
  assert.equal(stripVTControlCharacters(drawn), await qrTerminal(text, false))
  const scale = 4
  const [width, height] = [(lines[0] ?? '').length * scale, lines.length * 2 * scale]
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const row = Math.floor(y / scale)
      const letter = lines[row >> 1]?.[Math.floor(x / scale)] ?? ' '
      const isDark = letter === '█' || letter === (row % 2 === 0 ? '▀' : '▄')
      if (isDark) pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  assert.equal(read(pixels, width, height)?.data, text)
})

test('a vector picture is one', async () => {
  assert.match(await qrSvg('x'), /^<svg [^>]*viewBox="0 0 29 29"/)
})

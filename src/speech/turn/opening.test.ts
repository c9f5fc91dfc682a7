// The turn model as the settings name it: opened once when first needed, and done without where it cannot be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../base/log.ts'
import { readConfig } from '../../config/load.ts'
import { openSpeech } from '../open.ts'

function speechWith(env: Record<string, string>) {
  const lines: string[] = []
  const log = createLog('warn', { write: (line: string) => void lines.push(line) })
  return { lines, speech: openSpeech(readConfig({ EMBEDDED_VOICE: 'off', ...env }).speech, log) }
}

test('without TURN_MODEL there is none, and nothing is said about it', async () => {
  const { speech, lines } = speechWith({})
  assert.equal(await speech.turnModel(), undefined)
  await speech.close()
  assert.deepEqual(lines, [])
})

test('a TURN_MODEL that cannot be opened is told once, and done without', async () => {
  const { speech, lines } = speechWith({ TURN_MODEL: './there-is-no-such-file.onnx' })
  for (let i = 0; i < 3; i++) assert.equal(await speech.turnModel(), undefined)
  await speech.close()
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /TURN_MODEL/)
})

// Loading the configured turn model: once, on first use, and calls work without it if loading fails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../base/process/log.ts'
import { readConfig } from '../../config/load.ts'
import { openSpeech } from '../open.ts'

function speechWith(env: Record<string, string>) {
  const lines: string[] = []
  const log = createLog('warn', { write: (line: string) => void lines.push(line) })
  return { lines, speech: openSpeech(readConfig({ EMBEDDED_VOICE: 'off', ...env }).speech, log) }
}

test('without TURN_MODEL there is no turn model and no log line', async () => {
  const { speech, lines } = speechWith({})
  assert.equal(await speech.turnModel(), undefined)
  await speech.close()
  assert.deepEqual(lines, [])
})

test('a TURN_MODEL that fails to load is reported once, and calls go on without it', async () => {
  const { speech, lines } = speechWith({ TURN_MODEL: './there-is-no-such-file.onnx' })
  for (let i = 0; i < 3; i++) assert.equal(await speech.turnModel(), undefined)
  await speech.close()
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /TURN_MODEL/)
})

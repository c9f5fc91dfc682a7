import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sandboxedProcess } from './sandboxed-process.ts'

test('sandboxed code can read its own source, but no key; it writes no file and starts no process', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'master.key'), 'the master key')
  const run = sandboxedProcess(new URL('../../test/prying-child.ts', import.meta.url), 'document')
  const ours = fileURLToPath(new URL('./sandboxed-process.ts', import.meta.url))
  const came = await run<Record<string, unknown>>('usr_1', { folder, ours })
  const { readOwnCode, environment, ...forbidden } = came
  for (const [act, result] of Object.entries(forbidden)) assert.equal(result, 'ERR_ACCESS_DENIED', act)
  assert.equal(readOwnCode, 'done')
  assert.equal(existsSync(join(folder, 'new')), false)
  assert.ok(Number(environment) < 5, 'no settings of ours')
})

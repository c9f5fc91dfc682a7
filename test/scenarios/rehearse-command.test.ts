// `ramal rehearse` next to a running platform: script files, a folder of them, a replay, and an exit code for CI.
// @run sqlite
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { callTurns } from '../../src/features/calls/turn-store.ts'
import { anAgent, startTestApp } from '../app.ts'
import { putCall } from '../call-rows.ts'
import { compiled } from '../service.ts'

type Run = { code: number; out: string; err: string }

test('scripts run against a stored agent, and a failed check sets the exit code', async () => {
  const { ana, config, database } = await startTestApp()
  const env = {
    PATH: process.env.PATH,
    ...compiled,
    DATA_DIR: config.dataDir,
    ...(config.database.kind === 'postgres' ? { DATABASE_URL: config.database.url } : {}),
  }
  const ramal = (...words: string[]) =>
    new Promise<Run>((resolve) => {
      execFile(process.execPath, ['src/cli/main.ts', 'rehearse', ...words], { env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      )
    })
  const { json: agent } = await ana.post('/api/agents', anAgent)

  const examples = await ramal('docs/rehearsals', '--agent', agent.id)
  assert.equal(examples.code, 0, examples.out + examples.err)
  assert.match(examples.out, /^passed {3}interruption\.json {2}\(.* s of call in .* s, the built-in rules, reh_/m)
  assert.match(examples.out, /^3 of 3 passed$/m)
  assert.equal((await ana.get('/api/rehearsals')).json.length, 3)

  const folder = join(config.dataDir, 'scripts')
  mkdirSync(folder)
  const file = join(folder, 'wrong.json')
  const steps = [{ says: 'Oi?' }]
  writeFileSync(file, JSON.stringify({ agentId: agent.id, steps, expect: [{ said: { contains: 'pineapple' } }] }))
  const wrong = await ramal(file)
  assert.equal(wrong.code, 1)
  assert.match(wrong.out, /FAILED {2}the agent said “pineapple” {2}“/)
  assert.match(wrong.out, /^0 of 1 passed$/m)

  writeFileSync(file, JSON.stringify({ agentId: agent.id, steps: [{ says: 'Oi?', wait: 3 }] }))
  const unknown = await ramal(folder)
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /wrong\.json: .*steps\.0\.wait is not known here/)
  assert.match((await ramal()).err, /FILE, FOLDER or --replay is missing/)
  assert.match((await ramal(file, '--agent', 'agt_none')).err, /wait is not known|there is no agent/)

  const call = await putCall(database.db, { userId: ana.userId, agentId: agent.id, direction: 'inbound' })
  const latency = { endOfTurnMs: 0, recognitionMs: 0, modelMs: 0, synthesisMs: 0, totalMs: 700 }
  const opening = { number: 1, at: call.startedAt, caller: null, agent: 'Olá!', isCut: false, latency }
  const turn = { ...opening, number: 2, caller: 'Are you kind?', agent: 'Never.' }
  await callTurns(database.db).save(call.id, [opening, turn] as never)
  const replay = await ramal('--replay', call.id)
  assert.equal(replay.code, 0, replay.err)
  assert.match(replay.out, /turn 2: Are you kind\?\n {4}before 700 ms {2}Never\.\n {4}after {2}\d+ ms {2}.*% alike\)/)
})

// `ramal campaigns` and `ramal suppressions` as a script runs them: processes of their own, over the API of a running platform.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { anAgent, startTestApp, type TestApp } from '../app.ts'
import { compiled } from '../service.ts'

type Run = { code: number; out: string; err: string }

async function commandLine({ app, config, ana }: Pick<TestApp, 'app' | 'config' | 'ana'>) {
  const url = await app.listen()
  // The database is not among its settings: the commands know the API only.
  const env = { PATH: process.env.PATH, ...compiled, DATA_DIR: config.dataDir, RAMAL_API_KEY: ana.key }
  return (...words: string[]) =>
    new Promise<Run>((resolve) => {
      const args = ['src/cli/main.ts', ...words, '--url', `${url}/`]
      execFile(process.execPath, args, { env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      )
    })
}

test('a campaign is created from options and a settings file, listed, and refused with the field that is wrong', async () => {
  const at = await startTestApp()
  const ramal = await commandLine(at)
  await at.ana.post('/api/agents', anAgent)
  const settings = join(at.config.dataDir, 'settings.json')
  const windows = [{ days: [1, 2, 3, 4, 5], from: '10:00', to: '12:00' }]
  writeFileSync(
    settings,
    JSON.stringify({ schedule: { windows }, pacing: { maxConcurrentCalls: 3, callsPerSecond: 2 } }),
  )
  const words = ['--name', 'Consultas', '--agent', 'ana', '--settings', settings, '--per-second', '0.5']
  const created = await ramal('campaigns', 'create', ...words, '--start-at', '2030-01-07T12:00Z', '--json')
  assert.equal(created.code, 0, created.err)
  const campaign = JSON.parse(created.out)
  assert.deepEqual(campaign.pacing, { maxConcurrentCalls: 3, callsPerSecond: 0.5 })
  assert.deepEqual(campaign.schedule, { startAt: '2030-01-07T12:00:00.000Z', windows })
  assert.match(
    (await ramal('campaigns', 'list')).out,
    new RegExp(`^${campaign.id} {2}draft {2}0 of 0 done {2}Consultas\n$`),
  )
  assert.equal(JSON.parse((await ramal('campaigns', 'list', '--status', 'running', '--json')).out).length, 0)

  const refused = async (pattern: RegExp, ...command: string[]) => {
    const { code, err } = await ramal('campaigns', ...command)
    assert.equal(code, 1)
    assert.match(err, pattern)
  }
  await refused(/^ramal: --name is missing/, 'create')
  await refused(/^ramal: there is no agent Zoe/, 'create', '--name', 'x', '--agent', 'Zoe')
  await refused(/^ramal: --start-at must be a time/, 'create', '--name', 'x', '--agent', 'ana', '--start-at', 'soon')
  await refused(/callerId must be a number with its country code/, 'create', ...words, '--caller-id', '123')
  await refused(
    /^ramal: README.md is not a JSON object/,
    'create',
    '--name',
    'x',
    '--agent',
    'ana',
    '--settings',
    'README.md',
  )
  await refused(/Campaign not found/, 'show', 'cmp_none')
  await refused(/add --yes to confirm/, 'cancel', campaign.id)
  await refused(/neither a CSV file/, 'import', campaign.id, 'README.md')
  await refused(/cannot read none\.csv/, 'import', campaign.id, 'none.csv')
})

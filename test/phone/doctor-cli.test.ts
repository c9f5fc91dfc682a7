// `ramal trunk doctor` with a SIP endpoint of its own, while the platform is not running.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type Client, startTestApp, type TestApp } from '../app.ts'
import { startBaresip } from '../phones/baresip.ts'
import { startCarrier } from '../phones/kamailio.ts'
import { freeSipPort } from '../phones/ports.ts'

const run = promisify(execFile)

async function doctor(
  { config }: TestApp,
  ...words: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: config.dataDir,
    ...(config.database.kind === 'postgres' ? { DATABASE_URL: config.database.url } : {}),
  }
  return run(process.execPath, ['src/cli/main.ts', 'trunk', 'doctor', ...words], { env }).then(
    (done) => ({ code: 0, ...done }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

const newTrunk = async (client: Client, settings: object): Promise<string> =>
  (await client.post('/api/trunks', { name: 'line', host: '127.0.0.1', ...settings })).json.id

test('a healthy trunk exits with 0, prints checks, messages and one sentence, and leaves no registration behind', async (t) => {
  const echo = await startBaresip({ user: 'echo', says: 'echo' })
  t.after(echo.stop)
  const carrier = await startCarrier({
    accounts: { trunk: 'secret-word' },
    phones: { '600': echo.uri },
    numbers: { '700': 'trunk' },
  })
  t.after(carrier.stop)
  const app = await startTestApp()
  const account = { authMode: 'register', username: 'trunk', password: 'secret-word' }
  const id = await newTrunk(app.ana, { port: carrier.port, ...account })
  const { code, stdout } = await doctor(app, id, '--echo', '600')
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^ok +registers .*with our password$/m)
  assert.match(stdout, /^ok +audio +our tone came back/m)
  assert.match(stdout, /- INVITE sip:600@127\.0\.0\.1:\d+ -+>/)
  assert.match(stdout, /REGISTER[\s\S]*200 OK \(REGISTER\)[\s\S]*REGISTER[\s\S]*200 OK \(REGISTER\)/)
  assert.match(stdout.trim().split('\n').at(-1) ?? '', /^The trunk line works: .*\.$/)
  assert.doesNotMatch(stdout, /secret-word/)
})

test('a failing trunk exits with 1 and the fix, an unknown one prints the usage, an ambiguous one lists the candidates', async () => {
  const app = await startTestApp()
  const id = await newTrunk(app.ana, { port: await freeSipPort() })
  const broken = await doctor(app, id)
  assert.equal(broken.code, 1)
  assert.match(broken.stdout, /^failed +reached/m)
  assert.match(
    broken.stdout.trim().split('\n').at(-1) ?? '',
    /the port or the transport of the trunk is wrong|set transport/,
  )
  assert.match((await doctor(app, 'missing')).stderr, /there is no trunk missing/)
  for (const user of [app.ana, app.bia]) {
    const agent = (await user.post('/api/agents', { name: 'x', systemPrompt: 'x' })).json.id
    await user.post(`/api/agents/${agent}/link-trunk`, { trunkId: 'same', trunkType: 'inbound' })
  }
  assert.match((await doctor(app, 'same')).stderr, /several users have a trunk same: add --user/)
  const hers = await doctor(app, 'same', '--user', app.bia.userId)
  assert.match(hers.stdout, /not set up: give it a host/)
})
